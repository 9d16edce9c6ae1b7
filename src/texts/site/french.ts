import { formatsOf } from "../formats.ts";
import { FRENCH_FORMS } from "../forms/french.ts";
import { isUncountable, nounInSentence } from "../nouns.ts";
import { FRENCH_PREVIEW } from "../preview/french.ts";
import { FRENCH_REFUSALS } from "../refusals/french.ts";
import { romanNumeral } from "../roman.ts";
import { FRENCH_TYPES } from "../types/french.ts";
import type { SiteTextsTranslation } from "./translation.ts";

const { number, counted, list, date, period, languageName } = formatsOf("fr");

const items = (count: number) => counted(count, { one: "# élément", other: "# éléments" });
const to = (names: readonly string[]) => (names.length === 0 ? "" : ` à ${list(names)}`);

export const FRENCH_SITE_TEXTS: SiteTextsTranslation = {
  language: "fr",
  types: FRENCH_TYPES,
  number,
  allOf: (parts) => list(parts),
  comma: ", ",
  date: (given) => date(given, given.year < 0 ? `${-given.year} av. J.-C.` : String(given.year)),
  approximate: (date) => `vers ${date}`,
  period,
  countOf: (count, noun) =>
    isUncountable(noun)
      ? `${noun.other}\u00a0: ${number(count)}`
      : counted(count, {
          one: `# ${nounInSentence(noun.one)}`,
          other: `# ${nounInSentence(noun.other)}`,
        }),

  frame: {
    skip: "Aller au contenu",
    mainNavigation: "Navigation principale",
    menu: "Menu",
    closeMenu: "Fermer le menu",
    breadcrumb: "Vous êtes ici",
    home: "Accueil",
    forAgents: (index, markdown) => [
      "Pour les agents d’IA\u00a0: l’index de ce site se trouve à ",
      index,
      ", une version Markdown de cette page à ",
      markdown,
      ".",
    ],
    languages: "Langues",
    translations: "Aussi en\u00a0:",
    updated: (day) => ["Mis à jour le ", day, "."],
    licence: (licence) => ["Textes de l’association\u00a0: ", licence, "."],
    thisPageInMarkdown: "Cette page en Markdown",
    agentGuide: "Pour les agents",
    feed: "Flux",
    contents: "Sommaire",
    table: "Tableau",
    code: "Code",
    backToNote: (note: string) => `Retour à la note ${note} dans le texte`,
    pageOfTitle: (page) => `(page ${number(page)})`,
  },

  search: {
    title: "Recherche",
    titleFor: (text) => `Recherche\u00a0: ${text}`,
    description: (site) => `Rechercher sur ${site}.`,
    site: "Rechercher sur le site",
    label: "Rechercher",
    button: "Rechercher",
    typeLabel: "dans",
    typeColumn: "type",
    languageColumn: "langue",
    anyType: "tout le site",
    results: (count, { isExact, text }) =>
      `${isExact ? "" : "Plus de "}${counted(count, { one: "# résultat", other: "# résultats" })} pour «\u00a0${text}\u00a0».`,
    distant: "Aucun passage ne correspond\u00a0; voici les plus proches.",
    shortened: "Seuls les mots les plus parlants ont été recherchés.",
    nothingFor: (text) => `Rien n’a été trouvé pour «\u00a0${text}\u00a0».`,
    nothingForPart: (text) => `Rien n’a été trouvé pour une partie de «\u00a0${text}\u00a0».`,
    verbatim: "Rechercher exactement cela",
    byKind: "Par type\u00a0:",
    best: "Meilleur résultat",
    nearest: "Le plus proche",
    all: (kind, count) => `Tout voir (${number(count)})\u00a0: ${kind}`,
    needsScript: "La recherche a besoin de JavaScript ici.",
    advice: "Essayez avec moins de mots, ou avec d’autres.",
    browse: "Ou parcourez\u00a0:",
    items,
    groups: ({ items: found, name, groups, shown, without }) =>
      `${items(found)} par ${name}\u00a0: ${counted(groups, { one: "# groupe", other: "# groupes" })}${shown === null ? "" : `, dont voici les ${number(shown)} plus grands`}${without === 0 ? "" : `\u00a0; ${number(without)} sans groupe`}.`,
  },

  list: {
    pages: "Pages",
    letters: "Lettres",
    previous: "Page précédente",
    next: "Page suivante",
    page: (page, pages) => `Page ${number(page)} sur ${number(pages)}`,
    total: (count) => `${count}.`,
    totalAndRange: (count, first, last) => `${count}, ici ${number(first)} à ${number(last)}.`,
    range: (first, last) => `${number(first)} à ${number(last)}.`,
    empty: (plural) => `${plural}\u00a0: rien n’est encore publié ici.`,
    group: (name, count) => `${name} (${number(count)})`,
    rest: (name, count, total) => `${name} (${number(count)} autres sur ${number(total)})`,
    labelled: (label) => `${label}\u00a0:`,
    inAllLanguages: (count) => `Les ${number(count)} dans toutes les langues`,
    inOtherLanguages: (tags) => `Dans d’autres langues\u00a0: ${list(tags.map(languageName))}`,
    listedBy: (reason) => `classé ici\u00a0: ${reason}`,
    bestKnown: "Les plus connues",
    listedByEditors: "classé ici par la rédaction",
    mostListedBy: (reason) => `Classés ici, sauf mention contraire\u00a0: ${reason}.`,
    partListedByEditors: "Classés ici par la rédaction\u00a0:",
  },

  item: {
    yes: "oui",
    no: "non",
    described: ({ title, type, site, counts }) =>
      `${title}\u00a0: ${nounInSentence(type)}${counts.length === 0 ? "" : `, avec ${list(counts)}`}, sur ${site}.`,
    dated: (label, day) => `${nounInSentence(label)} ${day}`,
    verified: "Vérifiée dans sa source.",
    attributed: (names) => `Attribuée${to(names)}, non vérifiée.`,
    disputed: (names) => `Contestée\u00a0: l’attribution${to(names)} est douteuse.`,
    misattributed: (names) => `Attribuée à tort${to(names)}.`,
    cite: "Citer",
    citeAs: "Pour citer\u00a0:",
    permalink: "Lien permanent\u00a0:",
    report: "Signaler une erreur sur cette page",
  },

  calendar: {
    upcoming: (plural) => `À venir\u00a0: ${nounInSentence(plural)}`,
    past: (plural) => `Passé\u00a0: ${nounInSentence(plural)}`,
    undated: (plural) => `Sans date\u00a0: ${nounInSentence(plural)}`,
    add: "Ajouter à votre agenda",
    subscribe: "S’abonner à l’agenda",
  },

  timeline: {
    title: "Chronologie",
    lead: "Tout ce qui a une date ici, siècle par siècle.",
    caption: "Nombre d’entrées par siècle",
    column: "Siècle",
    count: (count) => counted(count, { one: "# entrée", other: "# entrées" }),
    century: (century) =>
      `${romanNumeral(Math.abs(century))}${Math.abs(century) === 1 ? "er" : "e"} siècle${century < 0 ? " av. J.-C." : ""}`,
  },

  home: {
    newest: (plural) => `Nouveautés\u00a0: ${nounInSentence(plural)}`,
    browse: "Parcourir",
    sample: (plural) => `Parmi les ${nounInSentence(plural)}`,
    use: "À quoi sert ce site",
    usesAre: (uses, others) =>
      `Pour\u00a0: ${uses.join("\u00a0; ")}.${others.length === 0 ? "" : ` Pas pour\u00a0: ${others.join("\u00a0; ")}.`}`,
  },

  filters: {
    title: "Filtres et ordre",
    chosen: "Filtres actifs",
    remove: "Retirer le filtre",
    any: "tous",
    from: "de",
    to: "à",
    language: "Langue",
    sort: "Ordre",
    apply: "Appliquer",
    open: "Filtrer et trier",
    sorts: {
      best: "Les meilleures d’abord",
      title: "Par titre",
      updated: "Par dernière modification",
      added: "Par ordre d’ajout",
    },
  },

  quotation: {
    ofTheDay: "La citation du jour",
    another: "Une autre, au hasard",
    heading: (authors) => (authors.length === 0 ? "Une citation" : `Citation de ${list(authors)}`),
    open: "Contexte et référence",
    context: (work) => `Dans ${work}`,
    before: "Avant\u00a0:",
    after: "Après\u00a0:",
    moreBy: (author) => `Autres citations de ${author}`,
    moreOn: (topic) => `Autres citations sur ${topic}`,
    all: (name) => `Toutes les citations\u00a0: ${name}`,
  },

  verification: {
    title: "Jusqu’où se fier à une citation",
    lead: "Le sceau d’une citation dit ce que l’on sait de son origine. Il décrit la source, non la valeur des mots.",
    verified: "Les mots ont été trouvés dans l’œuvre nommée, à l’endroit indiqué.",
    attributed:
      "Les mots circulent sous ce nom, mais n’ont encore été trouvés dans aucune œuvre. Ils peuvent être authentiques, abrégés ou reformulés\u00a0: vérifiez-les avant de les citer comme étant de cet auteur.",
    disputed:
      "Il y a des raisons de douter que les mots soient de cet auteur, et la question reste ouverte. Dites-le quand vous les citez.",
    misattributed:
      "On sait que les mots sont de quelqu’un d’autre, ou d’origine inconnue. Ne les citez pas sous ce nom.",
    question: "Connaissez-vous une source, ou une raison de douter\u00a0?",
  },

  missing: {
    forPrograms: "Pour les programmes et les agents\u00a0:",
    notFound: "404 – Page introuvable",
    withdrawn: "410 – Page retirée",
    description: "Il n’y a pas de page à cette adresse.",
    noPageOf: (path, site) => [path, ` n’est pas une page de ${site}.`],
    wasPageOf: (path, site, title) => [
      path,
      ` était une page de ${site}${title === null ? "" : ` («\u00a0${title}\u00a0»)`} et a été retirée.`,
    ],
    didYouMean: "Cherchiez-vous\u00a0:",
    startFrom: "Repartez d’ici\u00a0:",
    sitemap: "Plan du site",
    homePage: "Page d’accueil",
  },

  opening: {
    title: "Ce site n’est pas encore ouvert",
    text: "Il ouvrira bientôt. Revenez plus tard.",
  },
  preview: FRENCH_PREVIEW,
  refusals: FRENCH_REFUSALS,
  ...FRENCH_FORMS,
};
