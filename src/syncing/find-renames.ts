/** A file, and the item it contains if it can be parsed. */
export interface FileFacts {
  text: string;
  path: string | null;
  sourceKey: string | null;
  type: string | null;
  title: string | null;
  body: string;
}

/** An item whose file is gone, with the file's last text, and a new file. */
export type GoneFile = FileFacts & { id: string };
export type NewFile = FileFacts & { file: string };

/** Above this many pairs of files, texts are not compared with each other. */
const PAIRS_MAX = 40_000;
const SHARED_MIN = 0.5;
/** Shared text shorter than this, as in stubs, does not identify a file. */
const SHARED_CHARACTERS_MIN = 40;

/**
 * Finds the new files of items whose files are gone: first equal files, then those with the same
 * path, source key or title, then those that share at least half of their text. Values that several
 * files share are ignored.
 *
 * @returns new files by the id of their item.
 */
export function findRenames(
  gone: readonly GoneFile[],
  added: readonly NewFile[],
): Map<string, string> {
  const found = new Map<string, string>();
  const taken = new Set<string>();
  const pair = (one: GoneFile, other: NewFile) => {
    found.set(one.id, other.file);
    taken.add(other.file);
  };
  for (const nameOf of MATCH_KEYS) {
    const left = uniqueBy(
      gone.filter(({ id }) => !found.has(id)),
      nameOf,
    );
    const right = uniqueBy(
      added.filter(({ file }) => !taken.has(file)),
      nameOf,
    );
    for (const [name, one] of left) {
      const other = right.get(name);
      if (other !== undefined) pair(one, other);
    }
  }
  const left = gone.filter(({ id }) => !found.has(id));
  const right = added.filter(({ file }) => !taken.has(file));
  if (left.length * right.length > PAIRS_MAX) return found;
  const pairs = left
    .flatMap((one) => right.map((other) => ({ one, other, shared: sharedPart(one, other) })))
    .filter(({ shared }) => shared >= SHARED_MIN)
    .sort((a, b) => b.shared - a.shared);
  for (const { one, other } of pairs) {
    if (!found.has(one.id) && !taken.has(other.file)) pair(one, other);
  }
  return found;
}

const MATCH_KEYS: readonly ((file: FileFacts) => string | null)[] = [
  ({ text }) => text,
  ({ path }) => path,
  ({ sourceKey }) => sourceKey,
  ({ type, title }) => (title === null ? null : JSON.stringify([type, title])),
];

function uniqueBy<File extends FileFacts>(
  files: readonly File[],
  nameOf: (file: FileFacts) => string | null,
): Map<string, File> {
  const groups = Map.groupBy(files, nameOf);
  const unique = [...groups].flatMap(([name, [first, ...others]]) =>
    name === null || first === undefined || others.length > 0 ? [] : [[name, first] as const],
  );
  return new Map(unique);
}

/** The share of the longer text that both have in whole lines; 0 if too little to be sure. */
function sharedPart(one: FileFacts, other: FileFacts): number {
  if (one.type !== other.type) return 0;
  const left = linesOf(one.body);
  const right = linesOf(other.body);
  const counts = new Map<string, number>();
  for (const line of left) counts.set(line, (counts.get(line) ?? 0) + 1);
  const both = right.filter((line) => {
    const count = counts.get(line) ?? 0;
    counts.set(line, count - 1);
    return count > 0;
  });
  const shared = charactersOf(both);
  if (shared < SHARED_CHARACTERS_MIN) return 0;
  return shared / Math.max(charactersOf(left), charactersOf(right));
}

function linesOf(body: string): string[] {
  return body.split("\n").filter((line) => line.trim() !== "");
}

function charactersOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length, 0);
}
