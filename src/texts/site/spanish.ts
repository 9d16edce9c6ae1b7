import { formatsOf } from "../formats.ts";
import { SPANISH_FORMS } from "../forms/spanish.ts";
import { isUncountable, nounInSentence } from "../nouns.ts";
import { SPANISH_PREVIEW } from "../preview/spanish.ts";
import { SPANISH_REFUSALS } from "../refusals/spanish.ts";
import { romanNumeral } from "../roman.ts";
import { SPANISH_TYPES } from "../types/spanish.ts";
import type { SiteTextsTranslation } from "./translation.ts";

const { number, counted, list, date, period, languageName } = formatsOf("es");

const items = (count: number) => counted(count, { one: "# elemento", other: "# elementos" });
const to = (names: readonly string[]) => (names.length === 0 ? "" : ` a ${list(names)}`);

export const SPANISH_SITE_TEXTS: SiteTextsTranslation = {
  language: "es",
  types: SPANISH_TYPES,
  number,
  allOf: (parts) => list(parts),
  comma: ", ",
  date: (given) => date(given, given.year < 0 ? `${-given.year} a. C.` : String(given.year)),
  approximate: (date) => `hacia ${date}`,
  period,
  countOf: (count, noun) =>
    isUncountable(noun)
      ? `${noun.other}: ${number(count)}`
      : counted(count, {
          one: `# ${nounInSentence(noun.one)}`,
          other: `# ${nounInSentence(noun.other)}`,
        }),

  frame: {
    skip: "Ir al contenido",
    mainNavigation: "Navegación principal",
    menu: "Menú",
    closeMenu: "Cerrar el menú",
    breadcrumb: "Usted está aquí",
    home: "Inicio",
    forAgents: (index, markdown) => [
      "Para agentes de IA: el índice de este sitio está en ",
      index,
      "; una versión en Markdown de esta página, en ",
      markdown,
      ".",
    ],
    languages: "Idiomas",
    translations: "También en:",
    updated: (day) => ["Actualizado el ", day, "."],
    licence: (licence) => ["Textos propios de la asociación: ", licence, "."],
    thisPageInMarkdown: "Esta página en Markdown",
    agentGuide: "Para agentes",
    feed: "Canal de noticias",
    contents: "Contenido",
    table: "Tabla",
    code: "Código",
    backToNote: (note: string) => `Volver a la nota ${note} en el texto`,
    pageOfTitle: (page) => `(página ${number(page)})`,
  },

  search: {
    title: "Búsqueda",
    titleFor: (text) => `Búsqueda: ${text}`,
    description: (site) => `Buscar en ${site}.`,
    site: "Buscar en el sitio",
    label: "Buscar",
    button: "Buscar",
    typeLabel: "en",
    typeColumn: "tipo",
    languageColumn: "idioma",
    anyType: "todo el sitio",
    results: (count, { isExact, text }) =>
      `${isExact ? "" : "Más de "}${counted(count, { one: "# resultado", other: "# resultados" })} para «${text}».`,
    distant: "Ningún pasaje coincide; estos son los más cercanos.",
    shortened: "Se buscaron solo las palabras más significativas.",
    nothingFor: (text) => `No se encontró nada para «${text}».`,
    nothingForPart: (text) => `No se encontró nada para una parte de «${text}».`,
    verbatim: "Buscar exactamente eso",
    byKind: "Por tipo:",
    best: "Mejor resultado",
    nearest: "Lo más cercano",
    all: (kind, count) => `Ver todo (${number(count)}): ${kind}`,
    needsScript: "La búsqueda necesita JavaScript aquí.",
    advice: "Pruebe con menos palabras o con otras.",
    browse: "O explore:",
    items,
    groups: ({ items: found, name, groups, shown, without }) =>
      `${items(found)} por ${name}: ${counted(groups, { one: "# grupo", other: "# grupos" })}${shown === null ? "" : `, estos son los ${number(shown)} mayores`}${without === 0 ? "" : `; ${number(without)} en ninguno`}.`,
  },

  list: {
    pages: "Páginas",
    letters: "Letras",
    previous: "Página anterior",
    next: "Página siguiente",
    page: (page, pages) => `Página ${number(page)} de ${number(pages)}`,
    total: (count) => `${count}.`,
    totalAndRange: (count, first, last) => `${count}, aquí ${number(first)} a ${number(last)}.`,
    range: (first, last) => `${number(first)} a ${number(last)}.`,
    empty: (plural) => `${plural}: aún no se ha publicado nada aquí.`,
    group: (name, count) => `${name} (${number(count)})`,
    rest: (name, count, total) => `${name} (${number(count)} más de un total de ${number(total)})`,
    labelled: (label) => `${label}:`,
    inAllLanguages: (count) => `Todo en todos los idiomas (${number(count)})`,
    inOtherLanguages: (tags) => `En otros idiomas: ${list(tags.map(languageName))}`,
    listedBy: (reason) => `incluido aquí: ${reason}`,
    bestKnown: "Las más conocidas",
    listedByEditors: "incluido aquí por la redacción",
    mostListedBy: (reason) => `Incluidos aquí, salvo indicación contraria: ${reason}.`,
    partListedByEditors: "Incluidos aquí por la redacción:",
  },

  item: {
    yes: "sí",
    no: "no",
    described: ({ title, type, site, counts }) =>
      `${title}: ${nounInSentence(type)}${counts.length === 0 ? "" : ` con ${list(counts)}`} en ${site}.`,
    dated: (label, day) => `${nounInSentence(label)} ${day}`,
    verified: "Verificada en su fuente.",
    attributed: (names) => `Atribuida${to(names)}, sin verificar.`,
    disputed: (names) => `Discutida: la atribución${to(names)} es dudosa.`,
    misattributed: (names) => `Atribuida por error${to(names)}.`,
    cite: "Citar",
    citeAs: "Citar como:",
    permalink: "Enlace permanente:",
    report: "Avisar de un error en esta página",
  },

  calendar: {
    upcoming: (plural) => `Próximamente: ${nounInSentence(plural)}`,
    past: (plural) => `Anteriores: ${nounInSentence(plural)}`,
    undated: (plural) => `Sin fecha: ${nounInSentence(plural)}`,
    add: "Añadir a su calendario",
    subscribe: "Suscribirse al calendario",
  },

  timeline: {
    title: "Cronología",
    lead: "Todo lo que aquí tiene fecha, por siglos.",
    caption: "Número de entradas de cada siglo",
    column: "Siglo",
    count: (count) => counted(count, { one: "# entrada", other: "# entradas" }),
    century: (century) => `Siglo ${romanNumeral(Math.abs(century))}${century < 0 ? " a. C." : ""}`,
  },

  home: {
    newest: (plural) => `Lo más reciente: ${nounInSentence(plural)}`,
    browse: "Explorar",
    sample: (plural) => `De entre las ${nounInSentence(plural)}`,
    use: "Para qué sirve este sitio",
    usesAre: (uses, others) =>
      `Para: ${uses.join("; ")}.${others.length === 0 ? "" : ` No para: ${others.join("; ")}.`}`,
  },

  filters: {
    title: "Filtros y orden",
    chosen: "Filtros activos",
    remove: "Quitar el filtro",
    any: "cualquiera",
    from: "desde",
    to: "hasta",
    language: "Idioma",
    sort: "Orden",
    apply: "Aplicar",
    open: "Filtrar y ordenar",
    sorts: {
      best: "Las mejores primero",
      title: "Por título",
      updated: "Por último cambio",
      added: "Por orden de incorporación",
    },
  },

  quotation: {
    ofTheDay: "La cita del día",
    another: "Otra, al azar",
    heading: (authors) => (authors.length === 0 ? "Una cita" : `Cita de ${list(authors)}`),
    open: "Contexto y referencia",
    context: (work) => `En ${work}`,
    before: "Antes:",
    after: "Después:",
    moreBy: (author) => `Más de ${author}`,
    moreOn: (topic) => `Más sobre ${topic}`,
    all: (name) => `Todas las citas: ${name}`,
  },

  verification: {
    title: "Hasta dónde fiarse de una cita",
    lead: "El sello de una cita dice lo que se sabe de su procedencia. Describe la fuente, no el valor de las palabras.",
    verified: "Las palabras se encontraron en la obra que se nombra, en el lugar que se indica.",
    attributed:
      "Las palabras circulan con este nombre, pero aún no se han encontrado en ninguna obra. Pueden ser auténticas, abreviadas o reformuladas: compruébelas antes de citarlas como de este autor.",
    disputed:
      "Hay razones para dudar de que las palabras sean de este autor, y la cuestión sigue abierta. Dígalo cuando las cite.",
    misattributed:
      "Se sabe que las palabras son de otra persona o de origen desconocido. No las cite con este nombre.",
    question: "¿Conoce una fuente o una razón para dudar?",
  },

  missing: {
    forPrograms: "Para programas y agentes:",
    notFound: "404 – Página no encontrada",
    withdrawn: "410 – Página retirada",
    description: "No hay ninguna página en esta dirección.",
    noPageOf: (path, site) => [path, ` no es una página de ${site}.`],
    wasPageOf: (path, site, title) => [
      path,
      ` era una página de ${site}${title === null ? "" : ` («${title}»)`} y se ha retirado.`,
    ],
    didYouMean: "¿Buscaba esto?",
    startFrom: "Continúe desde aquí:",
    sitemap: "Mapa del sitio",
    homePage: "Página de inicio",
  },

  opening: { title: "Este sitio aún no está abierto", text: "Se abrirá pronto. Vuelva más tarde." },
  preview: SPANISH_PREVIEW,
  refusals: SPANISH_REFUSALS,
  ...SPANISH_FORMS,
};
