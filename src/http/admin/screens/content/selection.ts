import { changeStatuses } from "../../../../content/editing/many/statuses.ts";
import { findReferencesToEach } from "../../../../content/editing/references.ts";
import { AppError } from "../../../../errors.ts";
import { html, type SafeHtml } from "../../../../render/html.ts";
import { messageInAllLanguages, numberText } from "../../texts/choose.ts";
import { csrfTokenField, screenResponse } from "../frame/frame.ts";
import type { Screen, ScreenVisit } from "../frame/screen.ts";
import { selectedLinksFormResponse } from "../many/selected-links.ts";
import { type ListedItem, renderEditableItemCards, renderItemCardsInForm } from "./item-cards.ts";

const SCREEN_PATH = "/admin/content";
const BULK_ACTIONS = ["publish", "gone", "draft", "delete"] as const;
/** Maximum number of items in a request; a page of the list has fewer. */
const ITEMS_MAX = 100;

/** Changes the status of the items selected in the list, and reports the outcome of each. */
export const selectionScreen: Screen = {
  method: "POST",
  path: `${SCREEN_PATH}/selection`,
  scope: "content:publish",
  async answer(visit, form) {
    const { texts, parts, signedIn, now, requestId } = visit;
    const t = texts.content.selection;
    const ids = form.values("item").slice(0, ITEMS_MAX);
    if (form.value("how") === "links") return await selectedLinksFormResponse(visit, ids);
    const how = BULK_ACTIONS.find((name) => name === form.value("how"));
    if (how === undefined || ids.length === 0)
      throw new AppError(
        "invalid",
        messageInAllLanguages(({ content }) => content.selection.nothingTicked),
      );
    const stores = { ...parts.stores, deskIndex: parts.deskIndex };
    const ignoresReferences = how === "publish" || form.value("references") === "keep";
    const references = ignoresReferences
      ? new Map()
      : await findReferencesToEach(stores, signedIn.actor, ids);
    const options = { now, requestId, references };
    const reports = await parts.atomically(({ content }) =>
      changeStatuses(content, signedIn.actor, { how, ids }, options),
    );
    const items = await parts.stores.desk.outlines(ids);
    const rows = reports.map(
      ({ id, outcome, message }) =>
        html`<li><a href="${SCREEN_PATH}/${id}">${items.get(id)?.title ?? id}</a> <span class="tag">${t.outcomes[outcome]}</span>${message !== undefined && html`\n<p class="found">${message[texts.language]}</p>`}</li>\n`,
    );
    const changed = reports.filter(({ outcome }) => outcome === "changed").length;
    const content = html`<p class="state">${t.changed(numberText(texts, changed), numberText(texts, reports.length))}</p>
<ul class="cards">\n${rows}</ul>\n<p><a class="button quiet" href="${SCREEN_PATH}">${t.back}</a></p>\n`;
    return screenResponse({ ...visit, url: SCREEN_PATH }, { title: t.title, content });
  },
};

/** Renders items with a checkbox each, and the actions for the selected items. */
export async function renderSelectableItemCards(
  visit: ScreenVisit,
  items: readonly ListedItem[],
): Promise<SafeHtml> {
  const { texts, signedIn } = visit;
  const t = texts.content.selection;
  if (!signedIn.actor.scopes.includes("content:publish"))
    return await renderEditableItemCards(visit, items);
  const checkbox = ({ id, title }: ListedItem) =>
    html`<input type="checkbox" name="item" value="${id}" aria-label="${t.tick(title)}"> `;
  const labels = {
    publish: texts.item.publish,
    gone: texts.item.archive,
    draft: texts.item.unpublish,
    delete: texts.item.delete,
  };
  const options = BULK_ACTIONS.map(
    (name) => html`<option value="${name}">${labels[name]}</option>`,
  );
  return html`<form method="post" action="${SCREEN_PATH}/selection" class="action">
${csrfTokenField(visit)}${await renderItemCardsInForm(visit, items, checkbox)}<div class="bar filters selection"><p><label>${t.how}<select name="how">${options}<option value="links">${texts.many.links.choice}</option></select></label></p>
<p><button class="quiet">${t.button}</button></p>
<p><label class="choice"><input type="checkbox" name="references" value="keep"><span>${t.keep}</span></label></p></div>
</form>
`;
}
