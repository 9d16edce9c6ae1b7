import type { Wording } from "../../../errors.ts";
import { languageTagOrText } from "../tables/cell-values.ts";
import {
  type BibliographyEntry,
  type BibliographyEntryKind,
  type BibliographyEntryOrError,
  collapseWhitespace,
  ENTRY_CHARACTERS_MAX,
  ENTRY_TOO_LONG_MESSAGE,
  type EntryDetailName,
  type EntryProblem,
  findDoiInText,
  invalidYearMessage,
  NO_TITLE_MESSAGE,
  type PersonName,
  parseCitedDate,
  parseInvertedName,
} from "./reference-entry.ts";

const KINDS_BY_TYPE: Readonly<Record<string, BibliographyEntryKind>> = {
  BOOK: "book",
  WHOLE: "book",
  EBOOK: "book",
  EDBOOK: "book",
  SER: "book",
  CONF: "book",
  CHAP: "part",
  ECHAP: "part",
  CPAPER: "part",
  ENCYC: "part",
  DICT: "part",
  JOUR: "journal",
  EJOUR: "journal",
  JFULL: "journal",
  MGZN: "periodical",
  NEWS: "periodical",
  ELEC: "page",
  BLOG: "page",
  ICOMM: "letter",
  PCOMM: "letter",
};

/**
 * RIS tags, each with the entry detail that it provides. If several tags provide the same detail, the most
 * reliable tag comes first.
 */
const DETAILS_BY_TAG: readonly (readonly [tag: string, detail: EntryDetailName])[] = [
  ["AB", "abstract"],
  ["N2", "abstract"],
  ["T2", "container"],
  ["JF", "container"],
  ["JO", "container"],
  ["BT", "container"],
  ["J2", "container"],
  ["JA", "container"],
  ["DO", "doi"],
  ["ET", "edition"],
  ["IS", "issue"],
  ["LA", "language"],
  ["CY", "place"],
  ["PP", "place"],
  ["PB", "publisher"],
  ["UR", "url"],
  ["VL", "volume"],
];
const MAPPED_FIELDS: ReadonlySet<string> = new Set(
  "TY ER ID TI T1 CT AU A1 ED A4 PY Y1 DA KW SN SP EP".split(" "),
);
/**
 * Tags that name editors in addition to `ED`, keyed by kind of entry. In entries of other kinds, these tags
 * name the editors of a series.
 */
const EDITOR_TAGS: Partial<Record<BibliographyEntryKind, readonly string[]>> = {
  part: ["A2"],
  book: ["A3"],
};
const IGNORED_FIELDS: ReadonlySet<string> = new Set(
  "DB DP Y2 L1 L2 L3 L4 LK AN AD ST RP AV".split(" "),
);

interface Statement {
  tag: string;
  line: number;
  text: string;
}

interface RisRecord {
  line: number;
  tags: ReadonlyMap<string, readonly Statement[]>;
  hasEnd: boolean;
}

const TAG_LINE = /^\s*([A-Z][A-Z0-9]) {0,2}- ?(.*)$/;

/** The entries of a RIS file. A new `TY` ends an entry that has no `ER`. */
export function* parseRisEntries(text: string): Generator<BibliographyEntryOrError> {
  for (const read of risRecords(text)) yield "fault" in read ? read : entryOf(read);
}

function* risRecords(text: string): Generator<RisRecord | { fault: Wording; line: number }> {
  let pending: Statement[] = [];
  for (const statement of statementsIn(text)) {
    if (statement.tag === "TY" && pending.length > 0) {
      yield recordOf(pending);
      pending = [];
    }
    if (statement.tag !== "ER" || pending.length > 0) pending.push(statement);
    if (statement.tag !== "ER" || pending.length === 0) continue;
    yield recordOf(pending);
    pending = [];
  }
  if (pending.length > 0) yield recordOf(pending);
}

function recordOf(statements: readonly Statement[]): RisRecord | { fault: Wording; line: number } {
  const [{ tag = "", text = "", line = 1 } = {}] = statements;
  if (tag !== "TY") {
    const found = `${tag}  - ${text.slice(0, 60)}`;
    const fault = {
      en: `there is no "TY  -" before "${found}"`,
      de: `vor „${found}“ fehlt „TY  -“`,
    };
    return { fault, line };
  }
  if (statements.reduce((sum, each) => sum + each.text.length, 0) > ENTRY_CHARACTERS_MAX) {
    return { fault: ENTRY_TOO_LONG_MESSAGE, line };
  }
  const tags = Map.groupBy(statements, (each) => each.tag);
  return { line, tags, hasEnd: tags.has("ER") };
}

/** Reads tagged lines. A line without a tag continues the statement before it. */
function* statementsIn(text: string): Generator<Statement> {
  let last: Statement | null = null;
  let lineNumber = 0;
  for (const line of linesIn(text)) {
    lineNumber += 1;
    const [, tag, value = ""] = TAG_LINE.exec(line) ?? [];
    if (tag !== undefined) {
      if (last !== null) yield last;
      last = { tag, line: lineNumber, text: value };
    } else if (last !== null && line.trim() !== "") {
      // EndNote writes each keyword on its own line, with the tag only before the first.
      last.text += `${last.tag === "KW" ? ";" : " "}${line.trim()}`;
    }
  }
  if (last !== null) yield last;
}

function* linesIn(text: string): Generator<string> {
  let from = 0;
  while (from < text.length) {
    const end = text.indexOf("\n", from);
    yield end < 0 ? text.slice(from) : text.slice(from, end);
    from = end < 0 ? text.length : end + 1;
  }
}

function entryOf({ line, tags, hasEnd }: RisRecord): BibliographyEntryOrError {
  const first = (...names: readonly string[]) => {
    const values = names.flatMap((name) => tags.get(name) ?? []);
    return collapseWhitespace(values.find(({ text }) => text.trim() !== "")?.text ?? "");
  };
  const kind = KINDS_BY_TYPE[first("TY").toUpperCase()] ?? "other";
  const titles = kind === "book" ? ["TI", "T1", "BT", "CT"] : ["TI", "T1", "CT"];
  const title = first(...titles);
  if (title === "")
    return {
      fault: { en: `${NO_TITLE_MESSAGE.en} (TI)`, de: `${NO_TITLE_MESSAGE.de} (TI)` },
      line,
    };
  const problems: EntryProblem[] = [];
  if (!hasEnd)
    problems.push({
      line,
      field: "",
      message: {
        en: 'there is no "ER  -" at the end of the entry; it was read all the same',
        de: "am Ende des Eintrags fehlt „ER  -“; er wurde trotzdem gelesen",
      },
    });
  const date = parseCitedDate(first("PY", "Y1", "DA"));
  const raw = (tags.get("PY") ?? tags.get("Y1") ?? tags.get("DA"))?.[0];
  if (date === null && raw !== undefined && raw.text.trim() !== "") {
    problems.push({
      line: raw.line,
      field: "PY",
      message: invalidYearMessage(collapseWhitespace(raw.text)),
    });
  }
  const used = new Set([...MAPPED_FIELDS, ...(EDITOR_TAGS[kind] ?? [])]);
  const detailTags = new Set(DETAILS_BY_TAG.map(([tag]) => tag));
  const entry: BibliographyEntry = {
    ...{ key: first("ID") || null, line, kind, title, date, problems, partOf: null },
    authors: people(tags, "AU", "A1"),
    editors: people(tags, "ED", ...(EDITOR_TAGS[kind] ?? [])),
    translators: people(tags, "A4"),
    details: { ...detailsOf(kind, first), ...serialNumbers(tags.get("SN") ?? []) },
    keywords: (tags.get("KW") ?? [])
      .flatMap(({ text }) => text.split(";"))
      .flatMap((keyword) => collapseWhitespace(keyword) || []),
    leftOut: [...tags.keys()].filter(
      (tag) => !used.has(tag) && !detailTags.has(tag) && !IGNORED_FIELDS.has(tag),
    ),
  };
  return entry;
}

function detailsOf(
  kind: BibliographyEntryKind,
  first: (...names: readonly string[]) => string,
): BibliographyEntry["details"] {
  const found: BibliographyEntry["details"] = {};
  for (const [tag, detail] of DETAILS_BY_TAG) {
    // In a book, tags for the detail `container` are ignored, because they may name the series or the book
    // itself.
    if (kind === "book" && detail === "container") continue;
    const text = first(tag);
    if (text !== "") found[detail] ??= text;
  }
  const [start, end] = [first("SP"), first("EP")];
  // Some programs write the whole range (`12-34`) as the first page, and its end (`34`) as the last page.
  const isRange = end !== "" && /\d\s*[-–]/.test(start) && start.endsWith(end);
  const pages = (isRange ? [start] : [start, end]).filter((page) => page !== "").join("–");
  if (pages !== "") found.pages = pages;
  if (found.doi !== undefined) found.doi = findDoiInText(found.doi) ?? found.doi;
  if (found.language !== undefined) found.language = languageTagOrText(found.language);
  return found;
}

/**
 * The first ISBN and the first ISSN in texts such as `978-0-14-044210-6`, `12345678 (ISSN)`, or
 * several numbers in one line.
 */
function serialNumbers(statements: readonly Statement[]): { isbn?: string; issn?: string } {
  const found: { isbn?: string; issn?: string } = {};
  for (const part of statements.flatMap(({ text }) => text.split(/[;,]/))) {
    const number = collapseWhitespace(part.replace(/\([^()]*\)/g, ""));
    if (number === "") continue;
    found[number.replace(/[^\dX]/gi, "").length >= 10 ? "isbn" : "issn"] ??= number;
  }
  return found;
}

function people(tags: RisRecord["tags"], ...names: readonly string[]): PersonName[] {
  return names.flatMap((name) =>
    (tags.get(name) ?? []).flatMap(({ text }) => parseInvertedName(text) ?? []),
  );
}
