import { readdirSync, statSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join, sep } from "node:path";
import type { FiledProblem } from "../content/import/import-items.ts";
import type { WordLosses } from "../content/import/word/word-parts.ts";
import type { LeftOut } from "../content/import/wordpress/wordpress-plan.ts";
import { AppError, type Wording } from "../errors.ts";
import { makeTemporaryFolder } from "../files/temporary-folder.ts";
import { unpackZip } from "../files/zip-unpacking.ts";
import { findImportFiles, type ImportFiles } from "./import-files.ts";
import { isWordDocument, unpackWord } from "./word/unpack-word.ts";

const ZIP = /\.zip$/i;
/** What macOS adds beside the files. */
const ADDED = "__MACOSX";

/** What is imported in the place of the paths that were named. */
interface Unpacked extends AsyncDisposable {
  sources: readonly ImportFiles[];
  /** What documents hold and is not taken in. */
  leftOut: readonly LeftOut[];
  /** Documents that cannot be read. */
  problems: readonly FiledProblem[];
  /** A text with the names of archives in the place of the temporary folders they were unpacked into. */
  shown(text: string): string;
}

/**
 * Finds the files to import, with a temporary folder in the place of each ZIP and Word document. A document
 * that cannot be read costs only itself.
 *
 * @throws {AppError} `invalid` if a path is none that can be imported, or a ZIP cannot be unpacked.
 */
export async function unpackSources(paths: readonly string[]): Promise<Unpacked> {
  await using opened = new AsyncDisposableStack();
  const isPacked = paths.some((path) => isArchive(path) || isDocument(path));
  const temporary = isPacked ? opened.use(await makeTemporaryFolder()).path : "";
  const sources: ImportFiles[] = [];
  const leftOut: LeftOut[] = [];
  const problems: FiledProblem[] = [];
  for (const [at, path] of paths.entries()) {
    const folder = join(temporary, String(at));
    if (isDocument(path)) {
      const read = await unpackWord(path, folder).catch(faultOf);
      if ("fault" in read) problems.push({ ...NOWHERE, file: path, message: read.fault });
      else {
        sources.push({ ...findImportFiles(read.file), shownAs: path });
        leftOut.push(...leftOutOf(read.leftOut, path));
      }
    } else if (isArchive(path)) {
      await mkdir(folder, { mode: 0o700 });
      await unpackZip(path, folder);
      sources.push(findImportFiles(innermost(folder)));
    } else sources.push(findImportFiles(path));
  }
  const owned = opened.move();
  const shown = (text: string) => (isPacked ? namesOfArchives(text, { temporary, paths }) : text);
  return { sources, leftOut, problems, shown, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

function namesOfArchives(
  text: string,
  { temporary, paths }: { temporary: string; paths: readonly string[] },
): string {
  if (!text.includes(temporary)) return text;
  const parts = text.split(`${temporary}${sep}`);
  return parts
    .map((part, at) =>
      at === 0 ? part : part.replace(/^\d+/, (number) => paths[Number(number)] ?? number),
    )
    .join("");
}

const NOWHERE = { line: 1, field: "", severity: "error" } as const;

/** Other failures, such as a full disk, end the import. */
function faultOf(error: unknown): { fault: Wording } {
  if (error instanceof AppError && error.code === "invalid") return { fault: error.wording };
  throw error;
}

function leftOutOf(losses: WordLosses, path: string): LeftOut[] {
  const reason = {
    en: `Markdown has no form for them (${path})`,
    de: `dafür gibt es hier keine Form (${path})`,
  };
  return losses.all().map(({ what, count }) => ({
    what,
    count,
    reason,
    isContent: what.en !== "comments",
  }));
}

function isDocument(path: string): boolean {
  return isWordDocument(path) && statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

function isArchive(path: string): boolean {
  return ZIP.test(path) && statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

/** Most programs put the whole folder into the archive, not only what is in it. */
function innermost(folder: string): string {
  const entries = readdirSync(folder, { withFileTypes: true }).filter(({ name }) => name !== ADDED);
  const [only, ...more] = entries;
  return only?.isDirectory() === true && more.length === 0 ? join(folder, only.name) : folder;
}
