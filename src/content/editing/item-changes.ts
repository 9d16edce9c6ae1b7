import { isDeepStrictEqual } from "node:util";
import type { Item } from "../items/item.ts";
import { trimBody } from "../items/trimmed-body.ts";
import { type DiffPiece, diffLines } from "./differences.ts";

/**
 * Properties that are not compared as whole values. Of these, `fields` and `relations` are compared entry
 * by entry, and `body` line by line. The rest are not compared at all, because they change with every save
 * or never.
 */
const NOT_COMPARED: ReadonlySet<string> = new Set<keyof Item>([
  "id",
  "type",
  "fields",
  "relations",
  "body",
  "createdAt",
  "updatedAt",
  "revision",
]);

const PART_GROUPS = ["fields", "relations"] as const;

/**
 * Maximum number of changed fields, and of changed relations, that are listed by name. If more have
 * changed, only `fields` or `relations` is listed.
 */
const NAMED_MAX = 20;

/** Number of unchanged lines shown before and after each change. */
const CONTEXT_LINES = 3;

export type LineChange =
  | { kind: "same" | "removed" | "added"; text: string }
  | { kind: "skipped"; lines: number };

/** A part with its values before and after the change; null: empty. */
interface ValueChange {
  part: string;
  before: unknown;
  after: unknown;
}

/** A changed part of an item. Bodies are compared line by line. */
export type PartChange = ValueChange | { part: string; lines: readonly LineChange[] };

/** The changes between two states of an item, part by part. */
export function diffItems(before: Item, after: Item): PartChange[] {
  const changes = [
    ...plainChanges(before, after),
    ...PART_GROUPS.flatMap(groupChanges(before, after)),
  ];
  if (before.body === after.body) return changes;
  return [...changes, { part: "body", lines: changedLines(before.body, after.body) }];
}

/**
 * The names of the parts in which two states of an item differ, such as `title`, `fields.year` and
 * `relations.topics`; empty if the states are equal. Leading and trailing empty lines of the body are
 * ignored. A group with more than 20 changed entries is listed as `fields` or `relations`.
 */
export function listChangedParts(before: Item, after: Item): string[] {
  const names = ({ part }: ValueChange) => part;
  const inGroups = PART_GROUPS.flatMap((group) => {
    const changes = groupChanges(before, after)(group);
    return changes.length > NAMED_MAX ? [group] : changes.map(names);
  });
  const body = trimBody(before.body) === trimBody(after.body) ? [] : ["body"];
  return [...plainChanges(before, after).map(names), ...inGroups, ...body];
}

function plainChanges(before: Item, after: Item): ValueChange[] {
  return valueChanges(before, after).filter(({ part }) => !NOT_COMPARED.has(part));
}

function groupChanges(
  before: Item,
  after: Item,
): (group: (typeof PART_GROUPS)[number]) => ValueChange[] {
  return (group) =>
    valueChanges(before[group], after[group]).map((change) => ({
      ...change,
      part: `${group}.${change.part}`,
    }));
}

function valueChanges(before: object, after: object): ValueChange[] {
  const oldValues = new Map<string, unknown>(Object.entries(before));
  const newValues = new Map<string, unknown>(Object.entries(after));
  return [...new Set([...oldValues.keys(), ...newValues.keys()])]
    .map((part) => ({
      part,
      before: oldValues.get(part) ?? null,
      after: newValues.get(part) ?? null,
    }))
    .filter((change) => !isDeepStrictEqual(change.before, change.after));
}

function changedLines(before: string, after: string): LineChange[] {
  const pieces = diffLines(withFinalBreak(before), withFinalBreak(after));
  return collapseUnchanged(pieces.flatMap(linesOf));
}

/** Adds a final line break, so that a line appended later does not mark the last line as changed. */
function withFinalBreak(text: string): string {
  return text === "" ? "" : `${text}\n`;
}

function linesOf({ kind, text }: DiffPiece): Exclude<LineChange, { kind: "skipped" }>[] {
  return text
    .replace(/\n$/, "")
    .split("\n")
    .map((line) => ({ kind, text: line }));
}

/** Collapses unchanged lines that are far from any change. */
function collapseUnchanged(changes: readonly LineChange[]): LineChange[] {
  const nearbyLines = new Set<number>();
  for (const [at, { kind }] of changes.entries()) {
    if (kind === "same") continue;
    for (let line = at - CONTEXT_LINES; line <= at + CONTEXT_LINES; line += 1) {
      nearbyLines.add(line);
    }
  }
  const shownChanges: LineChange[] = [];
  for (const [at, change] of changes.entries()) {
    const last = shownChanges.at(-1);
    if (nearbyLines.has(at)) shownChanges.push(change);
    else if (last?.kind === "skipped") last.lines += 1;
    else shownChanges.push({ kind: "skipped", lines: 1 });
  }
  return shownChanges;
}

const STATUS_ACTIONS = {
  draft: "content.unpublish",
  scheduled: "content.schedule",
  published: "content.publish",
  archived: "content.archive",
  deleted: "content.delete",
} as const;

/**
 * The action under which the audit log records a change. If the status changes, the status determines the
 * action, even if other parts change too.
 */
export function auditActionOf(before: Item | null, { status }: Item): string {
  if (before === null) return "content.create";
  return before.status === status ? "content.update" : STATUS_ACTIONS[status];
}
