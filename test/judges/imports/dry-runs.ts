import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type CommandLine, openSiteLine } from "../../support/command-line.ts";
import type { Verdict } from "../verdict.ts";
import { writeGeneratedFolder } from "./generated-folder.ts";

/** Folders imported into one site, so that later ones meet items that are there. */
const FOLDERS_PER_SITE = 5;
const OPTIONS = [[], ["--publish"], ["--lenient"], ["--lenient", "--publish"], ["--draft"]];

/** What came of a folder. */
interface Pair {
  created: number;
  failed: number;
  /** Whether the whole folder was, for a fault in its description of the site. */
  isRefused: boolean;
  hasWritten: boolean;
  /** Null: none. */
  difference: string | null;
}

/** Compares the report of each dry run with that of the import after it, and the site's files before and after. */
export async function judgeDryRuns(folders: number): Promise<Verdict[]> {
  const pairs: Pair[] = [];
  for (let first = 0; first < folders; first += FOLDERS_PER_SITE) {
    using line = await openSiteLine();
    for (let seed = first; seed < Math.min(folders, first + FOLDERS_PER_SITE); seed += 1) {
      pairs.push(await importTwice(line, seed));
    }
  }
  const sum = (count: (pair: Pair) => number) =>
    pairs.reduce((before, pair) => before + count(pair), 0);
  const [created, failed] = [sum((pair) => pair.created), sum((pair) => pair.failed)];
  const counts = `${folders} folders, ${sum((pair) => Number(pair.isRefused))} refused: ${created} items created, ${failed} failed`;
  const different = pairs.filter(({ difference }) => difference !== null);
  const writing = pairs.filter(({ hasWritten }) => hasWritten);
  return [
    {
      what: "a dry run says what the import does",
      passed: different.length === 0 && created > 0 && failed > 0,
      detail: `${counts}; ${different.length} differ ${different[0]?.difference ?? ""}`,
    },
    {
      what: "a dry run writes nothing",
      passed: writing.length === 0,
      detail: `${counts}; ${writing.length} wrote to the site's files`,
    },
  ];
}

/** A dry run of a generated folder, and then its import. */
async function importTwice(line: CommandLine, seed: number): Promise<Pair> {
  const folder = join(line.folder, "given");
  writeGeneratedFolder(folder, seed);
  const words = ["import", folder, "--json", ...(OPTIONS[seed % OPTIONS.length] ?? [])];
  const before = filesOf(line);
  const tried = await line.run(...words, "--dry-run");
  const hasWritten = filesOf(line) !== before;
  const done = await line.run(...words);
  const isSame =
    tried.code === done.code &&
    tried.err === done.err &&
    tried.out === done.out.replace('"dryRun":false', '"dryRun":true');
  const report = done.out === "" ? null : JSON.parse(done.out);
  return {
    created: report?.created ?? 0,
    failed: report?.failed ?? 0,
    isRefused: report === null,
    hasWritten,
    difference: isSame ? null : `in folder ${seed}: ${firstDifference(tried.out, done.out)}`,
  };
}

/** Names and content of all files of the site. */
function filesOf(line: CommandLine): string {
  const data = line.environment["DATA_DIR"] ?? "";
  return readdirSync(data, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((path) => `${path} ${readFileSync(path).toString("base64")}`)
    .join("\n");
}

function firstDifference(tried: string, done: string): string {
  const at = [...tried].findIndex((character, place) => character !== done[place] && place > 20);
  return `${tried.slice(Math.max(0, at - 60), at + 60)} | ${done.slice(Math.max(0, at - 60), at + 60)}`;
}
