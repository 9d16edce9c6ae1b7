import { cutAtWord } from "../../search/language/folding.ts";
import type { ContentType } from "../types/content-type.ts";

const GUESSED_TITLE_CHARACTERS_MAX = 70;
/**
 * Number of characters at the start of a text that are used to make a title. The limit is low,
 * because each save of a draft makes a title.
 */
const SOURCE_CHARACTERS_MAX = 20_000;
const TITLE_SOURCE_CHARACTERS_MAX = 1000;

/** A title made from the first words of a text. */
export function titleFromText(text: string): string {
  const line = text
    .slice(0, SOURCE_CHARACTERS_MAX)
    .replace(/<[^<>]*>/g, " ")
    .replace(/[*_`#>]|\]\([^\])]*\)|\[/g, "")
    .replace(/\s+/g, " ")
    .slice(0, TITLE_SOURCE_CHARACTERS_MAX)
    .replace(/^["'“”„«»‚‘’]+|["'“”«»‘’]+$/g, "")
    .trim();
  return cutAtWord(line, GUESSED_TITLE_CHARACTERS_MAX);
}

/** Whether the title of items of this type defaults to the first words of their text. */
export function isTitledFromText({ schemaOrg }: Pick<ContentType, "schemaOrg">): boolean {
  return schemaOrg === "Quotation";
}

/** The title of a draft; for a quotation without a title, the first words of its text. */
export function draftTitle(type: ContentType, parts: Readonly<Record<string, unknown>>): string {
  if (isTitledFromText(type)) return draftNameInLists(parts);
  return typeof parts["title"] === "string" ? parts["title"] : "";
}

/**
 * The name of a new item's draft in lists: its title, or else the first words of its text, or else
 * empty.
 */
export function draftNameInLists({ title, body }: Readonly<Record<string, unknown>>): string {
  const stated = typeof title === "string" ? title.trim() : "";
  return stated === "" && typeof body === "string" ? titleFromText(body) : stated;
}
