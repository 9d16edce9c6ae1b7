import { diff, isDeepStrictEqual } from "node:util";
import type { Item } from "./item.ts";

/** Unchanged lines shown around a change. */
const CONTEXT_LINES = 3;
/** Above this the comparison is too slow, and all lines count as replaced. */
const COMPARED_LINES_MAX = 1000;

export type LineChange =
  | { kind: "same" | "removed" | "added"; text: string }
  | { kind: "skipped"; lines: number };

/** A changed part of an item; null means empty. Bodies are compared line by line. */
export type PartChange =
  | { part: string; before: unknown; after: unknown }
  | { part: string; lines: readonly LineChange[] };

const PARTS = [
  ...["path", "title", "summary", "language", "translationOf", "status"],
  ...["publishAt", "publishedAt", "expireAt", "reviewAt", "sourceKey"],
] as const satisfies readonly string[];

/** The changes between two states of an item, part by part. */
export function differenceBetween(before: Item, after: Item): PartChange[] {
  const groups = (["fields", "relations"] as const).flatMap((group) =>
    groupChanges(group, before[group], after[group]),
  );
  return [
    ...valueChanges(plainParts(before), plainParts(after)),
    ...groups,
    ...(before.body === after.body
      ? []
      : [{ part: "body", lines: lineChanges(linesOf(before.body), linesOf(after.body)) }]),
  ];
}

function plainParts(item: Item): Record<string, unknown> {
  const parts = new Map<string, unknown>(Object.entries(item));
  return Object.fromEntries(PARTS.map((part) => [part, parts.get(part) ?? null]));
}

function groupChanges(group: string, before: object, after: object): PartChange[] {
  const named = (values: object) =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [`${group}.${name}`, value]));
  return valueChanges(named(before), named(after));
}

function valueChanges(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): PartChange[] {
  const parts = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return parts
    .map((part) => ({ part, before: before[part] ?? null, after: after[part] ?? null }))
    .filter((change) => !isDeepStrictEqual(change.before, change.after));
}

function linesOf(text: string): string[] {
  return text === "" ? [] : text.split("\n");
}

function lineChanges(before: readonly string[], after: readonly string[]): LineChange[] {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const same = (text: string): LineChange => ({ kind: "same", text });
  const middle = diffLines(
    before.slice(start, before.length - end),
    after.slice(start, after.length - end),
  );
  const tail = end === 0 ? [] : before.slice(-end);
  return collapseUnchanged([...before.slice(0, start).map(same), ...middle, ...tail.map(same)]);
}

function diffLines(before: readonly string[], after: readonly string[]): LineChange[] {
  if (Math.max(before.length, after.length) > COMPARED_LINES_MAX) {
    return [
      ...before.map((text): LineChange => ({ kind: "removed", text })),
      ...after.map((text): LineChange => ({ kind: "added", text })),
    ];
  }
  const kinds = { [-1]: "added", 0: "same", 1: "removed" } as const;
  return diff(before, after).map(([operation, text]) => ({ kind: kinds[operation], text }));
}

/** Collapses unchanged lines that are far from any change. */
function collapseUnchanged(changes: readonly LineChange[]): LineChange[] {
  const near = new Set<number>();
  for (const [at, { kind }] of changes.entries()) {
    if (kind === "same") continue;
    for (let line = at - CONTEXT_LINES; line <= at + CONTEXT_LINES; line += 1) near.add(line);
  }
  const shown: LineChange[] = [];
  for (const [at, change] of changes.entries()) {
    const last = shown.at(-1);
    if (near.has(at)) shown.push(change);
    else if (last?.kind === "skipped") last.lines += 1;
    else shown.push({ kind: "skipped", lines: 1 });
  }
  return shown;
}
