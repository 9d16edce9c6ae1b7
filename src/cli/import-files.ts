import { type Dirent, lstatSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, extname, join, relative, sep } from "node:path";
import { isMarkdownFile } from "../content/import/file-path.ts";
import { decodedUtf8 } from "../content/import/lines.ts";
import { AppError } from "../errors.ts";

/** The files to import from one path on the command line. */
export interface ImportFiles {
  /** Folder that Markdown file names are relative to. */
  root: string;
  /** `site.yaml` and the files of `types/`, when the path is a site folder. */
  siteFile: string | null;
  typeFiles: readonly string[];
  /** Relative to the root, separated by `/`, sorted. */
  content: readonly string[];
  bytes: number;
  /** Number of skipped files by extension. */
  leftOut: ReadonlyMap<string, number>;
}

const LINES_ENDINGS: ReadonlySet<string> = new Set([".jsonl", ".ndjson"]);
const FOLDERS_LEFT_OUT: ReadonlySet<string> = new Set(["node_modules", "_site"]);

/**
 * Finds the files to import: a site folder (with `site.yaml`), a folder of Markdown and JSONL files, or one
 * such file.
 *
 * @throws {AppError} `invalid` when the path is missing or is another kind of file.
 */
export function findImportFiles(path: string): ImportFiles {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) throw new AppError("invalid", `Cannot import ${path}: it does not exist`);
  if (!stat.isDirectory()) return oneFile(path, stat.size);
  const siteFile = join(path, "site.yaml");
  const isSite = lstatSync(siteFile, { throwIfNoEntry: false })?.isFile() === true;
  const root = isSite ? join(path, "content") : path;
  const found = isSite ? filesIn(path, "content") : filesBelow(root);
  const content = found.filter(isContent);
  return {
    root,
    siteFile: isSite ? siteFile : null,
    typeFiles: isSite ? filesIn(path, "types").map((file) => join(path, "types", file)) : [],
    content,
    bytes: content.reduce((bytes, file) => bytes + statSync(join(root, file)).size, 0),
    leftOut: countByEnding(found.filter((file) => !isContent(file))),
  };
}

/** JSON lines rather than Markdown. */
export function isLinesFile(file: string): boolean {
  return LINES_ENDINGS.has(extname(file).toLowerCase());
}

const FILE_BYTES_MAX = 4 * 1024 * 1024;

/** The text of a file, or why it cannot be read. */
export function readText(path: string): { text: string } | { fault: string } {
  if (statSync(path).size > FILE_BYTES_MAX) return { fault: "is longer than 4 MiB" };
  const text = decodedUtf8(readFileSync(path));
  return text === null ? { fault: "is not UTF-8" } : { text };
}

function oneFile(path: string, bytes: number): ImportFiles {
  if (!isContent(path)) {
    const message = `Cannot import ${path}: give a folder, a Markdown file (.md) or JSON lines (.jsonl)`;
    throw new AppError("invalid", message);
  }
  return {
    root: dirname(path),
    siteFile: null,
    typeFiles: [],
    content: [basename(path)],
    bytes,
    leftOut: new Map(),
  };
}

function isContent(file: string): boolean {
  return isMarkdownFile(file) || isLinesFile(file);
}

/** Empty if the folder is missing or a symbolic link. */
function filesIn(site: string, folder: string): string[] {
  const place = join(site, folder);
  const isFolder = lstatSync(place, { throwIfNoEntry: false })?.isDirectory() === true;
  return isFolder ? filesBelow(place) : [];
}

/** Skips hidden files, and symbolic links so that an import never leaves its folder. */
function filesBelow(root: string): string[] {
  const entries = statSync(root, { throwIfNoEntry: false })?.isDirectory()
    ? readdirSync(root, { withFileTypes: true, recursive: true })
    : [];
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relativePath(root, entry))
    .filter((file) => file.split("/").every((part) => !isLeftOut(part)))
    .sort();
}

function relativePath(root: string, entry: Dirent): string {
  return relative(root, join(entry.parentPath, entry.name)).split(sep).join("/");
}

function isLeftOut(part: string): boolean {
  return part.startsWith(".") || FOLDERS_LEFT_OUT.has(part);
}

function countByEnding(files: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const file of files) {
    const ending = extname(file).toLowerCase() || basename(file);
    counts.set(ending, (counts.get(ending) ?? 0) + 1);
  }
  return counts;
}
