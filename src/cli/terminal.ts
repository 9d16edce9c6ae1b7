import { once } from "node:events";
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
  /** Bytes as they are; resolves when there is room for more. */
  write(bytes: Uint8Array): Promise<void>;
  /** Is somebody watching, so that a progress bar makes sense? */
  isInteractive: boolean;
}

export const processTerminal: Terminal = {
  out: (line) => process.stdout.write(`${line}\n`),
  err: (line) => process.stderr.write(`${line}\n`),
  async write(bytes) {
    if (!process.stdout.write(bytes)) await once(process.stdout, "drain");
  },
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

/** Names and what stands for them, one below the other; what is empty is left out. */
export function factLines(facts: readonly (readonly [name: string, value: string])[]): string[] {
  const said = facts.filter(([, value]) => value !== "");
  const width = Math.max(...said.map(([name]) => name.length));
  return said.map(([name, value]) => `${name.padEnd(width)}  ${value}`);
}
