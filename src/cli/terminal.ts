import { once } from "node:events";
import type { Config } from "../config.ts";

/** Arguments of every command. */
export interface CommandContext {
  config: Config;
  terminal: Terminal;
  /** The npm script that started this command, such as `start`; `npx` if npx started it. */
  npmScript: string | undefined;
}

/** Output of a command; `out` and `err` write one line. */
export interface Terminal {
  out(line: string): void;
  err(line: string): void;
  /** Writes bytes unchanged; resolves when the stream accepts more. */
  write(bytes: Uint8Array): Promise<void>;
  /** Whether output goes to a terminal, where a progress bar makes sense. */
  isInteractive: boolean;
}

export const stdioTerminal: Terminal = {
  out: (line) => process.stdout.write(`${line}\n`),
  err: (line) => process.stderr.write(`${line}\n`),
  async write(bytes) {
    if (!process.stdout.write(bytes)) await once(process.stdout, "drain");
  },
  isInteractive: process.stderr.isTTY === true && process.stdout.isTTY === true,
};

/**
 * The rows of a table as lines, with every column padded to its widest cell. The first row sets the
 * number of columns.
 */
export function formatTableLines(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    rows.reduce((width, row) => Math.max(width, row[column]?.length ?? 0), 0),
  );
  return rows.map((row) =>
    row
      .map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0)))
      .join("  ")
      .trimEnd(),
  );
}

/** One line for each name and its value; the values are aligned. Leaves out empty values. */
export function formatNameValueLines(
  facts: readonly (readonly [name: string, value: string])[],
): string[] {
  const filled = facts.filter(([, value]) => value !== "");
  const width = Math.max(...filled.map(([name]) => name.length));
  return filled.map(([name, value]) => `${name.padEnd(width)}  ${value}`);
}
