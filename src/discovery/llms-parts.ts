import type { IndexEntry, ReadingCopy } from "../content/library.ts";
import { itemLine, LINKS_CHARACTERS_MAX } from "./llms-lines.ts";

/** A slice of a type's items whose link lines fill one file. */
export interface Part {
  /** Index of its first item among those of the type, from 0. */
  offset: number;
  length: number;
  first: string;
  last: string;
}

/** The section file of a type with more parts does not list them, as it could not hold them all. */
const PARTS_MAX = 150;

/** Allowed per line for its line break and for counts and warnings, which the index does not have. */
const ADDED_CHARACTERS = 18;

const known = new WeakMap<ReadingCopy, { version: number; parts: Map<string, Part[] | null> }>();

/**
 * Slices of a type's items, in index order; null if there would be more than `PARTS_MAX`. Cached until
 * something is published, because the offset of each slice depends on all slices before it.
 */
export function partsOf(reading: ReadingCopy, type: string, origin: string): Part[] | null {
  const version = reading.version();
  let memory = known.get(reading);
  if (memory?.version !== version) {
    memory = { version, parts: new Map() };
    known.set(reading, memory);
  }
  const key = `${type} ${origin}`;
  const remembered = memory.parts.get(key);
  if (remembered !== undefined) return remembered;
  const parts = cut(
    reading.index({ type }),
    (entry) => itemLine(entry, { reading, origin }).length + ADDED_CHARACTERS,
  );
  memory.parts.set(key, parts);
  return parts;
}

function cut(entries: Iterable<IndexEntry>, charactersOf: (entry: IndexEntry) => number) {
  const parts: Part[] = [];
  let current: Part | undefined;
  let offset = 0;
  let left = 0;
  for (const entry of entries) {
    const characters = charactersOf(entry);
    if (current === undefined || characters > left) {
      if (parts.length === PARTS_MAX) return null;
      current = { offset, length: 0, first: entry.title, last: entry.title };
      parts.push(current);
      left = LINKS_CHARACTERS_MAX;
    }
    current.length += 1;
    current.last = entry.title;
    left -= characters;
    offset += 1;
  }
  return parts;
}
