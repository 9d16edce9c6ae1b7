import { formatsOf, type PartialDate } from "../formats.ts";
import { ENGLISH_FORMS } from "../forms/english.ts";
import { isUncountable, type Noun, nounInSentence } from "../nouns.ts";
import { ENGLISH_PREVIEW } from "../preview/english.ts";
import { ENGLISH_REFUSALS } from "../refusals/english.ts";
import type { TypeTexts } from "../type-texts.ts";
import { ENGLISH_QUOTATIONS } from "./english-quotations.ts";

const { number, counted, ordinal: ordinalOf, list, date, period, languageName } = formatsOf("en");

const ORDINAL_FORMS = { one: "#st", two: "#nd", few: "#rd", other: "#th" };
const ordinal = (value: number) => ordinalOf(value, ORDINAL_FORMS);

const SORT_LABELS: Readonly<Record<string, string>> = {
  best: "Best first",
  title: "By title",
  updated: "By last change",
  added: "In the order they were added",
};

const NO_TYPE_TEXTS: Readonly<Record<string, TypeTexts>> = {};

/**
 * The values from which the description of an item without text is composed. `type` and `site` are names;
 * `counts` are texts such as "3 works".
 */
export interface ItemDescriptionValues {
  title: string;
  type: string;
  site: string;
  counts: readonly string[];
}

/** How many items there are, and in how many groups. */
export interface ItemAndGroupCounts {
  items: number;
  /** The grouping, such as `topics`. */
  name: string;
  groups: number;
  /** Number of groups that the page lists, largest first; null: all. */
  shown: number | null;
  /** Number of items that belong to no group. */
  without: number;
}

/**
 * All texts of the public site for visitors; the other languages have the same shape. A text with a
 * link is a list of texts and links. Documents for agents are always in English and not included
 * here.
 */
export const ENGLISH_SITE_TEXTS = {
  language: "en",
  /** Empty, since the built-in types are declared in English. */
  types: NO_TYPE_TEXTS,

  number,
  /** A list such as "a, b and c". */
  allOf: (parts: readonly string[]) => list(parts),
  /** A date such as "3 March 1850", "March 1850", "1850" or "44 BCE". */
  date: (given: PartialDate) =>
    date(given, given.year < 0 ? `${-given.year} BCE` : String(given.year)),
  /** An approximate date, such as "c. 428 BCE". */
  approximate: (date: string) => `c. ${date}`,
  /** The time of an event, such as "Sat, 12 December 2026, 19:00–21:00". */
  period,
  /** Separates the entries of a list without "and". */
  comma: ", ",
  /** A count such as "2 quotations", or "2 news items" for news. */
  countOf(count: number, noun: Noun) {
    const one = nounInSentence(noun.one);
    const other = isUncountable(noun) ? `${one}s` : nounInSentence(noun.other);
    return counted(count, { one: `# ${one}`, other: `# ${other}` });
  },

  frame: {
    skip: "Skip to content",
    mainNavigation: "Main",
    menu: "Menu",
    closeMenu: "Close menu",
    breadcrumb: "Breadcrumb",
    home: "Home",
    forAgents: <Part>(index: Part, markdown: Part) => [
      "For AI agents: the index of this site is at ",
      index,
      "; a Markdown version of this page is at ",
      markdown,
      ".",
    ],
    languages: "Languages",
    translations: "Also in:",
    updated: <Part>(day: Part) => ["Updated ", day, "."],
    licence: <Part>(licence: Part) => ["The association’s own texts: ", licence, "."],
    thisPageInMarkdown: "This page in Markdown",
    agentGuide: "For agents",
    feed: "Feed",
    /** The heading above the list of a page's sections. */
    contents: "Contents",
    /** Labels of elements that scroll sideways. */
    table: "Table",
    code: "Code",
    /** The name of the link from a footnote back to its reference in the text. */
    backToNote: (note: string) => `Back to note ${note} in the text`,
    pageOfTitle: (page: number) => `(page ${number(page)})`,
  },

  search: {
    title: "Search",
    titleFor: (text: string) => `Search: ${text}`,
    description: (site: string) => `Search ${site}.`,
    site: "Site search",
    label: "Search for",
    button: "Search",
    typeLabel: "in",
    typeColumn: "type",
    languageColumn: "language",
    anyType: "everything",
    results: (count: number, { isExact, text }: { isExact: boolean; text: string }) =>
      `${isExact ? "" : "More than "}${counted(count, { one: "# result", other: "# results" })} for “${text}”.`,
    distant: "No line matches exactly; these come closest.",
    shortened: "Only the most telling words were searched, not all of them.",
    nothingFor: (text: string) => `Nothing was found for “${text}”.`,
    nothingForPart: (text: string) => `Nothing was found for a part of “${text}”.`,
    verbatim: "Search for exactly that",
    byKind: "By kind:",
    best: "Best match",
    nearest: "Nearest",
    all: (kind: string, count: number) => `All ${number(count)} ${nounInSentence(kind)}`,
    /** Shown on a static copy of the site if JavaScript is off. */
    needsScript: "Search needs JavaScript here.",
    advice: "Try fewer or other words.",
    browse: "Or browse:",
    items: (count: number) => counted(count, { one: "# item", other: "# items" }),
    groups: ({ items, name, groups, shown, without }: ItemAndGroupCounts) =>
      `${counted(items, { one: "# item", other: "# items" })} by ${name}: ${counted(groups, { one: "# group", other: "# groups" })}${shown === null ? "" : `, the ${number(shown)} largest of which follow`}${without === 0 ? "" : `; ${number(without)} in none`}.`,
  },

  list: {
    pages: "Pages",
    letters: "Letters",
    previous: "Previous page",
    next: "Next page",
    page: (page: number, pages: number) => `Page ${number(page)} of ${number(pages)}`,
    total: (count: string) => `${count}.`,
    totalAndRange: (count: string, first: number, last: number) =>
      `${number(first)} to ${number(last)} of ${count}.`,
    /** Shown below a heading that states the total. */
    range: (first: number, last: number) => `${number(first)} to ${number(last)}.`,
    empty: (plural: string) => `No ${nounInSentence(plural)} yet.`,
    group: (name: string, count: number) => `${name} (${number(count)})`,
    /**
     * Heading of the rest of a list, after the items that are shown above. The rest has `count` of the
     * `total` items.
     */
    rest: (name: string, count: number, total: number) =>
      `${name} (${number(count)} more of ${number(total)})`,
    /** Introduces a list on the same line. */
    labelled: (label: string) => `${label}:`,
    inAllLanguages: (count: number) => `All ${number(count)} in all languages`,
    /** `tags`: the languages, by their BCP 47 tags. */
    inOtherLanguages: (tags: readonly string[]) =>
      `In other languages: ${list(tags.map(languageName))}`,
    listedBy: (reason: string) => `listed here: ${reason}`,
    /** Heading of the featured quotations of an author. */
    bestKnown: "Best known",
    listedByEditors: "listed here by the editors",
    /**
     * Shown above a list if most of its items are there for the same `reason`. Each other item states
     * its own reason.
     */
    mostListedBy: (reason: string) => `Listed here, unless noted otherwise: ${reason}.`,
    /** Shown above the part of a list whose items the editors chose. */
    partListedByEditors: "Listed here by the editors:",
  },

  item: {
    yes: "yes",
    no: "no",
    described: ({ title, type, site, counts }: ItemDescriptionValues) =>
      `${title}: ${nounInSentence(type)}${counts.length === 0 ? "" : ` with ${list(counts)}`} at ${site}.`,
    /** A date in a list, such as "born 1842". */
    dated: (label: string, day: string) => `${nounInSentence(label)} ${day}`,
    verified: "Verified in its source.",
    attributed: (names: readonly string[]) =>
      `Attributed${names.length === 0 ? "" : ` to ${list(names)}`}, not verified.`,
    disputed: (names: readonly string[]) =>
      `Disputed: the ascription${names.length === 0 ? "" : ` to ${list(names)}`} is in doubt.`,
    misattributed: (names: readonly string[]) =>
      `Misattributed${names.length === 0 ? "" : ` to ${list(names)}`}.`,
    report: "Report a mistake on this page",
    cite: "Cite",
    citeAs: "Cite as:",
    permalink: "Permalink:",
  },

  calendar: {
    upcoming: (plural: string) => `Upcoming ${nounInSentence(plural)}`,
    past: (plural: string) => `Past ${nounInSentence(plural)}`,
    undated: (plural: string) => `${plural} without a date`,
    add: "Add to your calendar",
    subscribe: "Subscribe to the calendar",
  },

  timeline: {
    title: "Timeline",
    lead: "Everything here that has a year, by century.",
    /** Label of the table of centuries. */
    caption: "Number of entries in each century",
    column: "Century",
    count: (count: number) => counted(count, { one: "# entry", other: "# entries" }),
    /** `century` counts from 1; for centuries BCE, it counts down from -1. */
    century: (century: number) =>
      `${ordinal(Math.abs(century))} century${century < 0 ? " BCE" : ""}`,
  },

  home: {
    browse: "Browse",
    newest: (plural: string) => `Newest ${nounInSentence(plural)}`,
    sample: (plural: string) => `From the ${nounInSentence(plural)}`,
    use: "When to use this site",
    usesAre: (uses: readonly string[], others: readonly string[]) =>
      `To ${uses.join("; to ")}.${others.length === 0 ? "" : ` Not for ${others.join("; nor for ")}.`}`,
  },

  filters: {
    title: "Filters and order",
    chosen: "Active filters",
    remove: "Remove the filter",
    any: "any",
    from: "from",
    to: "to",
    language: "Language",
    sort: "Order",
    apply: "Apply",
    /**
     * Labels of the sorts that every list has. A sort by a field shows the label of the field instead.
     */
    sorts: SORT_LABELS,
    /** The link on a list page to its filters and sorts. */
    open: "Filter and sort",
  },

  ...ENGLISH_QUOTATIONS,

  missing: {
    notFound: "404 – Page not found",
    withdrawn: "410 – Page withdrawn",
    description: "There is no page at this address.",
    noPageOf: <Part>(path: Part, site: string) => [path, ` is not a page of ${site}.`],
    wasPageOf: <Part>(path: Part, site: string, title: string | null) => [
      path,
      ` was a page of ${site}${title === null ? "" : `, “${title}”,`} and has been withdrawn.`,
    ],
    didYouMean: "Did you mean:",
    startFrom: "Or go on from here:",
    forPrograms: "For programs and agents:",
    sitemap: "Sitemap",
    homePage: "Home page",
  },

  ...ENGLISH_FORMS,
  /** Shown on a site that is hidden until it opens. */
  opening: { title: "This site is not open yet", text: "It opens soon. Please come back later." },
  preview: ENGLISH_PREVIEW,
  refusals: ENGLISH_REFUSALS,
};

export type SiteTexts = typeof ENGLISH_SITE_TEXTS;
