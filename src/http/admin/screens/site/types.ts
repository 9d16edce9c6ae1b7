import { STATUSES } from "../../../../content/items/item.ts";
import type { Field, RelationView } from "../../../../content/types/content-type.ts";
import { describeTypes, type TypeOverview } from "../../../../content/types/type-overview.ts";
import { html, type SafeHtml } from "../../../../render/html.ts";
import { numberText } from "../../texts/choose.ts";
import type { Texts } from "../../texts/english.ts";
import { screenAnswer } from "../frame/frame.ts";
import type { Screen } from "../frame/screen.ts";

const PATH = "/admin/types";

/** The content types with their fields, links and numbers of items; they are declared in files. */
export const types: Screen = {
  method: "GET",
  path: PATH,
  scope: "content:read",
  async answer(visit) {
    const { texts, parts, found } = visit;
    const all = await describeTypes(parts.stores.content, found.actor);
    const labels = new Map(all.map(({ name, label }) => [name, label]));
    const cards = all.map((type) => html`<li>${typeHtml(texts, type, labels)}</li>\n`);
    const content = html`<p class="hint">${texts.types.hint}</p>\n<ul class="cards">\n${cards}</ul>\n`;
    return screenAnswer({ ...visit, url: PATH }, { title: texts.types.title, content });
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
<p class="hint">${description}</p>
<dl><dt>${t.items}</dt><dd>${numbers.length === 0 ? "0" : numbers}</dd>
<dt>${t.addresses}</dt><dd>${pathPattern ?? t.anyAddress}</dd>
<dt>${t.name}</dt><dd>${name}</dd></dl>
${fields.length > 0 && html`<details><summary>${t.fields} (${numberText(texts, fields.length)})</summary>\n<dl>${fields.map((field) => fieldHtml(texts, field))}</dl></details>\n`}${relations.length > 0 && html`<details><summary>${t.links} (${numberText(texts, relations.length)})</summary>\n<dl>${relations.map((relation) => relationHtml(texts, relation, labels))}</dl></details>\n`}`;
}

function fieldHtml(
  { types: t }: Texts,
  { kind, label, description, values = [], filter = false }: Field,
): SafeHtml {
  const kindText = kind === "enum" ? `${t.kinds.enum}: ${values.join(", ")}` : t.kinds[kind];
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
