import { STATUSES } from "../../../../content/items/item.ts";
import { enumValueName } from "../../../../content/pages/field-values.ts";
import { BUILT_IN_TYPES } from "../../../../content/types/built-in.ts";
import type { Field } from "../../../../content/types/content-type.ts";
import type { RelationView } from "../../../../content/types/relation-views.ts";
import { readTypeOverviews, type TypeOverview } from "../../../../content/types/type-overview.ts";
import { html, type SafeHtml } from "../../../../render/html.ts";
import { numberText } from "../../texts/choose.ts";
import type { Texts } from "../../texts/english.ts";
import { screenResponse } from "../frame/frame.ts";
import type { Screen } from "../frame/screen.ts";
import { readTypesWithScreenLabels } from "../frame/screen-types.ts";
import { isBuiltInType, newTypeForm } from "./type-editing.ts";

const SCREEN_PATH = "/admin/types";

/** The content types with their fields, links and numbers of items. */
export const typesScreen: Screen = {
  method: "GET",
  path: SCREEN_PATH,
  scope: "content:read",
  async answer(visit) {
    const { texts, parts, signedIn } = visit;
    const { content: record } = parts.stores;
    const stores = {
      types: () => readTypesWithScreenLabels(visit),
      typeCounts: () => record.typeCounts(),
    };
    const overviews = await readTypeOverviews(stores, signedIn.actor);
    const labels = new Map(overviews.map(({ name, label }) => [name, label]));
    const mayChange = signedIn.actor.scopes.includes("settings:write");
    const builtIn = new Set(BUILT_IN_TYPES.map(({ name }) => name));
    const cards = overviews.map((type) => {
      const isEditable = mayChange && (!builtIn.has(type.name) || isBuiltInType(type.name));
      const edit =
        isEditable &&
        html`<a class="button quiet" href="${SCREEN_PATH}/${type.name}">${texts.types.change}</a>`;
      return html`<li>${typeHtml(texts, type, labels)}${edit}</li>\n`;
    });
    const content = html`<p class="hint">${texts.types.hint}</p>\n<ul class="cards">\n${cards}</ul>\n${mayChange && newTypeForm(visit)}<p class="hint">${texts.types.filesHint}</p>\n`;
    return screenResponse({ ...visit, url: SCREEN_PATH }, { title: texts.types.title, content });
  },
};

function typeHtml(
  texts: Texts,
  { name, label, description, pathPattern, fields, relations, counts }: TypeOverview,
  labels: ReadonlyMap<string, string>,
): SafeHtml {
  const t = texts.types;
  const numbers = STATUSES.filter((status) => status !== "deleted" && counts[status] > 0).map(
    (status) =>
      html`<a href="/admin/content?${String(new URLSearchParams({ type: name, status }))}">${texts.status[status]}: ${numberText(texts, counts[status])}</a> `,
  );
  return html`<h2>${label}</h2>
${description !== "" && html`<p class="hint">${description}</p>\n`}<dl><dt>${t.items}</dt><dd>${numbers.length === 0 ? t.noItems : numbers}</dd></dl>
${fields.length > 0 && html`<details><summary>${t.fields} (${numberText(texts, fields.length)})</summary>\n<dl>${fields.map((field) => fieldHtml(texts, field))}</dl></details>\n`}${relations.length > 0 && html`<details><summary>${t.links} (${numberText(texts, relations.length)})</summary>\n<dl>${relations.map((relation) => relationHtml(texts, relation, labels))}</dl></details>\n`}<details><summary>${t.technical}</summary>
<dl><dt>${t.addresses}</dt><dd>${pathPattern?.replace("{slug}", "…") ?? t.anyAddress}</dd>
<dt>${t.name}</dt><dd>${name}</dd></dl></details>\n`;
}

function fieldHtml({ types: t }: Texts, field: Field): SafeHtml {
  const { kind, label, description, values = [], filter = false } = field;
  const choices = values.map((value) => enumValueName(field, value)).join(", ");
  const kindText = kind === "enum" ? `${t.kinds.enum}: ${choices}` : t.kinds[kind];
  return html`<dt>${label}</dt><dd>${kindText}${filter && html` <span class="state">· ${t.isFilter}</span>`}${description !== undefined && html`<br><span class="hint">${description}</span>`}</dd>\n`;
}

function relationHtml(
  { types: t }: Texts,
  { label, direction, otherType, many }: RelationView,
  labels: ReadonlyMap<string, string>,
): SafeHtml {
  const side = direction === "in" ? ` · ${t.stated}` : "";
  return html`<dt>${label}</dt><dd>${labels.get(otherType) ?? otherType} <span class="state">· ${many ? t.several : t.one}${side}</span></dd>\n`;
}
