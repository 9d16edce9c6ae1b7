import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type CommandLine, openCommandLine } from "./command-line.ts";

const FIXTURE = join(import.meta.dirname, "fixture");

/** A site with content and a file, for tests of backups. */
export async function filledSite(environment: Record<string, string> = {}): Promise<CommandLine> {
  const line = openCommandLine(environment);
  assert.equal((await line.run("import", FIXTURE)).code, 0);
  const media = join(line.folder, "data/media");
  mkdirSync(media, { recursive: true });
  writeFileSync(join(media, `${"a".repeat(32)}.png`), "bytes");
  return line;
}

/** All content of a site, as JSON lines. */
export async function exportedLines(line: CommandLine): Promise<string> {
  const file = join(line.folder, "all.jsonl");
  assert.equal((await line.run("export", file)).code, 0);
  return readFileSync(file, "utf8");
}
