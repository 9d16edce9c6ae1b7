/**
 * The text of a file, and some values of the item in it. A value is null if the text does not state the
 * value, or if the text cannot be parsed.
 */
export interface ItemFileContent {
  text: string;
  path: string | null;
  sourceKey: string | null;
  type: string | null;
  title: string | null;
  body: string;
}

/** The last known content of a file that is gone, with the id of its item. */
export type GoneFile = ItemFileContent & { id: string };
export type NewFile = ItemFileContent & { file: string };

/** With more pairs of files than this, texts are not compared, since that would take too long. */
const PAIRS_MAX = 40_000;
const COMMON_SHARE_MIN = 0.5;
/** Shorter matches do not count, since stubs of different items resemble each other. */
const SHARED_CHARACTERS_MIN = 40;

/**
 * Finds renamed files by matching new files to items whose files are gone. First matches files with equal
 * texts. Then matches files with the same path, source key or title, and finally files that share at least
 * half of their text. Ignores a text, path, key or title that several files have in common.
 *
 * @returns the names of the new files, keyed by the id of the item.
 */
export function findRenames(
  gone: readonly GoneFile[],
  added: readonly NewFile[],
): Map<string, string> {
  const found = new Map<string, string>();
  const matchedFiles = new Set<string>();
  const match = (goneFile: GoneFile, newFile: NewFile) => {
    found.set(goneFile.id, newFile.file);
    matchedFiles.add(newFile.file);
  };
  for (const keyOf of MATCH_KEYS) {
    const goneByKey = uniqueBy(
      gone.filter(({ id }) => !found.has(id)),
      keyOf,
    );
    const addedByKey = uniqueBy(
      added.filter(({ file }) => !matchedFiles.has(file)),
      keyOf,
    );
    for (const [key, goneFile] of goneByKey) {
      const newFile = addedByKey.get(key);
      if (newFile !== undefined) match(goneFile, newFile);
    }
  }
  const unmatchedGone = gone.filter(({ id }) => !found.has(id));
  const unmatchedNew = added.filter(({ file }) => !matchedFiles.has(file));
  if (unmatchedGone.length * unmatchedNew.length > PAIRS_MAX) return found;
  const countedNew = unmatchedNew.map((newFile) => ({ newFile, lines: countLines(newFile) }));
  const pairs = unmatchedGone
    .flatMap((goneFile) => {
      const lines = countLines(goneFile);
      return countedNew.map(({ newFile, lines: newLines }) => ({
        ...{ goneFile, newFile },
        shared: goneFile.type === newFile.type ? commonShare(lines, newLines) : 0,
      }));
    })
    .filter(({ shared }) => shared >= COMMON_SHARE_MIN)
    .sort((a, b) => b.shared - a.shared);
  for (const { goneFile, newFile } of pairs) {
    if (!found.has(goneFile.id) && !matchedFiles.has(newFile.file)) match(goneFile, newFile);
  }
  return found;
}

const MATCH_KEYS: readonly ((file: ItemFileContent) => string | null)[] = [
  ({ text }) => text,
  ({ path }) => path,
  ({ sourceKey }) => sourceKey,
  ({ type, title }) => (title === null ? null : JSON.stringify([type, title])),
];

function uniqueBy<File extends ItemFileContent>(
  files: readonly File[],
  keyOf: (file: ItemFileContent) => string | null,
): Map<string, File> {
  const groups = Map.groupBy(files, keyOf);
  const unique = [...groups].flatMap(([key, [first, ...others]]) =>
    key === null || first === undefined || others.length > 0 ? [] : [[key, first] as const],
  );
  return new Map(unique);
}

/** The lines of a text that are not blank. Counted once for each text, since texts are compared in pairs. */
interface CountedLines {
  counts: ReadonlyMap<string, number>;
  characters: number;
}

function countLines({ body }: ItemFileContent): CountedLines {
  const counts = new Map<string, number>();
  let characters = 0;
  for (const line of body.split("\n")) {
    if (line.trim() === "") continue;
    counts.set(line, (counts.get(line) ?? 0) + 1);
    characters += line.length;
  }
  return { counts, characters };
}

/**
 * Returns the share of the longer text, from 0 to 1, that consists of lines contained in both texts.
 * Returns 0 if these lines are short.
 */
function commonShare(one: CountedLines, other: CountedLines): number {
  let shared = 0;
  for (const [line, count] of one.counts) {
    shared += line.length * Math.min(count, other.counts.get(line) ?? 0);
  }
  if (shared < SHARED_CHARACTERS_MIN) return 0;
  return shared / Math.max(one.characters, other.characters);
}
