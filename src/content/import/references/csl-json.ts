import { z } from "zod";
import type { Wording } from "../../../errors.ts";
import type { CitedDate } from "../../citations/reference.ts";
import { languageTagOrText } from "../tables/cell-values.ts";
import { type JsonElement, parseObjectsInJsonList } from "./json-elements.ts";
import {
  type BibliographyEntry,
  type BibliographyEntryKind,
  type BibliographyEntryOrError,
  collapseWhitespace,
  type EntryDetailName,
  findDoiInText,
  invalidYearMessage,
  NO_TITLE_MESSAGE,
  type PersonName,
  parseCitedDate,
} from "./reference-entry.ts";

/**
 * The kind of an entry for each CSL type. Types are spelled as in the specification or as in Crossref's
 * responses.
 */
const KINDS_BY_TYPE: Readonly<Record<string, BibliographyEntryKind>> = {
  book: "book",
  collection: "book",
  "edited-book": "book",
  monograph: "book",
  "reference-book": "book",
  periodical: "book",
  chapter: "part",
  "book-chapter": "part",
  "entry-dictionary": "part",
  "entry-encyclopedia": "part",
  "paper-conference": "part",
  "proceedings-article": "part",
  "article-journal": "journal",
  "journal-article": "journal",
  "article-magazine": "periodical",
  "article-newspaper": "periodical",
  webpage: "page",
  post: "page",
  "post-weblog": "page",
  speech: "speech",
  personal_communication: "letter",
};

const DETAILS_BY_FIELD: readonly (readonly [name: string, detail: EntryDetailName])[] = [
  ["abstract", "abstract"],
  ["container-title", "container"],
  ["DOI", "doi"],
  ["edition", "edition"],
  ["ISBN", "isbn"],
  ["ISSN", "issn"],
  ["issue", "issue"],
  ["language", "language"],
  ["license", "licence"],
  ["page", "pages"],
  ["publisher-place", "place"],
  ["publisher", "publisher"],
  ["URL", "url"],
  ["volume", "volume"],
];
const MAPPED_FIELDS: ReadonlySet<string> = new Set(
  "id type title subtitle author editor translator issued keyword subject citation-key".split(" "),
);
const IGNORED_FIELDS: ReadonlySet<string> = new Set(
  "accessed source call-number archive citation-label shortTitle title-short container-title-short journalAbbreviation indexed reference-count is-referenced-by-count references-count prefix member score created deposited content-domain resource relation link issn-type isbn-type published published-print published-online short-container-title short-title original-title alternative-id reference".split(
    " ",
  ),
);

const ENTITIES: Readonly<Record<string, string>> = {
  ...{ "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&apos;": "'" },
};

/**
 * Converts a text to plain text, because Crossref sends HTML. If Crossref sends a list of texts, uses the
 * first.
 */
const text = z
  .union([
    z.string(),
    z.number().transform(String),
    z.array(z.string()).transform(([first]) => first ?? ""),
  ])
  .transform((value) =>
    collapseWhitespace(
      value
        .replace(/<\/?(?:i|b|em|sub|sup|sc|span|(?:jats|mml):\w+|p)\b[^<>]*>/g, "")
        .replace(/&(?:amp|lt|gt|quot|apos);/g, (entity) => ENTITIES[entity] ?? entity),
    ),
  );
const part = z.union([z.number(), z.string()]);
const date = z.looseObject({
  "date-parts": z.array(z.array(part.nullable())).optional(),
  raw: z.string().optional(),
  literal: z.string().optional(),
});
const person = z.looseObject({
  family: z.string().optional(),
  given: z.string().optional(),
  literal: z.string().optional(),
  name: z.string().optional(),
  suffix: z.string().optional(),
  "non-dropping-particle": z.string().optional(),
  "dropping-particle": z.string().optional(),
});
const people = z.array(person).nullish();
const item = z.looseObject({
  id: z.union([z.string(), z.number()]).optional(),
  "citation-key": z.string().optional(),
  type: z.string(),
  title: text,
  subtitle: text.optional(),
  author: people,
  editor: people,
  translator: people,
  issued: z.union([date, z.string()]).optional(),
  keyword: z.string().optional(),
  subject: z.array(z.string()).optional(),
});

/** The entries of CSL-JSON: a list, a single entry, or a response from Crossref. */
export function* parseCslEntries(source: string): Generator<BibliographyEntryOrError> {
  for (const { value, isJson, line } of elementsIn(source)) {
    if (!isJson) yield { fault: { en: "is not valid JSON", de: "ist kein gültiges JSON" }, line };
    else yield entryOf(value, line);
  }
}

/** Whether the beginning of a file looks like CSL-JSON. */
export function looksLikeCsl(head: string): boolean {
  return (
    /^\uFEFF?\s*[[{]/.test(head) &&
    /"type"\s*:\s*"[a-z_-]+"/.test(head) &&
    /"(?:issued|author|editor|container-title|citation-key|DOI|ISBN|publisher-place)"\s*:/.test(
      head,
    )
  );
}

function elementsIn(source: string): Iterable<JsonElement> {
  if (/^\s*\[/.test(source)) return parseObjectsInJsonList(source);
  const response = z
    .looseObject({ message: z.unknown(), items: z.unknown() })
    .partial()
    .safeParse(parseJson(source));
  if (!response.success) return [{ line: 1, value: null, isJson: false }];
  const inner = response.data.message ?? response.data;
  const list = z.looseObject({ items: z.array(z.unknown()) }).safeParse(inner);
  const values = list.success ? list.data.items : [inner];
  return values.map((value) => ({ line: 1, value, isJson: true }));
}

function parseJson(source: string): unknown {
  try {
    return JSON.parse(source);
  } catch {
    return undefined;
  }
}

function entryOf(value: unknown, line: number): BibliographyEntryOrError {
  const parsed = item.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const field = issue?.path.join(".") ?? "";
    return {
      fault: field === "" ? NO_ENTRY : malformed(field),
      line,
    };
  }
  const { id, type, title, subtitle = "", issued, keyword = "", subject = [] } = parsed.data;
  const names = [title, ...(subtitle === "" || title.includes(subtitle) ? [] : [subtitle])];
  if (title === "") return { fault: NO_TITLE_MESSAGE, line };
  const { date: cited, problems } = dateOf(issued, line);
  const known = new Set(DETAILS_BY_FIELD.map(([name]) => name));
  const key = parsed.data["citation-key"] ?? (id === undefined ? "" : String(id));
  const entry: BibliographyEntry = {
    ...{ key: key || null, line, kind: KINDS_BY_TYPE[type] ?? "other", title: names.join(": ") },
    authors: namesIn(parsed.data.author),
    editors: namesIn(parsed.data.editor),
    translators: namesIn(parsed.data.translator),
    ...{ date: cited, problems, partOf: null },
    details: detailsOf(parsed.data),
    keywords: [...collapseWhitespace(keyword).split(/ ?[,;] ?/), ...subject].filter(
      (each) => each !== "",
    ),
    leftOut: Object.keys(parsed.data).filter(
      (name) => !MAPPED_FIELDS.has(name) && !known.has(name) && !IGNORED_FIELDS.has(name),
    ),
  };
  return entry;
}

const NO_ENTRY: Wording = {
  en: "is not an entry of CSL-JSON",
  de: "ist kein Eintrag von CSL-JSON",
};

function malformed(field: string): Wording {
  return {
    en: `"${field}" is missing or has another form`,
    de: `„${field}“ fehlt oder hat eine andere Form`,
  };
}

function detailsOf(values: Readonly<Record<string, unknown>>): BibliographyEntry["details"] {
  const found: BibliographyEntry["details"] = {};
  for (const [name, detail] of DETAILS_BY_FIELD) {
    const value = text.safeParse(values[name]);
    if (value.success && value.data !== "") found[detail] = value.data;
  }
  if (found.doi !== undefined) found.doi = findDoiInText(found.doi) ?? found.doi;
  if (found.language !== undefined) found.language = languageTagOrText(found.language);
  return found;
}

function namesIn(all: z.infer<typeof people>): PersonName[] {
  return (all ?? []).flatMap((each): PersonName[] => {
    const literal = each.literal ?? each.name ?? "";
    if (literal !== "") return [{ literal: collapseWhitespace(literal) }];
    const particles = [each["dropping-particle"], each["non-dropping-particle"], each.family];
    const family = collapseWhitespace(particles.filter((one) => one !== undefined).join(" "));
    const given = collapseWhitespace(each.given ?? "");
    if (family === "" || given === "")
      return family + given === "" ? [] : [{ literal: family + given }];
    return [{ family, given, suffix: collapseWhitespace(each.suffix ?? "") }];
  });
}

function dateOf(
  issued: z.infer<typeof item>["issued"],
  line: number,
): Pick<BibliographyEntry, "date" | "problems"> {
  if (issued === undefined) return { date: null, problems: [] };
  const isText = typeof issued === "string";
  const parts = isText ? [] : (issued["date-parts"]?.[0] ?? []);
  const [year, month, day] = parts.map((each) => (each === "" ? undefined : Number(each ?? 0)));
  if (year !== undefined && Number.isInteger(year) && parts[0] !== null) {
    const found: CitedDate = { year, ...(month ? { month, ...(day ? { day } : {}) } : {}) };
    return { date: found, problems: [] };
  }
  const written = isText ? issued : (issued.raw ?? issued.literal ?? String(parts[0] ?? ""));
  const found = parseCitedDate(written);
  if (found !== null || written.trim() === "") return { date: found, problems: [] };
  return {
    date: null,
    problems: [{ line, field: "issued", message: invalidYearMessage(written) }],
  };
}
