import { AppError } from "../../../../errors.ts";
import { isClippingsFile, openClippings } from "../clippings.ts";
import { openDelimited } from "../delimited.ts";
import type { Table } from "../table.ts";
import { openWorkbook } from "../workbook.ts";

/** A file with a table, which is read more than once. */
export interface TableSource {
  /** The file's name as messages show it. */
  file: string;
  /** Path of the file on this machine. */
  path(): Promise<string>;
  bytes(): AsyncIterable<Uint8Array>;
}

export interface OpenTable extends Table, AsyncDisposable {
  /** Whether the file stores all cells of a row, including empty ones at the end. */
  hasAllCells: boolean;
  sheet: string | null;
  /** Names of the sheets of a workbook. */
  sheets: readonly string[];
}

/** The first bytes of XLSX files, which are ZIP archives, in hexadecimal. */
const ZIP_SIGNATURE = "504b0304";
/** The first bytes of XLS files, in hexadecimal. */
const OLD_WORKBOOK = "d0cf11e0";
const WORKBOOK_NAME = /\.xls[xm]?$/i;

/**
 * Opens a table as a workbook, as clippings or as text, depending on its bytes.
 *
 * @param sheet name of a sheet of a workbook; absent: the first visible one.
 * @throws {AppError} `invalid` if the file is damaged or too large, or is not a table.
 */
export async function openTable(
  { file, path, bytes }: TableSource,
  sheet: string | undefined,
): Promise<OpenTable> {
  const signature = await readSignature(bytes());
  if (signature === OLD_WORKBOOK) {
    const message = {
      en: `Cannot read ${file}: it is a spreadsheet in an older format; save it as .xlsx or .csv`,
      de: `${file} ist eine Tabelle in einem älteren Format: Speichern Sie sie als .xlsx oder .csv`,
    };
    throw new AppError("invalid", message);
  }
  if (signature === ZIP_SIGNATURE || WORKBOOK_NAME.test(file)) {
    const workbook = await openWorkbook(await path(), sheet);
    return { ...workbook, hasAllCells: false };
  }
  const table = await ((await isClippingsFile(bytes()))
    ? openClippings(bytes)
    : openDelimited(bytes));
  const noSheets = { sheet: null, sheets: [], [Symbol.asyncDispose]: async () => {} };
  return { ...table, ...noSheets, hasAllCells: true };
}

async function readSignature(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  let start = Buffer.alloc(0);
  for await (const piece of bytes) {
    start = Buffer.concat([start, piece.subarray(0, 4)]);
    if (start.length >= 4) break;
  }
  return start.toString("hex", 0, 4);
}
