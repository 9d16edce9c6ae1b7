import type { Block, RangeInput } from "../../content/pages/view.ts";
import type { SiteTexts } from "../../texts/site/english.ts";
import { html, type SafeHtml } from "../html.ts";

type Filters = Extract<Block, { kind: "filters" }>;

/** The filters of a list. They work without scripts: links remove filters, a form adds them. */
export function filtersHtml(block: Filters, { filters, number }: SiteTexts): SafeHtml {
  const { action, hidden, chosen, facets, ranges, sorts } = block;
  const removals =
    chosen.length > 0 &&
    html`<ul class="chosen" aria-label="${filters.chosen}">${chosen.map(({ text, to }) => html`<li><a href="${to}" rel="nofollow">${text}<span class="visually-hidden"> – ${filters.remove}</span><span aria-hidden="true"> ×</span></a></li>`)}</ul>\n`;
  if (facets.length + ranges.length + sorts.length === 0) return html`${removals}`;
  return html`${removals}<form class="filters" action="${action}" method="get" aria-label="${filters.title}">
${hidden.map(({ name, value }) => html`<input type="hidden" name="${name}" value="${value}">`)}
${facets.map(({ name, label, options }) =>
  field(
    name,
    label,
    html`<select id="filter-${name}" name="${name}"><option value="">${filters.any}</option>${options.map(({ value, label, count }) => html`<option value="${value}">${label} (${number(count)})</option>`)}</select>`,
  ),
)}${ranges.map(({ name, label, kind, from, to }) => [
  field(`${name}_from`, `${label} ${filters.from}`, boundInput(kind, `${name}_from`, from)),
  field(`${name}_to`, `${label} ${filters.to}`, boundInput(kind, `${name}_to`, to)),
])}${
  sorts.length > 0 &&
  field(
    "sort",
    filters.sort,
    html`<select id="filter-sort" name="sort">${sorts.map(({ value, label, isChosen }) => html`<option value="${value}"${isChosen && html` selected`}>${label}</option>`)}</select>`,
  )
}<button type="submit">${filters.apply}</button>
</form>
`;
}

function field(name: string, label: string, input: SafeHtml): SafeHtml {
  return html`<p><label for="filter-${name}">${label}</label> ${input}</p>\n`;
}

/**
 * Attributes of the inputs for the ends of a range. A date is a year, optionally followed by a month and a
 * day.
 */
const BOUND_INPUTS: Readonly<Record<RangeInput["kind"], SafeHtml>> = {
  number: html`pattern="-?[0-9]{1,5}" size="5"`,
  date: html`pattern="-?[0-9]{1,6}(-[0-9]{2}){0,2}" size="10"`,
};

function boundInput(kind: RangeInput["kind"], name: string, value: string): SafeHtml {
  return html`<input id="filter-${name}" name="${name}" inputmode="numeric" ${BOUND_INPUTS[kind]} value="${value}">`;
}
