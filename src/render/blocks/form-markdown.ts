import { pageUrl } from "../../content/addresses/addresses.ts";
import type { VisitorForm } from "../../content/pages/contact-forms.ts";
import type { FilterForm, InlineContent } from "../../content/pages/view.ts";
import type { SiteTexts } from "../../texts/site/english.ts";
import { inlineMarkdown, type MarkdownLinkContext } from "../inline-markdown.ts";
import { escapeInline, formatCodeSpan } from "../markdown-text.ts";
import type { PictureContext } from "../pictures.ts";

const FACET_OPTIONS_MAX = 8;

export interface BlockMarkdownContext extends MarkdownLinkContext, PictureContext {
  /** The texts of the site in the language of the page. */
  texts: SiteTexts;
}

/** Links that remove the active filters, followed by the facets, ranges and orders to choose from. */
export function filtersMarkdown(
  { chosen, facets, ranges, sorts }: FilterForm,
  context: BlockMarkdownContext,
): string {
  const { filters, number, comma } = context.texts;
  const removals = chosen.map(
    (anchor) => `- ${filters.remove}: ${inlineMarkdown([anchor], context, "inside")}`,
  );
  const groups = facets.map(({ name, label, options }) => {
    const shown = options
      .slice(0, FACET_OPTIONS_MAX)
      .map(({ label: text, count }) => `${escapeInline(text)} (${number(count)})`);
    return `- ${escapeInline(label)} (${formatCodeSpan(`${name}=`)}): ${shown.join(comma)}`;
  });
  const bounds = ranges.map(({ name, label }) => {
    const names = [`${name}_from=`, `${name}_to=`].map(formatCodeSpan);
    return `- ${escapeInline(label)} (${names.join(comma)})`;
  });
  const orders = sorts.map(
    ({ value, label }) => `${escapeInline(label)} (${formatCodeSpan(value)})`,
  );
  const order =
    orders.length === 0
      ? []
      : [`- ${escapeInline(filters.sort)} (${formatCodeSpan("sort=")}): ${orders.join(comma)}`];
  return [...removals, ...groups, ...bounds, ...order].join("\n");
}

/** The form's fields, for an agent to explain to its user. */
export function formMarkdown(
  { action, fields }: VisitorForm,
  context: BlockMarkdownContext,
): string {
  const url = pageUrl(context.origin, action);
  const { form } = context.texts;
  const asked = fields.map(({ label, hint, isRequired, choices }) => {
    const notes = [
      ...(isRequired ? [] : [form.optional]),
      ...choices.map((choice) => choice.label),
    ];
    const hints = notes.length === 0 ? "" : ` (${escapeInline(notes.join("; "))})`;
    return `- ${escapeInline(label)}${hints}${hint === null ? "" : ` – ${escapeInline(hint)}`}`;
  });
  return `${inlineMarkdown(form.isAt<InlineContent>({ code: url }), context)}\n\n${asked.join("\n")}`;
}
