import { readFileSync, statSync } from "node:fs";
import { basename, extname, join } from "node:path";

/** Longer texts are not imported, so their links do not count. */
const TEXT_BYTES_MAX = 4 * 1024 * 1024;
/** Number of positions compared between yields to the event loop. */
const MATCHES_AT_ONCE = 500;

/**
 * Returns the files whose names occur in no text. A file that a text links to is a download rather
 * than content to import. All paths are relative to `root`.
 */
export async function filesNotLinked(
  root: string,
  files: readonly string[],
  { texts, yieldBetween }: { texts: readonly string[]; yieldBetween?: () => Promise<void> },
): Promise<string[]> {
  const unlinked = new Set(files);
  const byForm = Map.groupBy(
    files.flatMap((file) => encodedForms(basename(file)).map((form) => ({ form, file }))),
    ({ form }) => form,
  );
  const extensions = new Set(files.map((file) => extname(file)));
  const lengths = new Set([...byForm.keys()].map((form) => form.length));
  const removeNamed = (end: string) => {
    for (const length of lengths) {
      for (const { file } of byForm.get(end.slice(-length)) ?? []) unlinked.delete(file);
    }
  };
  const longest = [...lengths].reduce((most, length) => Math.max(most, length), 0);
  for (const text of texts) {
    if (unlinked.size === 0) break;
    await yieldBetween?.();
    const written = shortText(join(root, text));
    let count = 0;
    for (const place of extensionEnds(extensions, written)) {
      count += 1;
      if (count % MATCHES_AT_ONCE === 0) await yieldBetween?.();
      removeNamed(written.slice(Math.max(0, place - longest), place));
    }
  }
  return [...unlinked];
}

/** The text of a file; empty if it is too long. */
function shortText(path: string): string {
  return statSync(path).size > TEXT_BYTES_MAX ? "" : readFileSync(path, "utf8");
}

/** The forms of a file name in links: plain and percent-encoded. */
function encodedForms(name: string): string[] {
  return [...new Set([name, encodeURI(name)])];
}

/**
 * Yields the position after each extension in the text. File names are compared only there, since
 * searching the text for each name would be slow.
 */
function* extensionEnds(extensions: ReadonlySet<string>, text: string): Generator<number> {
  for (const extension of extensions) {
    for (let at = text.indexOf(extension); at !== -1; at = text.indexOf(extension, at + 1)) {
      yield at + extension.length;
    }
  }
}
