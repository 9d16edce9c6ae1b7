import type { ItemSummary, LinkedItem, ReadingCopy } from "../library.ts";
import type { ContentTypes, FieldValue } from "../types/content-type.ts";
import { verificationOf } from "../types/quotation.ts";
import { CREATOR_SCHEMA_ORG_TYPES, WORK_SCHEMA_ORG_TYPES } from "../types/source-types.ts";
import type { CitedDate, CitedName, CitedReference } from "./reference.ts";

/**
 * The reference to an item of this site, without its URL. A quotation is cited as a passage of its work, if
 * the work is known. A work with authors is cited as a work, and everything else as a page of the site.
 */
export function itemReference(item: ItemSummary, reading: ReadingCopy): CitedReference {
  return (
    quotationOrWorkReference(item, reading) ?? {
      kind: "page",
      authors: [],
      title: item.title,
      container: reading.site().name,
    }
  );
}

/** The reference to a quotation, or to a work with authors; null for other items. */
export function quotationOrWorkReference(
  item: ItemSummary,
  reading: ReadingCopy,
): CitedReference | null {
  const types = reading.types();
  const schemaOrg = types.get(item.type)?.schemaOrg ?? "";
  const site = reading.site().name;
  if (schemaOrg === "Quotation") return quotationReference(item, reading, site);
  const authors = linksTo(item, types, CREATOR_SCHEMA_ORG_TYPES);
  if (!WORK_SCHEMA_ORG_TYPES.has(schemaOrg) || authors.length === 0) return null;
  return { ...workReference(item, namesOf(authors, reading)), site };
}

function quotationReference(item: ItemSummary, reading: ReadingCopy, site: string): CitedReference {
  const types = reading.types();
  const people = linksTo(item, types, CREATOR_SCHEMA_ORG_TYPES);
  const ascription = verificationOf(item.fields);
  const isMisattributed = ascription === "misattributed";
  const authors = isMisattributed ? [] : namesOf(people, reading);
  const work = isMisattributed ? null : workOf(item, reading);
  const description = ascriptionText(ascription, people);
  const described = description === undefined ? {} : { description };
  const { year } = item.fields;
  const translator = textOf(item.fields["translator"]);
  // Omits the location if the words are not from the work.
  const place = isMisattributed ? undefined : textOf(item.fields["locator"]);
  const details = {
    ...(place === undefined ? {} : { place }),
    ...(translator === undefined ? {} : { translators: [{ literal: translator }] }),
    ...described,
  };
  if (work === null) {
    const original = typeof year === "number" ? { originalYear: year } : {};
    return {
      kind: "page",
      authors,
      title: item.title,
      ...original,
      ...details,
      container: site,
    };
  }
  return {
    ...(typeof year === "number" ? { date: { year } } : {}),
    ...workReference(work, authors),
    ...details,
    site,
  };
}

/**
 * Describes an attribution that is doubtful or not verified; undefined for any other attribution. For a
 * misattributed quotation, the text names the supposed author, because the citation names no author.
 */
function ascriptionText(
  ascription: string | undefined,
  people: readonly LinkedItem[],
): string | undefined {
  if (ascription === "attributed") return "Attributed quotation";
  if (ascription === "disputed") return "Quotation of disputed authorship";
  if (ascription !== "misattributed") return undefined;
  const names = people.map(({ title }) => title).join(" and ");
  return names === "" ? "Misattributed quotation" : `Quotation misattributed to ${names}`;
}

function workReference({ title, fields }: Source, authors: readonly CitedName[]): CitedReference {
  const { year, publisher: house } = fields;
  const publisher = textOf(house);
  const date: CitedDate | undefined = typeof year === "number" ? { year } : undefined;
  return {
    kind: "whole",
    authors,
    title,
    ...(date === undefined ? {} : { date }),
    ...(publisher === undefined ? {} : { publisher }),
  };
}

function workOf(item: ItemSummary, reading: ReadingCopy): Source | null {
  const [link] = linksTo(item, reading.types(), WORK_SCHEMA_ORG_TYPES);
  return link === undefined ? null : sourceAt(link.path, reading);
}

const SOURCES_MAX = 1000;

/** Caches authors and works until the content changes, since many quotations share them. */
const sourcesByReading = new WeakMap<
  ReadingCopy,
  { version: number; sources: Map<string, Source | null> }
>();

type Source = Pick<ItemSummary, "title" | "fields">;

function sourceAt(path: string, reading: ReadingCopy): Source | null {
  const version = reading.version();
  let cache = sourcesByReading.get(reading);
  if (cache?.version !== version || cache.sources.size >= SOURCES_MAX) {
    cache = { version, sources: new Map() };
    sourcesByReading.set(reading, cache);
  }
  const cached = cache.sources.get(path);
  if (cached !== undefined) return cached;
  const found = reading.resolve(path);
  const item = found.kind === "item" ? found.item : null;
  const source = item === null ? null : { title: item.title, fields: item.fields };
  cache.sources.set(path, source);
  return source;
}

function linksTo(
  { type, links }: ItemSummary,
  types: ContentTypes,
  kinds: ReadonlySet<string>,
): LinkedItem[] {
  return Object.entries(types.get(type)?.relations ?? {}).flatMap(([name, { target, many }]) => {
    const isKind = kinds.has(types.get(target)?.schemaOrg ?? "");
    // Omits links to works of the same type: a work in a series is cited without the series.
    const isSameType = target === type;
    return isKind && !isSameType ? (links[name] ?? []).slice(0, many ? undefined : 1) : [];
  });
}

/**
 * The names of people. In the sort name, the family name comes before the comma and the given name
 * after it. If there is no comma, the item's title is the whole name.
 */
function namesOf(people: readonly LinkedItem[], reading: ReadingCopy): CitedName[] {
  return people.map(({ path, title }) => {
    const sortName = textOf(sourceAt(path, reading)?.fields["sort_name"]);
    const [family = "", given = ""] = (sortName ?? "").split(/,\s*/);
    return family !== "" && given !== "" ? { family, given } : { literal: title };
  });
}

function textOf(value: FieldValue | undefined): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
