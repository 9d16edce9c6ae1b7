import type { OutlineWithSnippet } from "../../../../content/desk/finding.ts";
import { html, type SafeHtml } from "../../../../render/html.ts";
import { dateAndTimeText } from "../../texts/choose.ts";
import { csrfTokenField } from "../frame/frame.ts";
import type { ScreenVisit } from "../frame/screen.ts";
import { readTypesWithScreenLabels } from "../frame/screen-types.ts";

const SCREEN_PATH = "/admin/content";

export interface ListedItem extends OutlineWithSnippet {
  /** A line of text with the item's fields and links. */
  columns?: SafeHtml;
}

/** A list entry for an item. */
interface Card {
  /** Title and status. */
  head: SafeHtml;
  /** Type, path and time of change, shown below. */
  rest: SafeHtml;
}

/** Renders items with their type, status and time of change. */
export async function renderItemCards(
  visit: ScreenVisit,
  items: readonly ListedItem[],
): Promise<SafeHtml> {
  return await cards(visit, items, ({ head, rest }) => html`<li>${head}\n${rest}</li>\n`);
}

/** Renders {@link renderItemCards}, each with a button that opens the editor. */
export async function renderEditableItemCards(
  visit: ScreenVisit,
  items: readonly ListedItem[],
): Promise<SafeHtml> {
  if (!mayEdit(visit)) return await renderItemCards(visit, items);
  return html`<form method="post">
${csrfTokenField(visit)}${await renderItemCardsInForm(visit, items)}</form>
`;
}

/**
 * Renders item cards to be placed in a form. Editors get a button on each card that opens the
 * editor. `before` renders the HTML that precedes a card.
 */
export async function renderItemCardsInForm(
  visit: ScreenVisit,
  items: readonly ListedItem[],
  before: (item: ListedItem) => SafeHtml | null = () => null,
): Promise<SafeHtml> {
  const { item: t } = visit.texts;
  const isEditor = mayEdit(visit);
  return await cards(visit, items, (card, item) => {
    const mayOpen = isEditor && item.status !== "deleted";
    return html`<li class="editable">${before(item)}<div>${card.head}</div>${mayOpen && html`<button class="quiet" formaction="${SCREEN_PATH}/${item.id}/edit" aria-label="${t.editNamed(titleOf(visit, item))}">${t.edit}</button>`}<div class="rest">${card.rest}</div></li>\n`;
  });
}

async function cards(
  visit: ScreenVisit,
  items: readonly ListedItem[],
  shown: (card: Card, item: ListedItem) => SafeHtml,
): Promise<SafeHtml> {
  const { texts } = visit;
  const types = await readTypesWithScreenLabels(visit);
  const list = items.map((item) => {
    const { id, type, status, path, updatedAt, snippet, columns } = item;
    const head = html`<a href="${SCREEN_PATH}/${id}">${titleOf(visit, item)}</a> <span class="tag ${status}">${texts.status[status]}</span>`;
    const rest = html`<div class="state">${types.get(type)?.label ?? type} · ${path} · ${dateAndTimeText(visit, updatedAt)}</div>${columns}${snippet !== undefined && snippet !== "" && html`\n<p class="found">${snippet}</p>`}`;
    return shown({ head, rest }, item);
  });
  return html`<ul class="cards">\n${list}</ul>\n`;
}

function mayEdit({ signedIn }: ScreenVisit): boolean {
  return signedIn.actor.scopes.includes("content:write");
}

function titleOf({ texts }: ScreenVisit, { title }: OutlineWithSnippet): string {
  return title === "" ? texts.content.untitled : title;
}
