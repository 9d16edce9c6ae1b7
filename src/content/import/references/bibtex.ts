import type { Wording } from "../../../errors.ts";
import { languageTagOrText } from "../tables/cell-values.ts";
import {
  BIBTEX_ENTRY_PROPERTY_FIELDS,
  ENTRY_DETAILS_BY_BIBTEX_FIELD,
  ENTRY_KINDS_BY_BIBTEX_TYPE,
  IGNORED_FIELDS,
  VERBATIM_FIELDS,
} from "./bibtex-fields.ts";
import { parseBibtexNames } from "./bibtex-names.ts";
import {
  type BibtexField,
  type BibtexPiece,
  type BibtexRecord,
  hasTitle,
  parseBibtexRecords,
} from "./bibtex-records.ts";
import { convertLatexToText, unescapeVerbatimField } from "./latex-text.ts";
import {
  type BibliographyEntry,
  type BibliographyEntryOrError,
  collapseWhitespace,
  ENTRY_CHARACTERS_MAX,
  ENTRY_TOO_LONG_MESSAGE,
  type EntryProblem,
  FIELD_TOO_DEEP_MESSAGE,
  fieldTooLongMessage,
  findDoiInText,
  findMonthInText,
  invalidYearMessage,
  parseCitedDate,
} from "./reference-entry.ts";

/**
 * Parses the entries of a `.bib` file, in BibTeX or BibLaTeX. Reads all records first, because an entry may
 * refer to a later entry. Yields null after each record, so that the caller can pause.
 */
export function* parseBibtexEntries(text: string): Generator<BibliographyEntryOrError | null> {
  const names = new Map<string, string>();
  const records: BibtexRecord[] = [];
  const byKey = new Map<string, BibtexRecord>();
  for (const record of parseBibtexRecords(text)) {
    if ("fault" in record) yield record;
    else if (isTooLong(record)) yield { fault: ENTRY_TOO_LONG_MESSAGE, line: record.line };
    else if (record.type === "string") defineNames(record, names);
    else {
      records.push(record);
      const key = record.key.toLowerCase();
      // Cross-references to a repeated key refer to its first entry with a title.
      if (!hasTitle(byKey.get(key))) byKey.set(key, record);
    }
    yield null;
  }
  for (const record of records) yield new EntryReader(record, names, byKey).entry();
}

function isTooLong({ fields }: BibtexRecord): boolean {
  const pieces = fields.flatMap((field) => field.pieces);
  return pieces.reduce((sum, { text }) => sum + text.length, 0) > ENTRY_CHARACTERS_MAX;
}

function defineNames({ fields }: BibtexRecord, names: Map<string, string>): void {
  for (const { name, pieces } of fields) {
    const values = pieces.map(({ form, text }) =>
      form === "text" ? text : (names.get(text.toLowerCase()) ?? text),
    );
    names.set(name, values.join("").slice(0, NAME_CHARACTERS_MAX));
  }
}

/** Limit on the text of an abbreviation, which may contain other abbreviations. */
const NAME_CHARACTERS_MAX = 10_000;
/** Allows five thousand authors. Without a limit, abbreviations could expand to gigabytes. */
const FIELD_CHARACTERS_MAX = 200_000;
/** Limit on an inherited field, because thousands of entries may inherit it. */
const INHERITED_CHARACTERS_MAX = 1000;

class EntryReader {
  readonly #record: BibtexRecord;
  readonly #names: ReadonlyMap<string, string>;
  readonly #fields: ReadonlyMap<string, BibtexField>;
  readonly #parent: BibtexRecord | null;
  readonly #problems: EntryProblem[] = [];

  constructor(
    record: BibtexRecord,
    names: ReadonlyMap<string, string>,
    byKey: ReadonlyMap<string, BibtexRecord>,
  ) {
    this.#record = record;
    this.#names = names;
    const ownFields = new Map(record.fields.map((field) => [field.name, field]));
    const crossref = ownFields.get("crossref");
    const parentKey = crossref === undefined ? "" : this.#raw(crossref).trim();
    const parent = parentKey === "" ? null : (byKey.get(parentKey.toLowerCase()) ?? null);
    this.#parent = parent === record ? null : parent;
    this.#fields = new Map([...this.#inheritedFields(), ...ownFields]);
    for (const { line, message } of record.warnings)
      this.#problems.push({ line, field: "", message });
    if (parentKey !== "" && crossref !== undefined && parent === null) {
      const message = {
        en: `there is no entry "${parentKey}" in the file`,
        de: `den Eintrag „${parentKey}“ gibt es in der Datei nicht`,
      };
      this.#problems.push({ line: crossref.line, field: "crossref", message });
    }
  }

  entry(): BibliographyEntryOrError {
    const { key, type, line, fields } = this.#record;
    const title = [this.#text("title"), this.#text("subtitle")]
      .filter((part) => part !== "")
      .join(": ");
    const details = this.#details();
    if (title === "") {
      const named = key || type;
      const en = `the entry "${named}" has no title`;
      return { fault: { en, de: `der Eintrag „${named}“ hat keinen Titel` }, line };
    }
    const leftOut = fields
      .map(({ name }) => name)
      .filter(
        (name) =>
          !(name in ENTRY_DETAILS_BY_BIBTEX_FIELD) &&
          !BIBTEX_ENTRY_PROPERTY_FIELDS.has(name) &&
          !IGNORED_FIELDS.has(name),
      );
    const entry: BibliographyEntry = {
      ...{
        key: key === "" ? null : key,
        line,
        kind: ENTRY_KINDS_BY_BIBTEX_TYPE[type] ?? "other",
        title,
        details,
        leftOut,
      },
      authors: this.#people("author"),
      editors: this.#people("editor"),
      translators: this.#people("translator"),
      date: this.#date(),
      keywords: this.#text("keywords")
        .split(/\s*[,;]\s*/)
        .filter((each) => each !== ""),
      partOf: this.#parent?.key ?? null,
      problems: this.#problems,
    };
    return entry;
  }

  #details(): BibliographyEntry["details"] {
    const found: BibliographyEntry["details"] = {};
    for (const [name, detail] of Object.entries(ENTRY_DETAILS_BY_BIBTEX_FIELD)) {
      const field = this.#fields.get(name);
      if (field === undefined || found[detail] !== undefined) continue;
      const text = VERBATIM_FIELDS.has(name)
        ? unescapeVerbatimField(this.#raw(field))
        : this.#text(name);
      if (text !== "") found[detail] = text;
    }
    if (found.doi !== undefined) found.doi = findDoiInText(found.doi) ?? found.doi;
    if (found.language !== undefined)
      found.language = languageTagOrText(found.language.replace(/^n(?=german)/, ""));
    return found;
  }

  #date(): BibliographyEntry["date"] {
    const field = this.#fields.get("date") ?? this.#fields.get("year");
    if (field === undefined) return null;
    const text = this.#text(field.name);
    const date = parseCitedDate(text);
    if (date === null) {
      this.#problems.push({
        line: field.line,
        field: field.name,
        message: invalidYearMessage(text),
      });
    }
    const month =
      date?.month ?? findMonthInText(this.#text("month")) ?? numberIn(this.#text("month"));
    return date === null || month === undefined ? date : { ...date, month };
  }

  #people(name: string): BibliographyEntry["authors"] {
    const field = this.#fields.get(name);
    return field === undefined ? [] : parseBibtexNames(this.#raw(field));
  }

  #inheritedFields(): [string, BibtexField][] {
    return inheritedFields(this.#parent).filter(([name, field]) => {
      const isShort = this.#length(field) <= INHERITED_CHARACTERS_MAX;
      if (!isShort)
        this.#leaveOut(
          { name, line: this.#record.line },
          fieldTooLongMessage(INHERITED_CHARACTERS_MAX),
        );
      return isShort;
    });
  }

  #text(name: string): string {
    const field = this.#fields.get(name);
    if (field === undefined) return "";
    const text = convertLatexToText(this.#raw(field));
    if (text === null) this.#leaveOut(field, FIELD_TOO_DEEP_MESSAGE);
    return text ?? "";
  }

  #raw(field: BibtexField): string {
    if (this.#length(field) > FIELD_CHARACTERS_MAX) {
      this.#leaveOut(field, fieldTooLongMessage(FIELD_CHARACTERS_MAX));
      return "";
    }
    return field.pieces.map((piece) => this.#value(piece)).join("");
  }

  #length({ pieces }: BibtexField): number {
    return pieces.reduce((sum, piece) => sum + this.#value(piece).length, 0);
  }

  #leaveOut({ name, line }: Pick<BibtexField, "name" | "line">, message: Wording): void {
    this.#problems.push({ line, field: name, message });
  }

  /** The text of a piece. Numbers, and names without a definition such as months, stay unchanged. */
  #value({ form, text }: BibtexPiece): string {
    return form === "text" ? text : (this.#names.get(text.toLowerCase()) ?? text);
  }
}

function numberIn(text: string): number | undefined {
  const number = Number(/^\d{1,2}$/.exec(collapseWhitespace(text))?.[0] ?? 0);
  return number >= 1 && number <= 12 ? number : undefined;
}

/** The fields that an entry inherits from its book. The book's title becomes `booktitle`. */
function inheritedFields(parent: BibtexRecord | null): [string, BibtexField][] {
  const notInherited: ReadonlySet<string> = new Set([
    "crossref",
    "author",
    "abstract",
    "keywords",
    "pages",
    "doi",
    "url",
  ]);
  return (parent?.fields ?? [])
    .filter(({ name }) => !notInherited.has(name))
    .map((field): [string, BibtexField] => {
      const name = field.name === "title" ? "booktitle" : field.name;
      return [name, { ...field, name }];
    })
    .filter(([name]) => name !== "subtitle");
}
