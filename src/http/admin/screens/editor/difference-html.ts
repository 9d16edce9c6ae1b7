import { diffTexts } from "../../../../content/editing/differences.ts";
import { enumValueName, localizePartialDate } from "../../../../content/pages/field-values.ts";
import type { ContentType, Field } from "../../../../content/types/content-type.ts";
import { html, type SafeHtml } from "../../../../render/html.ts";
import { siteTexts } from "../../../../texts/site/site-texts.ts";
import { dateAndTimeText } from "../../texts/choose.ts";
import type { Texts } from "../../texts/english.ts";
import { itemPartLabels } from "../../texts/part-labels.ts";
import type { ScreenVisit } from "../frame/screen.ts";
import { ITEM_ID } from "./item-id.ts";

const CONTEXT_CHARACTERS = 160;
/** Matches times as stored in the record. */
const MOMENT_PATTERN = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

/** Formats the value of a part for readers: texts unchanged, links by title, dates in words. */
export type ValueFormatter = (value: unknown, field: Field | undefined) => string;

/** A part of an item that changed, with its old and new value. */
interface Change {
  part: string;
  before: unknown;
  after: unknown;
}

/** The label of a part, such as `body` or `relations.topics`, in the editor's form. */
export function itemPartLabel(part: string, type: ContentType | undefined, texts: Texts): string {
  const [group, name = ""] = part.split(".");
  if (group === "fields" && name !== "") return type?.fields[name]?.label ?? name;
  if (group === "relations" && name !== "") return type?.relations[name]?.label ?? name;
  return itemPartLabels(texts)[part] ?? part;
}

/** Renders a change as a single text, with deletions and insertions marked. */
export function differenceHtml(
  { texts }: Pick<ScreenVisit, "texts">,
  { part, before, after }: Change,
  { type, format }: { type: ContentType | undefined; format: ValueFormatter },
): SafeHtml {
  const [group, name = ""] = part.split(".");
  const field = group === "fields" ? type?.fields[name] : undefined;
  const pieces = diffTexts(format(before, field), format(after, field));
  if (pieces.length === 0) return html`<p class="state">${texts.publish.empty}</p>\n`;
  const parts = pieces.map(({ kind, text }, at) => {
    if (kind === "removed") return html`<del>${text}</del>`;
    if (kind === "added") return html`<ins>${text}</ins>`;
    return html`${shortenPassage(text, { isFirst: at === 0, isLast: at === pieces.length - 1 })}`;
  });
  return html`<div class="difference">${parts}</div>\n`;
}

/** Shortens a long unchanged passage. Keeps only the text next to the changes before and after it. */
function shortenPassage(
  text: string,
  { isFirst, isLast }: { isFirst: boolean; isLast: boolean },
): string {
  if (text.length <= 3 * CONTEXT_CHARACTERS || (isFirst && isLast)) return text;
  const start = isFirst ? "" : text.slice(0, CONTEXT_CHARACTERS);
  const end = isLast ? "" : text.slice(-CONTEXT_CHARACTERS);
  return `${start} […] ${end}`;
}

/** Returns a formatter for these values, which shows links by the titles of their targets. */
export async function createValueFormatter(
  visit: Pick<ScreenVisit, "parts" | "texts" | "timeZone">,
  values: readonly unknown[],
): Promise<ValueFormatter> {
  const { stores } = visit.parts;
  const targetItems = await stores.desk.outlines([...new Set(values.flatMap(targetsOf))]);
  const { texts } = visit;
  return (value, field) => {
    if (value === null || value === undefined) return "";
    if (typeof value === "boolean") return value ? texts.draft.yes : texts.draft.no;
    if (Array.isArray(value)) return value.map((entry) => entryText(entry, targetItems)).join("\n");
    if (typeof value !== "string") return String(value);
    if (MOMENT_PATTERN.test(value)) return dateAndTimeText(visit, value);
    return targetItems.get(value)?.title ?? fieldText(value, field, texts);
  };
}

function fieldText(value: string, field: Field | undefined, { language }: Texts): string {
  switch (field?.kind) {
    case "enum":
      return enumValueName(field, value);
    case "date":
    case "partial_date":
      return localizePartialDate(value, siteTexts(language));
    default:
      return value;
  }
}

function targetsOf(value: unknown): string[] {
  if (typeof value === "string") return ITEM_ID.test(value) ? [value] : [];
  if (!Array.isArray(value)) return [];
  return value.flatMap((entry) => (isLink(entry) ? [entry.to] : []));
}

function entryText(entry: unknown, targetItems: ReadonlyMap<string, { title: string }>): string {
  if (!isLink(entry)) return String(entry);
  const title = targetItems.get(entry.to)?.title ?? entry.to;
  return entry.note == null ? title : `${title} (${entry.note})`;
}

function isLink(entry: unknown): entry is { to: string; note?: string | null } {
  return typeof entry === "object" && entry !== null && "to" in entry;
}
