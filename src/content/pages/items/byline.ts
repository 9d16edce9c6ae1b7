import type { PublishedItem } from "../../library.ts";
import { creatorRelation } from "../../lists/best-first.ts";
import { readTextField } from "../../lists/event-times.ts";
import type { Edition } from "../../site/editions.ts";
import type { ContentType } from "../../types/content-type.ts";
import { isEventType } from "../../types/date-fields.ts";
import { WORK_SCHEMA_ORG_TYPES } from "../../types/source-types.ts";
import { formatFieldValues, localizePartialDate } from "../field-values.ts";
import { joinInlineContent } from "../lines.ts";
import type { Block, InlineContent } from "../view.ts";
import { linkWithNote } from "./item-facts.ts";

/**
 * The line below an item's heading. `names` has the names of the links and fields in this line,
 * because the page does not repeat them as facts.
 */
export interface Byline {
  blocks: readonly Block[];
  names: ReadonlySet<string>;
}

interface Part {
  name: string;
  line: readonly InlineContent[];
}

export const NO_BYLINE: Byline = { blocks: [], names: new Set() };

/** The authors and the year of a work, or the day of a dated article, such as news. */
export function bylineOf(item: PublishedItem, type: ContentType, edition: Edition): Byline {
  const parts = WORK_SCHEMA_ORG_TYPES.has(type.schemaOrg)
    ? [...creatorParts(item, type, edition), ...yearParts(item, type, edition)]
    : dayParts(item, type, edition);
  if (parts.length === 0) return NO_BYLINE;
  const line = joinInlineContent(
    parts.map((part) => part.line),
    " · ",
  );
  return { blocks: [{ kind: "byline", line }], names: new Set(parts.map(({ name }) => name)) };
}

function creatorParts(
  { links }: PublishedItem,
  type: ContentType,
  { types, texts }: Edition,
): Part[] {
  const name = creatorRelation(type, types);
  const creators = name === null ? [] : (links[name] ?? []);
  if (name === null || creators.length === 0) return [];
  return [{ name, line: joinInlineContent(creators.map(linkWithNote), texts.comma) }];
}

function yearParts({ fields }: PublishedItem, type: ContentType, { texts }: Edition): Part[] {
  const name = "year";
  const field = type.fields[name];
  const value = fields[name];
  if (field === undefined || value === undefined) return [];
  return [{ name, line: formatFieldValues(name, value, { field, texts }).flat() }];
}

function dayParts({ fields }: PublishedItem, type: ContentType, { texts }: Edition): Part[] {
  if (type.dated === undefined || isEventType(type)) return [];
  const name = type.dated.by;
  const day = readTextField(fields, name);
  return day === null ? [] : [{ name, line: [localizePartialDate(day, texts)] }];
}
