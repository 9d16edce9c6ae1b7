import { basename, dirname, extname, join, posix } from "node:path";
import { toIndexOfNamesakeFolder } from "../content/import/file-path.ts";
import { readTextInAnyEncoding } from "./any-encoding.ts";

/** Number of positions and files to compare before the search yields to the event loop. */
const COMPARED_AT_ONCE = 500;

/**
 * Returns the files to which no text links. Linked files are downloads, not content to import. All
 * paths are relative to `root`.
 */
export async function findUnlinkedFiles(
  root: string,
  files: readonly string[],
  { texts, yieldBetween }: { texts: readonly string[]; yieldBetween?: () => Promise<void> },
): Promise<string[]> {
  const unlinked = new Set(files);
  const endings = endingsOf(files);
  for (const text of texts) {
    if (unlinked.size === 0) break;
    await yieldBetween?.();
    const read = readTextInAnyEncoding(join(root, text));
    // A text that is too long is not imported, so its links are ignored.
    const written = "fault" in read ? "" : read.text;
    let compared = 0;
    for (const { end, files: ending } of filesEndingIn(written, endings)) {
      compared += 1 + ending.length;
      if (compared >= COMPARED_AT_ONCE) {
        compared = 0;
        await yieldBetween?.();
      }
      const isNamed = (file: string) =>
        unlinked.has(file) && linkEndsAt(written, end, { file, text });
      for (const file of ending.filter(isNamed)) unlinked.delete(file);
    }
  }
  return [...unlinked];
}

interface Endings {
  extensions: ReadonlySet<string>;
  /** The distinct lengths of the names in `filesByName`. */
  lengths: readonly number[];
  filesByName: ReadonlyMap<string, readonly { file: string }[]>;
}

function endingsOf(files: readonly string[]): Endings {
  const named = files.flatMap((file) =>
    encodedForms(basename(file)).map((name) => ({ name, file })),
  );
  const filesByName = Map.groupBy(named, ({ name }) => name);
  const lengths = [...new Set([...filesByName.keys()].map((name) => name.length))];
  return { extensions: new Set(files.map((file) => extname(file))), lengths, filesByName };
}

/**
 * Yields each position in the text at which an extension ends, with the files whose names end there. Names
 * are compared only at these positions, because searching the text for every name would be slow.
 */
function* filesEndingIn(
  written: string,
  { extensions, lengths, filesByName }: Endings,
): Generator<{ end: number; files: string[] }> {
  for (const end of extensionEnds(extensions, written)) {
    const isWhole = !NAME_CONTINUATION.test(written.slice(end, end + 2));
    const names = isWhole
      ? lengths.map((length) => written.slice(Math.max(0, end - length), end))
      : [];
    yield {
      end,
      files: names.flatMap((name) => (filesByName.get(name) ?? []).map(({ file }) => file)),
    };
  }
}

/**
 * Matches characters after an extension that show that the file name continues, as in
 * `minutes.docx.pdf`.
 */
const NAME_CONTINUATION = /^(?:[\p{L}\p{N}_%~-]|\.[\p{L}\p{N}])/u;
/** Matches the end of a text after which a path can begin. */
const BEFORE_PATH = /(?:^|[^\p{L}\p{N}_%~./-])(?:\.\/)?$/u;
/**
 * Matches the end of a text after which an address from the root of a site can begin, such as the
 * end of a host name.
 */
const BEFORE_ADDRESS = /(?:^|[^\p{L}\p{N}_%~./-]|:\/\/[^\s/]{1,253})$/u;
const HOST_CHARACTERS_MAX = 260;
/** Matches a folder, such as `static/`, whose name is left out of the addresses of its files. */
const SERVED_FOLDER = /^(?:static|public|assets|src|source|content|docs|site|website)\//;

/** Whether a link from the file `text` to `file` ends at the position `end` of `written`. */
function linkEndsAt(
  written: string,
  end: number,
  { file, text }: { file: string; text: string },
): boolean {
  const isBefore = (path: string, before: RegExp) =>
    encodedForms(path).some((form) => {
      const start = end - form.length;
      if (start < 0 || written.slice(start, end) !== form) return false;
      return before.test(written.slice(Math.max(0, start - HOST_CHARACTERS_MAX), start));
    });
  const relative = [text, toIndexOfNamesakeFolder(text)].map((from) =>
    posix.relative(dirname(from), file),
  );
  return (
    relative.some((path) => isBefore(path, BEFORE_PATH)) ||
    addressesOf(file).some((path) => isBefore(path, BEFORE_ADDRESS))
  );
}

/** The addresses that a file can have, from the root of its site. */
function addressesOf(file: string): string[] {
  const addresses: string[] = [];
  for (let rest = file; ; rest = rest.replace(SERVED_FOLDER, "")) {
    addresses.push(`/${rest}`);
    if (!SERVED_FOLDER.test(rest)) return addresses;
  }
}

/** The forms of a name in links: plain and percent-encoded. */
function encodedForms(name: string): string[] {
  return [...new Set([name, encodeURI(name)])];
}

function* extensionEnds(extensions: ReadonlySet<string>, text: string): Generator<number> {
  for (const extension of extensions) {
    for (let at = text.indexOf(extension); at !== -1; at = text.indexOf(extension, at + 1)) {
      yield at + extension.length;
    }
  }
}
