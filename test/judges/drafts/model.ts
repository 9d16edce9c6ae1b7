/** Values of the parts that the story edits. `body` is a list of lines. */
export interface Slots {
  title: string;
  summary: string;
  body: readonly string[];
}

export type Part = keyof Slots;
export type Stated = Partial<Slots>;

export const PARTS = ["title", "summary", "body"] as const satisfies readonly Part[];

/** Constant lines between the edited ones, so that edits of different lines do not overlap. */
const SPACER = "\n\n—\n\n";

export function textOf(body: readonly string[]): string {
  return body.join(SPACER);
}

export function linesOf(text: string): string[] {
  return text.split(SPACER);
}

/** Merges as a person would, independently of the product. Null: a conflict. */
export function expectedMerge(
  mine: Stated,
  { base, theirs }: { base: Slots; theirs: Slots },
): Stated | null {
  const merged: Stated = {};
  if (mine.title !== undefined) {
    const title = mergedValue(base.title, theirs.title, mine.title);
    if (title === null) return null;
    merged.title = title;
  }
  if (mine.summary !== undefined) {
    const summary = mergedValue(base.summary, theirs.summary, mine.summary);
    if (summary === null) return null;
    merged.summary = summary;
  }
  if (mine.body !== undefined) {
    const lines = mine.body.map((line, at) =>
      mergedValue(base.body[at] ?? "", theirs.body[at] ?? "", line),
    );
    if (lines.includes(null)) return null;
    merged.body = lines.filter((line) => line !== null);
  }
  return merged;
}

/** The stated parts that differ from the item. */
export function differing(stated: Stated, item: Slots): Stated {
  const result: Stated = {};
  if (stated.title !== undefined && stated.title !== item.title) result.title = stated.title;
  if (stated.summary !== undefined && stated.summary !== item.summary) {
    result.summary = stated.summary;
  }
  if (stated.body !== undefined && textOf(stated.body) !== textOf(item.body)) {
    result.body = stated.body;
  }
  return result;
}

function mergedValue(base: string, theirs: string, mine: string): string | null {
  if (mine === theirs || mine === base) return theirs;
  return theirs === base ? mine : null;
}
