import type { Config } from "../config.ts";

/** What every command is given. */
export interface CommandContext {
  config: Config;
  terminal: Terminal;
  /** Do npm and a shell of its stand between us and whoever started the command? */
  isRunByNpm: boolean;
}

/** Where a command writes; a line a call. */
export interface Terminal {
  out(line: string): void;
  err(line: string): void;
  /** Is somebody watching, so that a progress bar makes sense? */
  isInteractive: boolean;
}

export const processTerminal: Terminal = {
  out: (line) => process.stdout.write(`${line}\n`),
  err: (line) => process.stderr.write(`${line}\n`),
  isInteractive: process.stderr.isTTY === true && process.stdout.isTTY === true,
};

/** Columns padded to their widest cell; the first row is the heading. */
export function tableLines(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  return rows.map((row) =>
    row
      .map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0)))
      .join("  ")
      .trimEnd(),
  );
}
