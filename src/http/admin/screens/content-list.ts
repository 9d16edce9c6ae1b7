import { listItems } from "../../../content/editing/desk.ts";
import { type ItemOutline, STATUSES } from "../../../content/items/item.ts";
import { html, type SafeHtml } from "../../../render/html.ts";
import { momentText, numberText } from "../texts/choose.ts";
import { actionForm, screenAnswer } from "./frame.ts";
import type { Screen, ScreenVisit } from "./screen.ts";

const PAGE_ITEMS = 50;
const PATH = "/admin/content";

/** Content of every status, found by title or address. */
export const contentList: Screen = {
  method: "GET",
  path: PATH,
  scope: "content:read",
  async answer(visit) {
    const { texts, parts, found, query } = visit;
    const asked = query.get("q")?.trim().slice(0, 200) ?? "";
    const type = query.get("type") ?? "";
    const status = STATUSES.find((name) => name === query.get("status"));
    const cursor = query.get("cursor");
    const { items, total, nextCursor } = await listItems(parts.stores, found.actor, {
      types: type === "" ? [] : [type],
      statuses: status === undefined ? STATUSES.filter((name) => name !== "deleted") : [status],
      ...(asked === "" ? {} : { text: asked }),
      sort: "updated",
      descending: true,
      limit: PAGE_ITEMS,
      ...(cursor === null ? {} : { cursor }),
    });
    const content = html`${await filters(visit, { asked, type, status })}<p class="state">${texts.content.total(numberText(texts, total))}</p>
${items.length === 0 ? html`<p>${texts.content.none}</p>\n` : await itemCards(visit, items)}${nextCursor !== null && html`<p><a class="button quiet" href="${PATH}?${String(new URLSearchParams({ q: asked, type, status: status ?? "", cursor: nextCursor }))}">${texts.content.next}</a></p>\n`}${await newItemForms(visit, items.length === 0 ? asked : "")}`;
    return screenAnswer({ ...visit, url: PATH }, { title: texts.content.title, content });
  },
};

/** Items with their kind, status and time of change. */
export async function itemCards(
  { texts, parts }: ScreenVisit,
  items: readonly ItemOutline[],
): Promise<SafeHtml> {
  const types = await parts.stores.content.types();
  const cards = items.map(
    ({ id, title, type, status, path, updatedAt }) =>
      html`<li><a href="${PATH}/${id}">${title === "" ? texts.content.untitled : title}</a> <span class="tag ${status}">${texts.status[status]}</span>
<div class="state">${types.get(type)?.label ?? type} · ${path} · ${momentText(texts, updatedAt)}</div></li>\n`,
  );
  return html`<ul class="cards">\n${cards}</ul>\n`;
}

/** A button for each kind of content; a new item may start with the title that was looked for. */
export async function newItemForms(visit: ScreenVisit, title: string): Promise<SafeHtml> {
  const { texts, parts, found } = visit;
  if (!found.actor.scopes.includes("content:write")) return html``;
  const types = [...(await parts.stores.content.types()).values()];
  const forms = types.map(({ name, label }) =>
    actionForm(visit, "/admin/new", {
      button: label,
      hidden: { type: name, title },
      isQuiet: true,
    }),
  );
  const heading = title === "" ? texts.desk.create : texts.content.createNamed(title);
  return html`<h2>${heading}</h2>\n<div class="actions">\n${forms}</div>\n`;
}

async function filters(
  { texts, parts }: ScreenVisit,
  { asked, type, status }: { asked: string; type: string; status: string | undefined },
): Promise<SafeHtml> {
  const types = [...(await parts.stores.content.types()).values()];
  return html`<form class="filters" action="${PATH}">
<p><label>${texts.find.label}<input type="search" name="q" value="${asked}"></label></p>
<p><label>${texts.content.type}<select name="type"><option value="">${texts.content.anyType}</option>${types.map(({ name, label }) => option(name, label, name === type))}</select></label></p>
<p><label>${texts.content.status}<select name="status"><option value="">${texts.content.anyStatus}</option>${STATUSES.map((name) => option(name, texts.status[name], name === status))}</select></label></p>
<p><button class="quiet">${texts.find.button}</button></p>
</form>
`;
}

export function option(value: string, label: string, isSelected: boolean): SafeHtml {
  return html`<option value="${value}"${isSelected && html` selected`}>${label}</option>`;
}
