import { requireScope } from "../../../../access/actor.ts";
import { requireExistingItem } from "../../../../content/editing/item-to-change.ts";
import { type MergeReport, mergeItems } from "../../../../content/editing/many/merging-items.ts";
import type { Item } from "../../../../content/items/item.ts";
import { findDocument } from "../../../../discovery/documents.ts";
import { AppError } from "../../../../errors.ts";
import { html, type SafeHtml } from "../../../../render/html.ts";
import type { HttpResponse } from "../../../exchange.ts";
import type { SentForm } from "../../../site/sent-form.ts";
import { errorText } from "../../error-text.ts";
import { redirectResponse } from "../../page.ts";
import { messageInAllLanguages, numberText } from "../../texts/choose.ts";
import { findChosenItemId } from "../editor/chosen-item.ts";
import { itemPickerField } from "../editor/relation-field.ts";
import { actionForm, screenResponse } from "../frame/frame.ts";
import type { Screen, ScreenVisit } from "../frame/screen.ts";
import { PICKER_SCRIPT_PATH } from "../frame/scripts.ts";

const SCREEN_PATH = "/admin/content";

const ask: Screen = {
  method: "GET",
  path: `${SCREEN_PATH}/{id}/merge`,
  scope: "content:publish",
  async answer(visit) {
    requireScope(visit.signedIn.actor, "content:publish");
    const item = await requireExistingItem(visit.parts.stores.content, visit.pathParameter("id"));
    return answer(visit, item, askForm(visit, item));
  },
};

/** Shows what merging two items would change. If the form has `apply`, merges them. */
const merge: Screen = {
  method: "POST",
  path: `${SCREEN_PATH}/{id}/merge`,
  scope: "content:publish",
  async answer(visit, form) {
    const { parts, signedIn, now, requestId } = visit;
    const item = await requireExistingItem(parts.stores.content, visit.pathParameter("id"));
    try {
      const other = await otherItem(visit, form, item);
      const isDryRun = form.value("apply") === "";
      const site = {
        origin: parts.origin,
        isDocument: (path: string) => findDocument(path) !== null,
      };
      const merged = await parts.atomically((stores) =>
        mergeItems(
          stores,
          signedIn.actor,
          { from: item.id, into: other.id },
          { isDryRun, now, requestId, ...site },
        ),
      );
      if (!isDryRun) return redirectResponse(`${SCREEN_PATH}/${other.id}`);
      return answer(visit, item, mergeSummary(visit, { item, other, merged }));
    } catch (error) {
      if (!(error instanceof AppError) || error.code === "forbidden") throw error;
      return answer(visit, item, askForm(visit, item), error);
    }
  },
};

export const mergeScreens: readonly Screen[] = [ask, merge];

async function otherItem(visit: ScreenVisit, form: SentForm, { type }: Item): Promise<Item> {
  const { parts } = visit;
  const id = await findChosenItemId(visit, form, { name: "into", type });
  if (id === null)
    throw new AppError(
      "invalid",
      messageInAllLanguages(({ many }) => many.merge.intoMissing),
    );
  return await requireExistingItem(parts.stores.content, id);
}

function answer(visit: ScreenVisit, item: Item, step: SafeHtml, error?: AppError): HttpResponse {
  const t = visit.texts.many.merge;
  const content = html`<p class="hint">${t.hint}</p>
${step}<p><a href="${SCREEN_PATH}/${item.id}">${t.back}</a></p>`;
  const title = t.title(item.title === "" ? visit.texts.content.untitled : item.title);
  const status = error === undefined ? 200 : 422;
  const scripts = [PICKER_SCRIPT_PATH];
  return screenResponse(
    { ...visit, url: SCREEN_PATH },
    { title, content, fault: error && errorText(error, visit), status, scripts },
  );
}

function askForm(visit: ScreenVisit, { id, type }: Item): SafeHtml {
  const t = visit.texts.many.merge;
  const field = { label: t.into, hint: t.intoHint, type };
  return actionForm(visit, `${SCREEN_PATH}/${id}/merge`, {
    button: t.look,
    isQuiet: true,
    content: itemPickerField("into", field, visit.texts),
  });
}

function mergeSummary(
  visit: ScreenVisit,
  { item, other, merged }: { item: Item; other: Item; merged: MergeReport },
): SafeHtml {
  const { texts } = visit;
  const t = texts.many.merge;
  const { moved, addresses, aliases } = merged;
  const form = actionForm(visit, `${SCREEN_PATH}/${item.id}/merge`, {
    button: t.apply,
    hidden: { "r.into": other.id, apply: "1" },
  });
  return html`<h2>${t.wouldBe(other.title)}</h2>
<ul><li>${t.moved(numberText(texts, moved))}</li>
<li>${t.addresses} ${addresses.join(", ")}</li>
${aliases.length > 0 && html`<li>${t.aliases} ${aliases.join(", ")}</li>\n`}</ul>
${form}`;
}
