import type { OutlineWithSnippet } from "../../../../content/desk/finding.ts";
import { type ItemColumns, readItemColumns } from "../../../../content/editing/desk.ts";
import { enumValueName, localizePartialDate } from "../../../../content/pages/field-values.ts";
import { NAVIGATION_FIELD } from "../../../../content/site/navigation-order.ts";
import {
  type ContentType,
  type Field,
  type FieldValue,
  filterableFields,
} from "../../../../content/types/content-type.ts";
import { html, type SafeHtml } from "../../../../render/html.ts";
import { siteTexts } from "../../../../texts/site/site-texts.ts";
import { numberText } from "../../texts/choose.ts";
import type { Texts } from "../../texts/english.ts";
import { optionElement } from "../frame/option.ts";
import type { ScreenVisit } from "../frame/screen.ts";
import type { ListedItem } from "./item-cards.ts";

/** Prefix of query parameters that filter a list by a field. */
const FILTER_PREFIX = "field-";
const ORDERED_KINDS: readonly Field["kind"][] = ["integer", "number", "date", "partial_date"];
const LINKS_SHOWN_MAX = 3;

/** Reads the field filters from a query, in the form that `findContent` expects. */
export function fieldFiltersFromQuery(type: ContentType | undefined, query: URLSearchParams) {
  const filters: Record<string, unknown> = {};
  for (const [name, field] of type === undefined ? [] : filterableFields(type)) {
    const key = `${FILTER_PREFIX}${name}`;
    const [value, from, to] = [key, `${key}-from`, `${key}-to`].map(
      (parameter) => query.get(parameter)?.trim() ?? "",
    );
    if (isOrdered(field)) {
      const range = { ...(from && { from }), ...(to && { to }) };
      if (Object.keys(range).length > 0) filters[name] = range;
    } else if (value) filters[name] = value;
  }
  return filters;
}

/** Form controls that filter a list by the fields of its type. */
export function fieldFilterControls(
  texts: Texts,
  type: ContentType,
  query: URLSearchParams,
): SafeHtml[] {
  return filterableFields(type).map(([name, field]) => {
    const key = `${FILTER_PREFIX}${name}`;
    const value = query.get(key) ?? "";
    if (isOrdered(field)) return rangeFields(texts, field, { key, query });
    const control =
      field.kind === "enum" || field.kind === "boolean"
        ? html`<select name="${key}"><option value="">${texts.content.anyValue}</option>${choicesOf(texts, field).map(([choice, label]) => optionElement(choice, label, choice === value))}</select>`
        : html`<input name="${key}" value="${value}" maxlength="200">`;
    return html`<p><label>${field.label}${control}</label></p>\n`;
  });
}

/**
 * Adds to each item a line of text with its fields and links. Changes nothing without a `type`,
 * because the list then mixes types.
 */
export async function withTypeColumns(
  { texts, parts, signedIn }: ScreenVisit,
  type: ContentType | undefined,
  items: readonly OutlineWithSnippet[],
): Promise<ListedItem[]> {
  if (type === undefined) return [...items];
  const ids = items.map(({ id }) => id);
  const columns = await readItemColumns(parts.stores, signedIn.actor, ids);
  return items.map((item) => {
    const found = columns.get(item.id);
    return found === undefined ? item : { ...item, columns: columnsHtml(texts, type, found) };
  });
}

function columnsHtml(
  texts: Texts,
  type: ContentType,
  { fields, linkedTitles }: ItemColumns,
): SafeHtml {
  const links = Object.entries(type.relations).flatMap(([name, { label }]) => {
    const titles = linkedTitles.get(name) ?? [];
    if (titles.length === 0) return [];
    const more = titles.length - LINKS_SHOWN_MAX;
    const shown = titles.slice(0, LINKS_SHOWN_MAX).join(", ");
    return [`${label}: ${shown}${more > 0 ? ` +${numberText(texts, more)}` : ""}`];
  });
  const values = Object.entries(type.fields).flatMap(([name, field]) => {
    const value = fields[name];
    const isListed = (field.filter === true || field.sort === true) && name !== NAVIGATION_FIELD;
    return value === undefined || !isListed
      ? []
      : [`${field.label}: ${valueText(texts, field, value)}`];
  });
  const line = [...links, ...values].join(" · ");
  return html`${line !== "" && html`<div class="state">${line}</div>\n`}`;
}

function valueText({ language }: Texts, field: Field, value: FieldValue): string {
  const texts = siteTexts(language);
  if (typeof value === "boolean") return value ? texts.item.yes : texts.item.no;
  if (typeof value === "object") return value.join(", ");
  if (field.kind === "date" || field.kind === "partial_date") {
    return localizePartialDate(String(value), texts);
  }
  return enumValueName(field, String(value));
}

function rangeFields(
  texts: Texts,
  field: Field,
  { key, query }: { key: string; query: URLSearchParams },
): SafeHtml {
  const t = texts.content;
  const inputOf = (end: "from" | "to", label: string) =>
    html`<p><label>${field.label} ${label}<input name="${key}-${end}" value="${query.get(`${key}-${end}`) ?? ""}" size="10" maxlength="20"></label></p>\n`;
  return html`${inputOf("from", t.from)}${inputOf("to", t.to)}`;
}

function choicesOf({ language }: Texts, field: Field): [value: string, label: string][] {
  const { yes, no } = siteTexts(language).item;
  if (field.kind === "boolean") {
    return [
      ["true", yes],
      ["false", no],
    ];
  }
  return (field.values ?? []).map((value) => [value, enumValueName(field, value)]);
}

function isOrdered({ kind }: Field): boolean {
  return ORDERED_KINDS.includes(kind);
}
