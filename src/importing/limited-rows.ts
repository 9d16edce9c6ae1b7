import type { TableRow } from "../content/import/tables/table.ts";
import { AppError } from "../errors.ts";

/** Limits the memory for detecting duplicate rows to about 50 MB. */
const ROWS_MAX = 100_000;
/** Limits processing time: even a small workbook can refer to one long text from every cell. */
const CHARACTERS_MAX = 256 * 1024 * 1024;

/**
 * Limits the rows of a table to protect the server.
 *
 * @throws {AppError} `invalid` beyond the limits; the abort reason of `halt`.
 */
export async function* limitTableRows(
  rows: AsyncIterable<TableRow>,
  { halt, yieldBetween }: { halt: AbortSignal; yieldBetween: () => Promise<void> },
): AsyncGenerator<TableRow> {
  let count = 0;
  let characters = 0;
  for await (const row of rows) {
    halt.throwIfAborted();
    count += 1;
    characters += row.cells.reduce((sum, cell) => sum + cell.length, 0);
    if (count > ROWS_MAX || characters > CHARACTERS_MAX) {
      const millions = CHARACTERS_MAX / 1024 / 1024;
      const message = {
        en: `The table has more than ${ROWS_MAX} rows or ${millions} million characters; split it, or import it with the command line`,
        de: `Die Tabelle hat mehr als ${ROWS_MAX} Zeilen oder ${millions} Millionen Zeichen: Teilen Sie sie auf, oder bitten Sie, wer den Server betreibt, sie einzuspielen`,
      };
      throw new AppError("invalid", message);
    }
    yield row;
    await yieldBetween();
  }
}
