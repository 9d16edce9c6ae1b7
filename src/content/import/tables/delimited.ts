import Papa from "papaparse";
import { AppError, type Wording } from "../../../errors.ts";
import {
  COLUMNS_MAX,
  ROW_CHARACTERS_MAX,
  type RowProblem,
  type Table,
  type TableRow,
} from "./table.ts";
import { decodeTextStream, detectTextEncoding } from "./text-encoding.ts";

const DELIMITERS = {
  ",": { en: "commas", de: "Kommas" },
  ";": { en: "semicolons", de: "Strichpunkte" },
  "\t": { en: "tabs", de: "Tabulatoren" },
  "|": { en: "bars", de: "senkrechte Striche" },
} as const;
type Delimiter = keyof typeof DELIMITERS;

const SAMPLE_CHARACTERS = 64 * 1024;
const SAMPLE_ROWS = 200;
/** Matches a first line that specifies the delimiter, in Excel's own syntax: `sep=;`. */
const EXCEL_DELIMITER = /^sep=([,;\t|])\n/i;

const ENCODING_NAMES: Readonly<Record<string, string>> = {
  "utf-8": "UTF-8",
  "utf-16le": "UTF-16",
  "utf-16be": "UTF-16",
  "windows-1252": "Windows-1252 (Latin-1)",
};

/**
 * Opens a text table, such as CSV or TSV, in any encoding that spreadsheet programs write.
 *
 * @param open opens the file; each call reads it from the start.
 */
export async function openDelimited(open: () => AsyncIterable<Uint8Array>): Promise<Table> {
  const encoding = await detectTextEncoding(open());
  const sample = await readStart(withShortBlanks(decodeTextStream(open(), encoding)));
  const raw = EXCEL_DELIMITER.exec(sample)?.[1];
  const delimiter = isDelimiter(raw) ? raw : likelyDelimiter(sample);
  return {
    form: formatDescription(ENCODING_NAMES[encoding] ?? encoding, DELIMITERS[delimiter]),
    leftOut: [],
    rows: () =>
      rowsOf(withShortBlanks(decodeTextStream(open(), encoding)), delimiter, raw !== undefined),
  };
}

/**
 * Long sequences of spaces and tabs are shortened to this length. It equals the maximum number of columns,
 * because tabs may separate cells: a row with too many cells must still exceed the maximum.
 */
const BLANKS_MAX = COLUMNS_MAX;
const LONG_BLANKS = /[^\S\n]{500,}/g;
const LAST_BLANKS = /(?<![^\S\n])[^\S\n]+$/;

/**
 * Shortens long sequences of spaces and tabs, because the library rescans them at each quotation
 * mark within a quoted cell.
 */
async function* withShortBlanks(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let blanks = "";
  for await (const text of texts) {
    const short = (blanks + text).replace(LONG_BLANKS, (run) => run.slice(0, BLANKS_MAX));
    blanks = LAST_BLANKS.exec(short)?.[0] ?? "";
    yield short.slice(0, short.length - blanks.length);
  }
  yield blanks;
}

const ODD_QUOTE: RowProblem = {
  message: {
    en: "has a quotation mark inside a quoted cell that is not doubled; it is taken as part of the text",
    de: "hat in einer Zelle in Anführungszeichen ein einzelnes Anführungszeichen; es wird als Teil des Textes gelesen",
  },
  severity: "warning",
};

function formatDescription(encoding: string, { en, de }: Wording): Wording {
  return {
    en: `text in ${encoding}, cells separated by ${en}`,
    de: `Text in ${encoding}, Zellen getrennt durch ${de}`,
  };
}

function isDelimiter(text: string | undefined): text is Delimiter {
  return text !== undefined && Object.hasOwn(DELIMITERS, text);
}

async function readStart(texts: AsyncIterable<string>): Promise<string> {
  let start = "";
  for await (const text of texts) {
    start += text;
    if (start.length >= SAMPLE_CHARACTERS) break;
  }
  return start.slice(0, SAMPLE_CHARACTERS);
}

/** The delimiter that gives most rows the same number of cells. */
function likelyDelimiter(sample: string): Delimiter {
  const isCut = sample.length >= SAMPLE_CHARACTERS;
  const found = Object.keys(DELIMITERS)
    .filter(isDelimiter)
    .map((delimiter) => {
      const counts = parsedRows(sample, delimiter, isCut)
        .filter(({ row }) => row.some((cell) => cell.trim() !== ""))
        .slice(0, SAMPLE_ROWS)
        .map(({ row }) => row.length);
      return { delimiter, ...consistency(counts) };
    });
  const [best] = found.sort((one, other) => other.share - one.share || other.cells - one.cells);
  return best === undefined || best.share === 0 ? "," : best.delimiter;
}

function consistency(counts: readonly number[]): { share: number; cells: number } {
  const groups = [
    ...Map.groupBy(
      counts.filter((count) => count > 1),
      (count) => count,
    ),
  ];
  const [most] = groups.sort(([, one], [, other]) => other.length - one.length);
  if (most === undefined) return { share: 0, cells: 1 };
  // Rows with a different number of cells, such as headings, count half.
  const others = counts.filter((count) => count > 1).length - most[1].length;
  return { share: (most[1].length + others / 2) / counts.length, cells: most[0] };
}

interface ParsedRow {
  row: string[];
  /** Position in the text where the row ends. */
  end: number;
  isOddlyQuoted: boolean;
  isUnclosed: boolean;
}

/**
 * Splits a text into rows.
 *
 * @param isPart whether more text follows, so that the last row may be incomplete.
 */
function parsedRows(text: string, delimiter: Delimiter, isPart: boolean): ParsedRow[] {
  const rows: ParsedRow[] = [];
  const parser = new Papa.Parser({
    delimiter,
    newline: "\n",
    step({ data: [row = []], errors, meta }: Papa.ParseStepResult<string[][]>) {
      const codes = errors.map(({ code }) => code);
      rows.push({
        row,
        end: meta.cursor,
        isOddlyQuoted: codes.includes("InvalidQuotes"),
        isUnclosed: codes.includes("MissingQuotes"),
      });
    },
  });
  parser.parse(text, 0, isPart);
  return rows;
}

async function* rowsOf(
  texts: AsyncIterable<string>,
  delimiter: Delimiter,
  skipsFirst: boolean,
): AsyncGenerator<TableRow> {
  let rest = "";
  let line = 1;
  let parseFrom = 0;
  const completeRows = function* (isPart: boolean): Generator<TableRow> {
    let start = 0;
    for (const found of parsedRows(rest, delimiter, isPart)) {
      const row = rowOf(found, line);
      line += countLineBreaks(rest, start, found.end);
      start = found.end;
      if (row !== null && !(skipsFirst && row.line === 1)) yield row;
    }
    rest = rest.slice(start);
    // Parses again only when the text has doubled: parsing an unfinished row again for each chunk
    // would take quadratic time.
    parseFrom = rest.length * 2;
  };
  for await (const text of texts) {
    rest += text;
    if (rest.length < parseFrom && rest.length <= ROW_CHARACTERS_MAX) continue;
    yield* completeRows(true);
    if (rest.length > ROW_CHARACTERS_MAX) throw tooLong(line);
  }
  if (rest !== "") yield* completeRows(false);
}

function rowOf({ row, isOddlyQuoted, isUnclosed }: ParsedRow, line: number): TableRow | null {
  if (isUnclosed) {
    const message = {
      en: `Line ${line}: a quotation mark opens a cell and nothing closes it, so that the rest of the file would be one cell. Close it, or save the table again from the spreadsheet`,
      de: `Zeile ${line}: Ein Anführungszeichen öffnet eine Zelle, und nichts schließt sie, sodass der Rest der Datei eine einzige Zelle wäre. Schließen Sie sie, oder speichern Sie die Tabelle noch einmal`,
    };
    throw new AppError("invalid", message);
  }
  if (row.length > COLUMNS_MAX && row.slice(COLUMNS_MAX).some((cell) => cell.trim() !== "")) {
    throw new AppError("invalid", {
      en: `Line ${line} has more than ${COLUMNS_MAX} cells`,
      de: `Zeile ${line} hat mehr als ${COLUMNS_MAX} Zellen`,
    });
  }
  if (row.every((cell) => cell.trim() === "")) return null;
  const problems = isOddlyQuoted ? [ODD_QUOTE] : [];
  return { line, cells: row.slice(0, COLUMNS_MAX), problems };
}

function tooLong(line: number): AppError {
  const limit = ROW_CHARACTERS_MAX / 1024 / 1024;
  const message = {
    en: `Line ${line} is longer than ${limit} million characters. Is a quotation mark not closed, or is this not a table?`,
    de: `Zeile ${line} ist länger als ${limit} Millionen Zeichen. Ist ein Anführungszeichen nicht geschlossen, oder ist das keine Tabelle?`,
  };
  return new AppError("invalid", message);
}

function countLineBreaks(text: string, start: number, end: number): number {
  let breaks = 0;
  for (let at = text.indexOf("\n", start); at !== -1 && at < end; at = text.indexOf("\n", at + 1)) {
    breaks += 1;
  }
  return breaks;
}
