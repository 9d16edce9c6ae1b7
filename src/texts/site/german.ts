import { formatsOf } from "../formats.ts";
import { GERMAN_FORMS } from "../forms/german.ts";
import { isUncountable } from "../nouns.ts";
import { GERMAN_PREVIEW } from "../preview/german.ts";
import { GERMAN_REFUSALS } from "../refusals/german.ts";
import { GERMAN_TYPES } from "../types/german.ts";
import type { SiteTextsTranslation } from "./translation.ts";

const { number, counted, list, date, period, languageName } = formatsOf("de");

const items = (count: number) => counted(count, { one: "# Eintrag", other: "# Einträge" });
const of = (names: readonly string[]) => (names.length === 0 ? "" : ` ${list(names)}`);

export const GERMAN_SITE_TEXTS: SiteTextsTranslation = {
  language: "de",
  types: GERMAN_TYPES,
  number,
  allOf: (parts) => list(parts),
  comma: ", ",
  date: (given) => date(given, given.year < 0 ? `${-given.year} v. Chr.` : String(given.year)),
  approximate: (date) => `um ${date}`,
  period(first, last, terms) {
    const text = period(first, last, terms);
    // Adds "Uhr", which `Intl` writes after some time ranges only.
    return terms.isWholeDay || text.endsWith("Uhr") ? text : `${text} Uhr`;
  },
  countOf: (count, noun) =>
    isUncountable(noun)
      ? `${noun.other}: ${number(count)}`
      : counted(count, { one: `# ${noun.one}`, other: `# ${noun.other}` }),

  frame: {
    skip: "Zum Inhalt springen",
    mainNavigation: "Hauptnavigation",
    menu: "Menü",
    closeMenu: "Menü schließen",
    breadcrumb: "Sie sind hier",
    home: "Startseite",
    forAgents: (index, markdown) => [
      "Für KI-Agenten: Das Verzeichnis dieser Website steht unter ",
      index,
      ", eine Markdown-Fassung dieser Seite unter ",
      markdown,
      ".",
    ],
    languages: "Sprachen",
    translations: "Auch auf:",
    updated: (day) => ["Stand: ", day, "."],
    licence: (licence) => ["Eigene Texte des Vereins: ", licence, "."],
    thisPageInMarkdown: "Diese Seite als Markdown",
    agentGuide: "Für Agenten",
    feed: "Feed",
    contents: "Inhalt",
    table: "Tabelle",
    code: "Code",
    backToNote: (note: string) => `Zurück zu Anmerkung ${note} im Text`,
    pageOfTitle: (page) => `(Seite ${number(page)})`,
  },

  search: {
    title: "Suche",
    titleFor: (text) => `Suche: ${text}`,
    description: (site) => `Suche auf ${site}.`,
    site: "Website durchsuchen",
    label: "Suchbegriff",
    button: "Suchen",
    typeLabel: "in",
    typeColumn: "Art",
    languageColumn: "Sprache",
    anyType: "allen Bereichen",
    results: (count, { isExact, text }) =>
      `${isExact ? "" : "Mehr als "}${counted(count, { one: "# Treffer", other: "# Treffer" })} für „${text}“.`,
    distant: "Keine Stelle passt genau; am nächsten kommen diese.",
    shortened: "Gesucht wurde nicht nach allen Wörtern, nur nach den aussagekräftigsten.",
    nothingFor: (text) => `Für „${text}“ wurde nichts gefunden.`,
    nothingForPart: (text) => `Für einen Teil von „${text}“ wurde nichts gefunden.`,
    verbatim: "Genau danach suchen",
    byKind: "Nach Art:",
    best: "Bester Treffer",
    nearest: "Am nächsten kommt",
    all: (kind, count) => `Alle ${number(count)} ${kind}`,
    needsScript: "Die Suche braucht hier JavaScript.",
    advice: "Versuchen Sie es mit weniger oder anderen Wörtern.",
    browse: "Oder stöbern Sie:",
    items,
    groups: ({ items: found, name, groups, shown, without }) =>
      `${items(found)} nach ${name}: ${counted(groups, { one: "# Gruppe", other: "# Gruppen" })}${shown === null ? "" : `, hier die ${number(shown)} größten`}${without === 0 ? "" : `; ${number(without)} in keiner`}.`,
  },

  list: {
    pages: "Seiten",
    letters: "Buchstaben",
    previous: "Vorige Seite",
    next: "Nächste Seite",
    page: (page, pages) => `Seite ${number(page)} von ${number(pages)}`,
    total: (count) => `${count}.`,
    totalAndRange: (count, first, last) => `${count}, hier ${number(first)} bis ${number(last)}.`,
    range: (first, last) => `${number(first)} bis ${number(last)}.`,
    empty: (plural) => `${plural}: Hier ist noch nichts veröffentlicht.`,
    group: (name, count) => `${name} (${number(count)})`,
    rest: (name, count, total) => `${name} (${number(count)} weitere von ${number(total)})`,
    labelled: (label) => `${label}:`,
    inAllLanguages: (count) => `Alle ${number(count)} in allen Sprachen`,
    inOtherLanguages: (tags) => `In anderen Sprachen: ${list(tags.map(languageName))}`,
    listedBy: (reason) => `hier eingeordnet: ${reason}`,
    bestKnown: "Am bekanntesten",
    listedByEditors: "von der Redaktion hier eingeordnet",
    mostListedBy: (reason) => `Hier eingeordnet, wenn nicht anders angegeben: ${reason}.`,
    partListedByEditors: "Von der Redaktion hier eingeordnet:",
  },

  item: {
    yes: "ja",
    no: "nein",
    described: ({ title, type, site, counts }) =>
      `${title}: ${type}${counts.length === 0 ? "" : ` mit ${list(counts)}`} auf ${site}.`,
    dated: (label, day) => `${label} ${day}`,
    verified: "In der Quelle geprüft.",
    attributed: (names) => `Zugeschrieben${of(names)}, nicht geprüft.`,
    disputed: (names) =>
      `Umstritten: Die Zuschreibung${names.length === 0 ? "" : ` an ${list(names)}`} ist zweifelhaft.`,
    misattributed: (names) => `Falsch zugeschrieben${of(names)}.`,
    report: "Fehler auf dieser Seite melden",
    cite: "Zitieren",
    citeAs: "Zitiervorschlag:",
    permalink: "Dauerhafte Adresse:",
  },

  calendar: {
    upcoming: (plural) => `Kommende ${plural}`,
    past: (plural) => `Vergangene ${plural}`,
    undated: (plural) => `${plural} ohne Datum`,
    add: "In den eigenen Kalender eintragen",
    subscribe: "Kalender abonnieren",
  },

  timeline: {
    title: "Zeitleiste",
    lead: "Alles, was hier ein Jahr hat, nach Jahrhunderten.",
    caption: "Anzahl der Einträge in jedem Jahrhundert",
    column: "Jahrhundert",
    count: (count) => counted(count, { one: "# Eintrag", other: "# Einträge" }),
    century: (century) => `${Math.abs(century)}. Jahrhundert${century < 0 ? " v. Chr." : ""}`,
  },

  home: {
    browse: "Stöbern",
    newest: (plural) => `Neueste ${plural}`,
    sample: (plural) => `${plural} aus der Sammlung`,
    use: "Wofür diese Website da ist",
    usesAre: (uses, others) =>
      `Gedacht für: ${uses.join("; ")}.${others.length === 0 ? "" : ` Nicht gedacht für: ${others.join("; ")}.`}`,
  },

  filters: {
    title: "Filter und Reihenfolge",
    chosen: "Aktive Filter",
    remove: "Filter entfernen",
    any: "alle",
    from: "von",
    to: "bis",
    language: "Sprache",
    sort: "Reihenfolge",
    apply: "Anwenden",
    sorts: {
      best: "Beste zuerst",
      title: "Nach Titel",
      updated: "Nach letzter Änderung",
      added: "In der Reihenfolge der Aufnahme",
    },
    open: "Filtern und ordnen",
  },

  quotation: {
    heading: (authors) => (authors.length === 0 ? "Ein Zitat" : `Zitat von ${list(authors)}`),
    open: "Zusammenhang und Beleg",
    ofTheDay: "Zitat des Tages",
    another: "Ein anderes Zitat, zufällig gewählt",
    context: (work) => `In ${work}`,
    before: "Davor:",
    after: "Danach:",
    moreBy: (author) => `Mehr von ${author}`,
    moreOn: (topic) => `Mehr zum Thema ${topic}`,
    all: (name) => `Alle Zitate: ${name}`,
  },

  verification: {
    title: "Wie weit man einem Zitat trauen kann",
    lead: "Das Siegel eines Zitats sagt, was über seine Herkunft bekannt ist. Es beschreibt die Quelle, nicht den Wert der Worte.",
    verified: "Die Worte stehen im genannten Werk an der angegebenen Stelle.",
    attributed:
      "Die Worte werden gewöhnlich unter diesem Namen angeführt, wurden aber noch in keinem Werk gefunden. Sie können echt, gekürzt oder umformuliert sein: Prüfen Sie sie, bevor Sie sie als Worte dieser Person zitieren.",
    disputed:
      "Es gibt Gründe zu bezweifeln, dass die Worte von dieser Person stammen; die Frage ist offen. Sagen Sie es dazu, wenn Sie zitieren.",
    misattributed:
      "Die Worte stammen nachweislich von jemand anderem oder sind unbekannter Herkunft. Zitieren Sie sie nicht unter diesem Namen.",
    question: "Kennen Sie eine Quelle, oder haben Sie Grund zum Zweifel?",
  },

  missing: {
    notFound: "404 – Seite nicht gefunden",
    withdrawn: "410 – Seite zurückgezogen",
    description: "Unter dieser Adresse gibt es keine Seite.",
    noPageOf: (path, site) => [path, ` ist keine Seite von ${site}.`],
    wasPageOf: (path, site, title) => [
      path,
      ` war eine Seite von ${site}${title === null ? "" : ` („${title}“)`} und wurde zurückgezogen.`,
    ],
    didYouMean: "Meinten Sie:",
    startFrom: "Oder gehen Sie von hier aus weiter:",
    forPrograms: "Für Programme und Agenten:",
    sitemap: "Sitemap",
    homePage: "Startseite",
  },

  ...GERMAN_FORMS,
  opening: {
    title: "Diese Website ist noch nicht geöffnet",
    text: "Sie öffnet bald. Bitte schauen Sie später wieder vorbei.",
  },
  preview: GERMAN_PREVIEW,
  refusals: GERMAN_REFUSALS,
};
