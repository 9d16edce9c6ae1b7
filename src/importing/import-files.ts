import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isHtmlFile, isMarkdownFile, isTableFile } from "../content/import/file-path.ts";
import { decodeUtf8, NOT_UTF8_MESSAGE, tooLongMessage } from "../content/import/lines.ts";
import { isRedirectList } from "../content/import/redirects/redirect-list.ts";
import { TEXT_FILE_BYTES_MAX } from "../content/import/streams/any-encoding.ts";
import { AppError, englishOnlyWording, type Wording } from "../errors.ts";
import {
  EXPORTED_DELETIONS_FILE,
  EXPORTED_ITEMS_FILE,
  REDIRECTS_FILE_PATTERN,
  SITE_SETTINGS_FILE,
  THEME_FILE,
} from "../transfer/site-files.ts";
import { readFileHead } from "./file-head.ts";
import {
  type FolderFiles,
  isPlainFile,
  isPlainFolder,
  listFiles,
  listFilesInSubfolder,
} from "./folders/folder-files.ts";
import { findUnlinkedFiles } from "./linked-downloads.ts";
import { isBibliography } from "./read-references.ts";
import { describeSkippedFile, describeUnreadFile, type UnreadFile } from "./unimported-files.ts";
import { isWordDocument } from "./word/unpack-word.ts";
import { isCmsExport } from "./wordpress/export-files.ts";

/** The files to import from one path of the command line. */
export interface ImportFiles {
  /** The folder to which the names of Markdown files are relative. */
  root: string;
  /** The name of the file that the content was converted from, for messages. */
  displayName?: string;
  isFolder: boolean;
  /** Whether this is a site folder of this service, with `site.yaml` and `content/`. */
  isSiteFolder: boolean;
  /**
   * Path of the folder's `site.yaml`; null: there is none. `themeFile` is the path of its `theme.css`, and
   * `typeFiles` are the paths of its files in `types/`.
   */
  siteFile: string | null;
  themeFile: string | null;
  typeFiles: readonly string[];
  /** Sorted paths of the texts and JSON Lines files, relative to the root, with `/` as separator. */
  content: readonly string[];
  /** Exports of WordPress, Ghost and MediaWiki; paths include the folder. */
  exports: readonly string[];
  /**
   * Tables (CSV, TSV, XLSX); paths include the folder. Empty for a folder: a table is imported only if its
   * own path is given.
   */
  tables: readonly string[];
  /** Bibliographies (BibTeX, RIS, CSL-JSON); paths include the folder. */
  references: readonly string[];
  /**
   * Paths of the Word documents in a folder, relative to the folder. Each document is unpacked to a source
   * of its own.
   */
  documents: readonly string[];
  /** Lists of redirects; paths include the folder. */
  redirectLists: readonly string[];
  /** All files below the root, relative to it. */
  files: readonly string[];
  bytes: number;
  /** Files that are neither content nor lists. They are left out, unless a text uses them. */
  otherFiles: readonly UnreadFile[];
}

const CONTENT_FOLDER = "content";
/** Matches `site.yaml` and the files that define types. */
const SETTINGS_FILES = /^(?:site\.yaml|types\/[^/]+\.ya?ml)$/;
/** Matches names of JSON Lines files, plain or gzipped. */
const LINES_FILE = /\.(?:jsonl|ndjson)(?:\.gz)?$/i;

/**
 * Finds the files to import at a path: a site folder (with `site.yaml`), another folder, or a
 * single file.
 *
 * @param yieldBetween called between files to yield to the event loop.
 * @throws {AppError} `invalid` when the path is missing or is another kind of file.
 */
export async function findImportFiles(
  path: string,
  yieldBetween?: () => Promise<void>,
): Promise<ImportFiles> {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined)
    throw new AppError("invalid", englishOnlyWording(`Cannot import ${path}: it does not exist`));
  if (!stat.isDirectory()) return oneFile(path, stat.size);
  const siteFile = join(path, SITE_SETTINGS_FILE);
  const hasSiteFile = isPlainFile(siteFile);
  const {
    root,
    isSiteFolder,
    files: found,
    skipped,
  } = hasSiteFile
    ? await contentOfSite(path, yieldBetween)
    : { root: path, isSiteFolder: false, ...(await listFiles(path, yieldBetween)) };
  const content = found.filter(isContentFile);
  const { lists, exports, bibliographies } = await filesByKind(root, found, yieldBetween);
  const texts = content.filter((file) => !isJsonLinesFile(file));
  const options = { texts, ...(yieldBetween === undefined ? {} : { yieldBetween }) };
  const references = await findUnlinkedFiles(root, bibliographies, options);
  const documents = await findUnlinkedFiles(root, found.filter(isWordDocument), options);
  const others = new Set([...lists, ...exports, ...references, ...documents]);
  let bytes = 0;
  for (const file of [...content, ...exports, ...references]) {
    await yieldBetween?.();
    bytes += statSync(join(root, file)).size;
  }
  const inTypes = hasSiteFile
    ? (await listFilesInSubfolder(path, "types", yieldBetween)).files
    : [];
  const typeFiles = inTypes
    .map((file) => `types/${file}`)
    .filter((file) => isSiteFolder || SETTINGS_FILES.test(file));
  const themeFile = join(path, THEME_FILE);
  const siteRedirects = isSiteFolder ? siteRedirectsIn(path) : [];
  return {
    root,
    isFolder: true,
    isSiteFolder,
    siteFile: hasSiteFile ? siteFile : null,
    // If the texts were written for another program, `theme.css` belongs to that program too.
    themeFile: hasSiteFile && isSiteFolder && isPlainFile(themeFile) ? themeFile : null,
    typeFiles: typeFiles.map((file) => join(path, file)),
    content,
    exports: exports.map((file) => join(root, file)),
    tables: [],
    references: references.map((file) => join(root, file)),
    documents,
    redirectLists: [...siteRedirects, ...lists.map((file) => join(root, file))],
    files: found,
    bytes,
    otherFiles: [
      ...found
        .filter((file) => !isContentFile(file) && !others.has(file))
        .map((file) => describeUnreadFile(root, file)),
      ...skipped.map((entry) => describeSkippedFile(root, entry, isContentFile)),
    ],
  };
}

interface SiteContent extends FolderFiles {
  root: string;
  isSiteFolder: boolean;
}

/**
 * Finds the content files of a folder with `site.yaml`. They are the files in `content/`. Without
 * that folder, `site.yaml` was added to texts of another program, and all files except settings are
 * content. If `README.md` is the only text, no file is content.
 */
async function contentOfSite(
  path: string,
  yieldBetween: (() => Promise<void>) | undefined,
): Promise<SiteContent> {
  if (!isPlainFolder(join(path, CONTENT_FOLDER))) {
    const { files, skipped } = await listFiles(path, yieldBetween);
    const others = files.filter((file) => !SETTINGS_FILES.test(file));
    const texts = others.filter((file) => isMarkdownFile(file) || isHtmlFile(file));
    const hasTexts = texts.some((file) => !/^readme\.md$/i.test(file));
    if (hasTexts) return { root: path, isSiteFolder: false, files: others, skipped };
  }
  const own = await listFilesInSubfolder(path, CONTENT_FOLDER, yieldBetween);
  return { root: join(path, CONTENT_FOLDER), isSiteFolder: true, ...own };
}

function siteRedirectsIn(path: string): string[] {
  const names = readdirSync(path).filter((name) => REDIRECTS_FILE_PATTERN.test(name));
  return names.map((name) => join(path, name)).filter(isPlainFile);
}

/** Finds lists of redirects, exports and bibliographies, by their names and first bytes. */
async function filesByKind(
  root: string,
  files: readonly string[],
  yieldBetween: (() => Promise<void>) | undefined,
): Promise<Record<"lists" | "exports" | "bibliographies", string[]>> {
  const lists: string[] = [];
  const exports: string[] = [];
  const bibliographies: string[] = [];
  for (const file of files) {
    await yieldBetween?.();
    const path = join(root, file);
    if (isRedirectFile(path)) lists.push(file);
    if (isCmsExport(path)) exports.push(file);
    if (isBibliography(path)) bibliographies.push(file);
  }
  return { lists, exports, bibliographies };
}

/** Whether a site folder was written by an export, and therefore has all pages of its site. */
export function isSiteExport({ siteFile, content }: ImportFiles): boolean {
  const isExported = [EXPORTED_ITEMS_FILE, EXPORTED_DELETIONS_FILE].some((file) =>
    content.includes(file),
  );
  return siteFile !== null && isExported;
}

function isOldTable(path: string): boolean {
  return /\.(?:xls|ods|numbers|xlsb)$/i.test(path);
}

/** Whether a file has JSON lines, judging by its name. */
export function isJsonLinesFile(file: string): boolean {
  return LINES_FILE.test(file);
}

/** The text of a file, or the reason why it cannot be read. */
export function readUtf8Text(
  path: string,
  bytesMax: number = TEXT_FILE_BYTES_MAX,
): { text: string } | { fault: Wording } {
  if (statSync(path).size > bytesMax) return { fault: tooLongMessage(bytesMax / 1024 ** 2) };
  const text = decodeUtf8(readFileSync(path));
  return text === null ? { fault: NOT_UTF8_MESSAGE } : { text };
}

function oneFile(path: string, bytes: number): ImportFiles {
  const isList = isRedirectFile(path);
  const isExported = isCmsExport(path);
  const isTable = !isList && isTableFile(path);
  if (isOldTable(path)) {
    throw new AppError("invalid", {
      en: `Cannot import ${path}: it is a spreadsheet in another format; save it as .xlsx or .csv`,
      de: `${path} ist eine Tabelle in einem anderen Format: Speichern Sie sie als .xlsx oder .csv`,
    });
  }
  const isReferences = !isList && isBibliography(path);
  if (!isList && !isExported && !isTable && !isReferences && !isContentFile(path)) {
    const en = `Cannot import ${path}: give a folder, a Markdown file (.md), a page (.html), a folder as a .zip, a Word document (.docx), JSON lines (.jsonl), a table (.csv, .tsv, .xlsx), a bibliography (.bib, .ris, .json as CSL-JSON), an export of WordPress or MediaWiki (.xml) or Ghost (.json) or a list of redirects (.htaccess, _redirects, redirects.csv)`;
    const de = `${path} lässt sich nicht importieren. Möglich sind ein Ordner als .zip, eine Markdown-Datei (.md), eine Seite (.html), ein Word-Dokument (.docx), JSON-Zeilen (.jsonl), eine Tabelle (.csv, .tsv, .xlsx), ein Literaturverzeichnis (.bib, .ris, .json als CSL-JSON), ein Export von WordPress oder MediaWiki (.xml) oder Ghost (.json) und eine Liste von Weiterleitungen (.htaccess, _redirects, redirects.csv)`;
    throw new AppError("invalid", { en, de });
  }
  return {
    root: dirname(path),
    isFolder: false,
    isSiteFolder: false,
    siteFile: null,
    themeFile: null,
    typeFiles: [],
    content: isList || isExported || isTable || isReferences ? [] : [basename(path)],
    exports: isExported ? [path] : [],
    tables: isTable ? [path] : [],
    references: isReferences ? [path] : [],
    documents: [],
    redirectLists: isList ? [path] : [],
    files: [basename(path)],
    bytes,
    otherFiles: [],
  };
}

export function isContentFile(file: string): boolean {
  return isMarkdownFile(file) || isHtmlFile(file) || isJsonLinesFile(file);
}

/** Whether a file is a list of redirects, judged by its name or, if it is a table, by its beginning. */
function isRedirectFile(path: string): boolean {
  return isRedirectList(path, () =>
    Buffer.from(readFileHead(path), "latin1")
      .toString()
      .replace(/^\uFEFF/, ""),
  );
}
