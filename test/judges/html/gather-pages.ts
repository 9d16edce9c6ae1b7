import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import type { PageSource } from "./sources.ts";

/** Imported at once, so that what repeats over a site's pages can be seen. */
const PAGES_IMPORTED = 12;
/** Shorter files are lists, frames or redirects. */
const PAGE_BYTES_MIN = 2000;
const PAGE_BYTES_MAX = 150_000;

/** Copies a dozen pages of a package to a folder, the same ones each time. Returns their names. */
export function gatherPages(
  source: PageSource,
  { cache, to }: { cache: string; to: string },
): string[] {
  const folder = join(unpacked(source, cache), source.folder);
  const names = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.html?$/.test(entry.name))
    .map(({ name }) => name)
    .filter((name) => isPage(join(folder, name)))
    .sort();
  const chosen = evenly(names, PAGES_IMPORTED);
  mkdirSync(to, { recursive: true });
  for (const name of chosen) cpSync(join(folder, name), join(to, name), { dereference: true });
  return chosen;
}

function isPage(path: string): boolean {
  const bytes = readFileSync(path);
  const isOnlyLeadingOn = /http-equiv=["']?refresh/i.test(bytes.toString("latin1"));
  return bytes.length >= PAGE_BYTES_MIN && bytes.length <= PAGE_BYTES_MAX && !isOnlyLeadingOn;
}

/** Members of a list at even distances. */
export function evenly<T>(list: readonly T[], count: number): T[] {
  const step = Math.max(1, list.length / count);
  return Array.from({ length: Math.min(count, list.length) }, (_, at) =>
    Math.floor(at * step),
  ).flatMap((at) => list.slice(at, at + 1));
}

/** The folder of an unpacked package, which is fetched if the cache lacks it. */
function unpacked({ registry, package: name }: PageSource, cache: string): string {
  const folder = join(cache, name);
  if (existsSync(folder)) return folder;
  const work = join(cache, `${name}.part`);
  mkdirSync(work, { recursive: true });
  if (registry === "debian") {
    run("apt-get", ["download", "-q", name], work);
    run("dpkg-deb", ["-x", fileIn(work, ".deb"), "files"], work);
  } else {
    run("npm", ["pack", "--silent", name], work);
    run("tar", ["-xzf", fileIn(work, ".tgz")], work);
    renameSync(join(work, "package"), join(work, "files"));
  }
  renameSync(join(work, "files"), folder);
  return folder;
}

function fileIn(folder: string, ending: string): string {
  const name = readdirSync(folder).find((each) => each.endsWith(ending));
  if (name === undefined) throw new Error(`No ${ending} file came to ${folder}`);
  return name;
}

function run(program: string, words: readonly string[], cwd: string): void {
  const { status, stderr, error } = spawnSync(program, words, { cwd, encoding: "utf8" });
  if (status === 0) return;
  throw new Error(`${program} ${words.join(" ")}: ${error?.message ?? stderr.trim()}`);
}
