import { createWriteStream } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { pipeline } from "node:stream/promises";
import yauzl, { type Entry, type ZipFile } from "yauzl";
import { AppError, type Wording } from "../errors.ts";
import { systemErrorCode } from "./durable-files.ts";
import { joinPathBelow } from "./path-below.ts";

const ENTRIES_MAX = 200_000;
const UNPACKED_BYTES_MAX = 4 * 1024 ** 3;
/** Texts compress to about a fifth; a ratio of a hundred suggests a ZIP bomb. */
const PACKED_RATIO_MAX = 100;
/** Archives that unpack to at most this size may have any compression ratio. */
const ANY_RATIO_BYTES_MAX = 64 * 1024 * 1024;
/** The file type in the Unix attributes of an entry (APPNOTE.TXT 4.4.15). */
const UNIX_TYPE_MASK = 0o170000;
const UNIX_SYMBOLIC_LINK = 0o120000;

/**
 * Unpacks a ZIP into an empty folder, without symbolic links. Checks the declared sizes first, and
 * stops at a file whose real size differs.
 *
 * @returns the names of the symbolic links.
 * @throws {AppError} `invalid` if the archive is damaged, encrypted or too large, or if it contains
 * a file twice or outside the folder. System errors, such as that of a full disk, are thrown as they are.
 */
export async function unpackZip(path: string, folder: string): Promise<string[]> {
  try {
    const zip = await yauzl.openPromise(path, { autoClose: false, lazyEntries: true });
    try {
      const { entries, links } = await readEntries(zip);
      const fault = links.length > ENTRIES_MAX ? TOO_MANY : sizeFault(entries, zip.fileSize);
      if (fault !== null) throw unpackingError(path, fault);
      for (const entry of entries) await unpackFile(zip, entry, folder);
      return links;
    } finally {
      zip.close();
    }
  } catch (error) {
    if (error instanceof AppError || !(error instanceof Error)) throw error;
    const fault = CLASHING_NAME_CODES.has(systemErrorCode(error))
      ? DUPLICATE_FILE
      : { ...DAMAGED_ARCHIVE, en: error.message };
    // Other system errors, such as that of a full disk, are not caused by the archive.
    if ("syscall" in error && fault !== DUPLICATE_FILE) throw error;
    throw unpackingError(path, fault, error);
  }
}

/** The archive has two files of one name, or a file and a folder. */
const CLASHING_NAME_CODES: ReadonlySet<string> = new Set(["EEXIST", "ENOTDIR", "EISDIR"]);
const DUPLICATE_FILE: Wording = { en: "it has a file twice", de: "es hat eine Datei zweimal" };
/** The English text is replaced by the library's message, which is more specific. */
const DAMAGED_ARCHIVE: Wording = { en: "it is damaged", de: "es ist beschädigt oder kein ZIP" };

function unpackingError(path: string, { en, de }: Wording, cause?: Error): AppError {
  const wording = {
    en: `Cannot unpack ${path}: ${en}`,
    de: `${path} lässt sich nicht auspacken: ${de}`,
  };
  return new AppError("invalid", wording, { cause });
}

async function readEntries(zip: ZipFile): Promise<{ entries: Entry[]; links: string[] }> {
  const entries: Entry[] = [];
  const links: string[] = [];
  for await (const entry of zip.eachEntry()) {
    if (isFolder(entry)) continue;
    if (isLink(entry)) links.push(entry.fileName);
    else entries.push(entry);
    if (Math.max(entries.length, links.length) > ENTRIES_MAX) break;
  }
  return { entries, links };
}

const UNPACKED_GIBIBYTES_MAX = UNPACKED_BYTES_MAX / 1024 ** 3;
const TOO_MANY: Wording = {
  en: `it has more than ${ENTRIES_MAX} files and folders`,
  de: `es hat mehr als ${ENTRIES_MAX} Dateien und Ordner`,
};
const ENCRYPTED_ARCHIVE: Wording = {
  en: "it needs a password; make it without",
  de: "es braucht ein Passwort; packen Sie es ohne",
};
const TOO_LARGE: Wording = {
  en: `it unpacks to more than ${UNPACKED_GIBIBYTES_MAX} GiB; unpack it and import the folder`,
  de: `ausgepackt hat es mehr als ${UNPACKED_GIBIBYTES_MAX} GiB; teilen Sie es auf`,
};
const TOO_DENSE: Wording = {
  en: `it unpacks to more than ${PACKED_RATIO_MAX} times its size`,
  de: `ausgepackt ist es mehr als ${PACKED_RATIO_MAX}-mal so groß`,
};

function sizeFault(entries: readonly Entry[], packedBytes: number): Wording | null {
  if (hasTooManyEntries(entries)) return TOO_MANY;
  if (entries.some((entry) => entry.isEncrypted())) return ENCRYPTED_ARCHIVE;
  const bytes = entries.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0);
  if (bytes > UNPACKED_BYTES_MAX) {
    return TOO_LARGE;
  }
  if (bytes > Math.max(ANY_RATIO_BYTES_MAX, packedBytes * PACKED_RATIO_MAX)) {
    return TOO_DENSE;
  }
  return null;
}

/**
 * Whether the archive has too many files and folders. Also counts folders that only occur in the
 * paths of files, because one short path can imply a thousand folders.
 */
function hasTooManyEntries(entries: readonly Entry[]): boolean {
  const folders = new Set<string>();
  for (const { fileName } of entries) {
    let end = fileName.lastIndexOf("/");
    while (end > 0 && !folders.has(fileName.slice(0, end))) {
      folders.add(fileName.slice(0, end));
      if (entries.length + folders.size > ENTRIES_MAX) return true;
      end = fileName.lastIndexOf("/", end - 1);
    }
  }
  return entries.length > ENTRIES_MAX;
}

async function unpackFile(zip: ZipFile, entry: Entry, folder: string): Promise<void> {
  const path = joinPathBelow(folder, ...entry.fileName.split("/"));
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const stream = await zip.openReadStreamPromise(entry);
  await pipeline(stream, createWriteStream(path, { flags: "wx", mode: 0o600 }));
}

function isFolder(entry: Entry): boolean {
  return entry.fileName.endsWith("/");
}

function isLink(entry: Entry): boolean {
  return ((entry.externalFileAttributes >>> 16) & UNIX_TYPE_MASK) === UNIX_SYMBOLIC_LINK;
}
