import { readdirSync, statSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { deriveSitePath } from "../content/import/file-path.ts";
import type { FileProblem } from "../content/import/import-items.ts";
import type { WordOmissionCounter } from "../content/import/word/word-omissions.ts";
import type { OmittedRecords } from "../content/import/wordpress/wordpress-plan.ts";
import { AppError, type Wording } from "../errors.ts";
import { isOutOfSpace } from "../files/durable-files.ts";
import { makeTemporaryFolder } from "../files/temporary-folder.ts";
import { unpackZip } from "../files/zip-unpacking.ts";
import { findImportFiles, type ImportFiles, isContentFile } from "./import-files.ts";
import { describeSkippedFile } from "./unimported-files.ts";
import { isWordDocument, unpackWordDocument } from "./word/unpack-word.ts";

const ZIP_FILE = /\.zip$/i;
/** A folder that macOS adds to archives. */
const MACOS_FOLDER = "__MACOSX";

/** Files to import, with archives and documents unpacked into temporary folders. */
interface Unpacked extends AsyncDisposable {
  sources: readonly ImportFiles[];
  /** Parts that are left out of the imported documents. */
  leftOut: readonly OmittedRecords[];
  /** Documents that are not imported, and why. */
  problems: readonly FileProblem[];
  /** Replaces the names of temporary folders in a text by the names of the archives. */
  withArchiveNames(text: string): string;
}

/**
 * Finds the files to import, replacing each ZIP file and Word document by a temporary folder. A
 * document that cannot be read is skipped without affecting the others.
 *
 * @param yieldBetween called between files to yield to the event loop.
 * @throws {AppError} `invalid` if a path cannot be imported, or a ZIP file cannot be unpacked;
 * `unavailable` if the disk is full.
 */
export async function unpackSources(
  paths: readonly string[],
  yieldBetween?: () => Promise<void>,
): Promise<Unpacked> {
  await using opened = new AsyncDisposableStack();
  let temporary: string | null = null;
  const temporaryFolderFor = async (name: string) => {
    temporary ??= opened.use(await makeTemporaryFolder()).path;
    return join(temporary, name);
  };
  const sources: ImportFiles[] = [];
  const leftOut: OmittedRecords[] = [];
  const problems: FileProblem[] = [];
  const withArchiveNames = (text: string) => namesOfArchives(text, { temporary, paths });
  const addDocument = async (path: string, place: { root: string; folder: string }) => {
    const folder = join(place.root, place.folder);
    const read = await unpackWordDocument(path, folder).catch((error: unknown) =>
      faultOf(error, path),
    );
    if ("fault" in read) {
      problems.push({ ...WHOLE_FILE, file: withArchiveNames(path), message: read.fault });
      return;
    }
    const file = relative(place.root, read.file).split(sep).join("/");
    const found = { root: place.root, content: [file], files: [file], displayName: path };
    sources.push({ ...(await findImportFiles(read.file)), ...found });
    leftOut.push(...omissions(read.leftOut, withArchiveNames(path)));
  };
  for (const [at, path] of paths.entries()) {
    if (isDocument(path)) {
      await addDocument(path, { root: await temporaryFolderFor(String(at)), folder: "" });
      continue;
    }
    const source = isArchive(path)
      ? await archiveFiles(path, await temporaryFolderFor(String(at)), yieldBetween)
      : await findImportFiles(path, yieldBetween);
    sources.push(source);
    const addresses = new Set(source.content.map(deriveSitePath));
    for (const [position, file] of source.documents.entries()) {
      const address = deriveSitePath(file.replace(/\.docx$/i, ".md"));
      if (addresses.has(address)) {
        problems.push({
          ...WHOLE_FILE,
          file: withArchiveNames(join(source.root, file)),
          message: addressTaken(address),
        });
        continue;
      }
      addresses.add(address);
      const root = await temporaryFolderFor(`${at}-document-${position}`);
      await addDocument(join(source.root, file), { root, folder: dirname(file) });
    }
  }
  const owned = opened.move();
  return {
    sources,
    leftOut,
    problems,
    withArchiveNames,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

function namesOfArchives(
  text: string,
  { temporary, paths }: { temporary: string | null; paths: readonly string[] },
): string {
  if (temporary === null || !text.includes(temporary)) return text;
  const parts = text.split(`${temporary}${sep}`);
  return parts
    .map((part, at) =>
      at === 0 ? part : part.replace(/^\d+/, (number) => paths[Number(number)] ?? number),
    )
    .join("");
}

const WHOLE_FILE = { line: 1, field: "", severity: "error" } as const;

function addressTaken(address: string): Wording {
  return {
    en: `another file of the folder has the address ${address}; rename one of them`,
    de: `eine andere Datei des Ordners hat die Adresse ${address}; nennen Sie eine davon um`,
  };
}

/** Returns the fault of a document. Throws other failures, such as a full disk, which end the import. */
function faultOf(error: unknown, path: string): { fault: Wording } {
  if (error instanceof AppError && error.code === "invalid") return { fault: error.wording };
  throw explainFullDisk(error, path);
}

/** Turns the error of a full disk into an AppError; returns other errors unchanged. */
function explainFullDisk(error: unknown, path: string): unknown {
  if (!isOutOfSpace(error)) return error;
  const wording = {
    en: `Cannot unpack ${path}: the disk is full`,
    de: `${path} lässt sich nicht auspacken: Auf dem Server ist kein Platz mehr`,
  };
  return new AppError("unavailable", wording, { cause: error });
}

function omissions(losses: WordOmissionCounter, path: string): OmittedRecords[] {
  const reason = {
    en: `Markdown has no form for them (${path})`,
    de: `dafür gibt es hier keine Form (${path})`,
  };
  return losses.all().map((omission) => ({ ...omission, reason }));
}

function isDocument(path: string): boolean {
  return isWordDocument(path) && statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

function isArchive(path: string): boolean {
  return ZIP_FILE.test(path) && statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

/** Unpacks an archive into a new folder, and finds the files to import in it. */
async function archiveFiles(
  path: string,
  folder: string,
  yieldBetween?: () => Promise<void>,
): Promise<ImportFiles> {
  await mkdir(folder, { mode: 0o700 });
  const links = await unpackZip(path, folder).catch((error: unknown) => {
    throw explainFullDisk(error, path);
  });
  const found = await findImportFiles(innermost(folder), yieldBetween);
  const skipped = links.map((name) =>
    describeSkippedFile(folder, { name, isLink: true }, isContentFile),
  );
  return { ...found, otherFiles: [...found.otherFiles, ...skipped] };
}

/**
 * Returns the folder with the content of an archive that was unpacked into `folder`. If `folder` contains a
 * single folder and nothing else, this is the inner folder, because most programs archive the folder
 * itself. Otherwise it is `folder`.
 */
function innermost(folder: string): string {
  const entries = readdirSync(folder, { withFileTypes: true }).filter(
    ({ name }) => name !== MACOS_FOLDER,
  );
  const [only, ...more] = entries;
  return only?.isDirectory() === true && more.length === 0 ? join(folder, only.name) : folder;
}
