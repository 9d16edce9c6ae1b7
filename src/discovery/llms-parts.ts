import type { PublishedIndexEntry, ReadingCopy } from "../content/library.ts";
import { formatItemLine, LLMS_LINKS_CHARACTERS_MAX } from "./llms-lines.ts";

/** A slice of a type's items: as many as fit into one file of links. */
export interface LlmsPart {
  /** Index of the first item among the items of the type, from 0. */
  offset: number;
  length: number;
  /** Title of the first item. */
  first: string;
  /** Title of the last item. */
  last: string;
}

/**
 * If a type has more parts than this, its section file links to none of them, because not all links
 * would fit.
 */
const PARTS_MAX = 150;

/**
 * Characters reserved in each line for the line break, and for counts and warnings, which an
 * {@link PublishedIndexEntry} does not contain.
 */
const RESERVED_CHARACTERS = 18;

const cachedParts = new WeakMap<
  ReadingCopy,
  { version: number; parts: Map<string, LlmsPart[] | null> }
>();

/**
 * Divides a type's items into parts, in the order of `reading.index`; null if there would be more
 * than `PARTS_MAX`. The parts are cached until something is published, because the offset of each
 * depends on all parts before it.
 */
export function splitIntoLlmsParts(
  reading: ReadingCopy,
  type: string,
  origin: string,
): LlmsPart[] | null {
  const version = reading.version();
  let cache = cachedParts.get(reading);
  if (cache?.version !== version) {
    cache = { version, parts: new Map() };
    cachedParts.set(reading, cache);
  }
  const key = `${type} ${origin}`;
  const cached = cache.parts.get(key);
  if (cached !== undefined) return cached;
  const parts = cutIntoParts(
    reading.index({ type }),
    (entry) => formatItemLine(entry, { reading, origin }).length + RESERVED_CHARACTERS,
  );
  cache.parts.set(key, parts);
  return parts;
}

function cutIntoParts(
  entries: Iterable<PublishedIndexEntry>,
  charactersOf: (entry: PublishedIndexEntry) => number,
) {
  const parts: LlmsPart[] = [];
  let current: LlmsPart | undefined;
  let offset = 0;
  let remaining = 0;
  for (const entry of entries) {
    const characters = charactersOf(entry);
    if (current === undefined || characters > remaining) {
      if (parts.length === PARTS_MAX) return null;
      current = { offset, length: 0, first: entry.title, last: entry.title };
      parts.push(current);
      remaining = LLMS_LINKS_CHARACTERS_MAX;
    }
    current.length += 1;
    current.last = entry.title;
    remaining -= characters;
    offset += 1;
  }
  return parts;
}
