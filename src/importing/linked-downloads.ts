import { readFileSync } from "node:fs";
import { basename, extname, join } from "node:path";

/**
 * The files of a folder that only links refer to: a linked document is a download, not a page. All
 * paths are relative to `root`.
 */
export async function filesNotNamed(
  root: string,
  files: readonly string[],
  { texts, yieldBetween }: { texts: readonly string[]; yieldBetween?: () => Promise<void> },
): Promise<string[]> {
  const left = new Set(files);
  const byForm = Map.groupBy(
    files.flatMap((file) => formsOf(basename(file)).map((form) => ({ form, file }))),
    ({ form }) => form,
  );
  const endings = new Set(files.map((file) => extname(file)));
  const lengths = new Set([...byForm.keys()].map((form) => form.length));
  for (const text of texts) {
    if (left.size === 0) break;
    await yieldBetween?.();
    const written = readFileSync(join(root, text), "utf8");
    for (const place of endsOf(endings, written)) {
      for (const length of lengths) {
        const named = byForm.get(written.slice(Math.max(0, place - length), place)) ?? [];
        for (const { file } of named) left.delete(file);
      }
    }
  }
  return [...left];
}

/** A name as it is, and percent-encoded as in links. */
function formsOf(name: string): string[] {
  return [...new Set([name, encodeURI(name)])];
}

/** Searching each text for each name would take long with thousands of both. */
function* endsOf(endings: ReadonlySet<string>, text: string): Generator<number> {
  for (const ending of endings) {
    for (let at = text.indexOf(ending); at !== -1; at = text.indexOf(ending, at + 1)) {
      yield at + ending.length;
    }
  }
}
