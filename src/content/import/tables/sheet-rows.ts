import { AppError } from "../../../errors.ts";
import { isoDateOfSerial } from "./dates.ts";
import type { XmlEventHandlers } from "./office-parts.ts";
import {
  COLUMNS_MAX,
  columnLetters,
  ROW_CHARACTERS_MAX,
  type RowProblem,
  type TableRow,
} from "./table.ts";

/** The number of rows that spreadsheet programs allow. */
const ROWS_MAX = 1_048_576;
/** Number of rows at the start of a sheet that are treated as possible headings. */
const HEADING_ROWS_MAX = 10;

/** Data that the cells of a sheet refer to. It is read from the workbook before the rows of the sheet. */
export interface SheetContext {
  strings: readonly string[];
  dateStyles: ReadonlySet<number>;
  isFrom1904: boolean;
  /** The merged ranges, sorted by first row. */
  merges: readonly MergedCells[];
}

/** A range of merged cells, with indexes from 0. Only its first cell has a value. */
export interface MergedCells {
  fromRow: number;
  toRow: number;
  fromColumn: number;
  toColumn: number;
}

interface Cell {
  at: number;
  type: string;
  style: number;
  hasFormula: boolean;
  value: string;
}

/**
 * Collects the rows of a sheet while its XML is read. Uses the values that the spreadsheet program
 * stored, and computes no formulas.
 */
export class SheetReader implements XmlEventHandlers {
  readonly #context: SheetContext;
  #found: TableRow[] = [];
  #cells: string[] = [];
  #problems: RowProblem[] = [];
  #rowAt = -1;
  #cell: Cell | null = null;
  #isValue = false;
  #isPhonetic = false;
  #characters = 0;
  /** Number of merged ranges that begin at or before the current row. */
  #mergesBegun = 0;
  /** The merged ranges that include the current row, each with its value. */
  readonly #openMerges = new Map<MergedCells, string>();

  constructor(context: SheetContext) {
    this.#context = context;
  }

  /** Returns the rows found since the last call. */
  takeRows(): TableRow[] {
    const found = this.#found;
    this.#found = [];
    return found;
  }

  onOpen(name: string, attributes: Readonly<Record<string, string>>): void {
    if (name === "row") this.#beginRow(attributes["r"]);
    else if (name === "c") this.#cell = this.#cellOf(attributes);
    else if (name === "f" && this.#cell !== null) this.#cell.hasFormula = true;
    else if (name === "v" || name === "t") this.#isValue = !this.#isPhonetic;
    else if (name === "rPh") this.#isPhonetic = true;
  }

  onText(text: string): void {
    if (!this.#isValue || this.#cell === null) return;
    this.#characters += text.length;
    if (this.#characters > ROW_CHARACTERS_MAX) {
      throw new AppError("invalid", {
        en: `Row ${this.#rowAt + 1} is longer than 4 million characters`,
        de: `Zeile ${this.#rowAt + 1} ist länger als 4 Millionen Zeichen`,
      });
    }
    this.#cell.value += text;
  }

  onClose(name: string): void {
    if (name === "v" || name === "t") this.#isValue = false;
    else if (name === "rPh") this.#isPhonetic = false;
    else if (name === "c") this.#endCell();
    else if (name === "row") this.#endRow();
  }

  #beginRow(raw: string | undefined): void {
    this.#rowAt = raw === undefined ? this.#rowAt + 1 : Number(raw) - 1;
    if (!(this.#rowAt < ROWS_MAX)) {
      throw new AppError("invalid", {
        en: `The sheet has more than ${ROWS_MAX} rows; split it`,
        de: `Das Tabellenblatt hat mehr als ${ROWS_MAX} Zeilen: Teilen Sie es auf`,
      });
    }
    this.#cells = [];
    this.#problems = [];
    this.#characters = 0;
  }

  #cellOf(attributes: Readonly<Record<string, string>>): Cell {
    const letters = /^[A-Z]+/.exec(attributes["r"] ?? "")?.[0];
    const at = letters === undefined ? this.#cells.length : columnIndexOf(letters);
    const { t: type = "n", s: style = "0" } = attributes;
    return { at, type, style: Number(style), hasFormula: false, value: "" };
  }

  #endCell(): void {
    const cell = this.#cell;
    this.#cell = null;
    if (cell === null) return;
    const value = this.#textOf(cell);
    if (value === "") return;
    if (cell.at >= COLUMNS_MAX) {
      throw new AppError("invalid", {
        en: `Row ${this.#rowAt + 1} has more than ${COLUMNS_MAX} cells`,
        de: `Zeile ${this.#rowAt + 1} hat mehr als ${COLUMNS_MAX} Zellen`,
      });
    }
    while (this.#cells.length < cell.at) this.#cells.push("");
    this.#cells[cell.at] = value;
  }

  #textOf({ at, type, style, hasFormula, value }: Cell): string {
    const name = `${columnLetters(at)}${this.#rowAt + 1}`;
    if (type === "e") {
      const message = {
        en: `the cell ${name} shows the error ${value}; it is left empty`,
        de: `die Zelle ${name} zeigt den Fehler ${value}; sie bleibt leer`,
      };
      this.#problems.push({ message, severity: "error" });
      return "";
    }
    if (hasFormula && value === "") {
      const message = {
        en: `the cell ${name} has a formula without a computed value; open and save the file in a spreadsheet`,
        de: `die Zelle ${name} hat eine Formel ohne berechneten Wert; öffnen und speichern Sie die Datei in einer Tabellenkalkulation`,
      };
      this.#problems.push({ message, severity: "error" });
      return "";
    }
    if (type === "s") return this.#context.strings[Number(value)] ?? "";
    if (type === "b") return value === "1" ? "true" : "false";
    if (type === "inlineStr" || type === "str" || type === "d") return decodeSheetEscapes(value);
    return this.#numberText(value, style);
  }

  #numberText(value: string, style: number): string {
    const number = Number(value);
    if (value === "" || Number.isNaN(number)) return value;
    const date = this.#context.dateStyles.has(style)
      ? isoDateOfSerial(number, this.#context.isFrom1904)
      : null;
    // Spreadsheets keep 15 digits; further digits are rounding errors, as in 0.1 + 0.2.
    return date ?? String(Number(number.toPrecision(15)));
  }

  #endRow(): void {
    this.#fillMerged();
    if (this.#cells.some((cell) => cell.trim() !== "")) {
      const cells = Array.from(this.#cells, (cell) => cell ?? "");
      this.#found.push({ line: this.#rowAt + 1, cells, problems: this.#problems });
    }
  }

  /** Copies the value of merged cells to each row of the range and, in headings, to each column. */
  #fillMerged(): void {
    const { merges } = this.#context;
    for (const merged of this.#openMerges.keys()) {
      if (merged.toRow < this.#rowAt) this.#openMerges.delete(merged);
    }
    for (
      let next = merges[this.#mergesBegun];
      next !== undefined;
      next = merges[this.#mergesBegun]
    ) {
      if (next.fromRow > this.#rowAt) break;
      this.#mergesBegun += 1;
      if (this.#isUsable(next)) this.#openMerges.set(next, "");
    }
    for (const [merged, carried] of this.#openMerges) {
      const value =
        this.#rowAt === merged.fromRow ? (this.#cells[merged.fromColumn] ?? "") : carried;
      if (value !== "") {
        this.#openMerges.set(merged, value);
        this.#fill(merged, value);
      }
    }
  }

  /**
   * Whether a merged range begins within the columns that are read and overlaps no other range.
   * Only a hostile file has overlapping ranges, which could fill each row thousands of times.
   */
  #isUsable({ fromColumn, toColumn, toRow }: MergedCells): boolean {
    if (toRow < this.#rowAt || fromColumn >= COLUMNS_MAX) return false;
    return ![...this.#openMerges.keys()].some(
      (other) => other.fromColumn <= toColumn && fromColumn <= other.toColumn,
    );
  }

  #fill({ fromRow, fromColumn, toColumn }: MergedCells, value: string): void {
    const last = fromRow < HEADING_ROWS_MAX ? Math.min(toColumn, COLUMNS_MAX - 1) : fromColumn;
    for (let at = fromColumn; at <= last; at += 1) {
      while (this.#cells.length <= at) this.#cells.push("");
      if (this.#cells[at] === "") this.#cells[at] = value;
    }
  }
}

/** The index of a column by its letters: `A` is 0. */
export function columnIndexOf(letters: string): number {
  let position = 0;
  for (const letter of letters) position = position * 26 + letter.charCodeAt(0) - 64;
  return position - 1;
}

/** Decodes escapes such as `_x000D_`, which spreadsheets use for characters that XML does not allow. */
export function decodeSheetEscapes(text: string): string {
  return text.includes("_x")
    ? text.replace(/_x([0-9A-F]{4})_/gi, (_all, hex) =>
        String.fromCharCode(Number.parseInt(hex, 16)),
      )
    : text;
}
