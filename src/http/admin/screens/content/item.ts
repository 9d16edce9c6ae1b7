import { type ItemDetail, readItem } from "../../../../content/editing/desk.ts";
import { publishItem } from "../../../../content/editing/publishing.ts";
import { listRevisions } from "../../../../content/editing/revisions.ts";
import { type ItemOutline, STATUS_TRANSITIONS } from "../../../../content/items/item.ts";
import { html, type SafeHtml } from "../../../../render/html.ts";
import type { HttpResponse } from "../../../exchange.ts";
import {
  isRedirectAfterItemChange,
  redirectAfterItemChange,
  redirectResponse,
} from "../../page.ts";
import { dateAndTimeText, numberText } from "../../texts/choose.ts";
import type { LinkLookupResult } from "../editor/link-names.ts";
import { missingDateNotice } from "../editor/publishing/undated-notice.ts";
import { nextPageLink } from "../frame/cards.ts";
import { actionForm, screenResponse } from "../frame/frame.ts";
import type { Screen, ScreenVisit } from "../frame/screen.ts";
import { PICKER_SCRIPT_PATH } from "../frame/scripts.ts";
import { viewOnSitePath } from "../frame/view-path.ts";
import { parseWholeNumber } from "../frame/whole-number.ts";
import { incomingLinksForm, linkOthersToItem } from "./link-items.ts";
import { findActorLabels } from "./person-names.ts";
import { expiryAndReviewHtml, reviewCompletionForm } from "./review.ts";
import { allowedWithdrawals, canOnlyBeDeleted } from "./withdraw.ts";

const SCREEN_PATH = "/admin/content";
const REVISIONS_SHOWN_MAX = 20;

/** Shows an item: its status, what links to it, and its history. */
const itemScreen: Screen = {
  method: "GET",
  path: `${SCREEN_PATH}/{id}`,
  scope: "content:read",
  answer: async (visit) => await itemResponse(visit, null),
};

const publish: Screen = {
  method: "POST",
  path: `${SCREEN_PATH}/{id}/publish`,
  scope: "content:write",
  async answer(visit, form) {
    const { parts, signedIn, now, requestId } = visit;
    const id = visit.pathParameter("id");
    const revision = parseWholeNumber(form.value("revision"));
    await parts.atomically(({ content }) =>
      publishItem(content, signedIn.actor, id, { now, requestId, revision }),
    );
    return redirectAfterItemChange(id);
  },
};

const link: Screen = {
  method: "POST",
  path: `${SCREEN_PATH}/{id}/linked`,
  scope: "content:write",
  async answer(visit, form) {
    const namedLinks = await linkOthersToItem(visit, form);
    if (namedLinks.fault !== null) return await itemResponse(visit, namedLinks);
    return redirectResponse(`${SCREEN_PATH}/${visit.pathParameter("id")}`);
  },
};

export const itemScreens: readonly Screen[] = [itemScreen, publish, link];

/**
 * Renders the screen of an item. `unlinked` contains names that were just entered but could not be
 * linked.
 */
async function itemResponse(
  visit: ScreenVisit,
  unlinked: LinkLookupResult | null,
): Promise<HttpResponse> {
  const { texts, parts, signedIn } = visit;
  const t = texts.item;
  const item = await readItem(parts.stores, signedIn.actor, visit.pathParameter("id"));
  const draft = await parts.stores.drafts.ofItem(item.id);
  const path = `${SCREEN_PATH}/${item.id}`;
  const mayWrite = signedIn.actor.scopes.includes("content:write") && item.status !== "deleted";
  const linked = item.incoming.reduce((sum, { total }) => sum + total, 0);
  const publicPath = parts.reading.site().hidden ? viewOnSitePath(item.path) : item.path;
  const isPublic = item.status === "published";
  const changed =
    isRedirectAfterItemChange(visit.address) &&
    html`<p class="saved" role="status">${t.changed[item.status]}</p>\n`;
  const content = html`${changed}<dl><dt>${t.statusIs}</dt><dd><span class="tag ${item.status}">${texts.status[item.status]}</span></dd>
<dt>${t.address}</dt><dd>${isPublic ? html`<a href="${publicPath}">${item.path}</a>` : item.path}</dd>
<dt>${texts.content.changed}</dt><dd>${dateAndTimeText(visit, item.updatedAt)}</dd>
${expiryAndReviewHtml(visit, item)}${linked > 0 && html`<dt>${t.linkedFrom}</dt><dd>${t.links(numberText(texts, linked))}</dd>\n`}</dl>
<div class="actions">${mayWrite && html`${actionForm(visit, `${path}/edit`, { button: draft === null ? t.edit : t.continueDraft })}${reviewCompletionForm(visit, item)}`}${isPublic && html`<a class="button quiet" href="${publicPath}">${t.visit}</a>`}</div>\n${await statusForms(visit, item)}${mayWrite && (await incomingLinksForm(visit, item, unlinked?.unmatched ?? {}))}<h2 id="history">${t.history}</h2>
${await history(visit, item)}`;
  const title = item.title === "" ? texts.content.untitled : item.title;
  const fault = unlinked?.fault?.[texts.language];
  const status = unlinked === null ? 200 : 422;
  const scripts = [PICKER_SCRIPT_PATH];
  return screenResponse({ ...visit, url: SCREEN_PATH }, { title, content, fault, status, scripts });
}

async function statusForms(visit: ScreenVisit, item: ItemDetail): Promise<SafeHtml> {
  const { texts, parts, signedIn } = visit;
  const path = `${SCREEN_PATH}/${item.id}`;
  const mayPublish =
    signedIn.actor.scopes.includes("content:publish") &&
    STATUS_TRANSITIONS[item.status].includes("published");
  const type = (await parts.stores.content.types()).get(item.type);
  const undated = missingDateNotice(visit, type, (name) => item.fields[name]);
  return html`${mayPublish && undated}<div class="actions">${
    mayPublish &&
    actionForm(visit, `${path}/publish`, {
      button: texts.item.publish,
      hidden: { revision: item.revision },
      isQuiet: true,
    })
  }${signedIn.actor.scopes.includes("content:publish") && item.status !== "deleted" && html`<a class="button quiet" href="${path}/merge">${texts.many.merge.button}</a>\n`}${allowedWithdrawals(visit, item).length > 0 && html`<a class="button quiet" href="${path}/withdraw">${canOnlyBeDeleted(visit, item) ? texts.content.withdraw.deleteButton : texts.content.withdraw.button}</a>`}</div>\n`;
}

/** The versions of an item, newest first. `?history=` is the cursor of a later page. */
async function history(visit: ScreenVisit, item: ItemOutline): Promise<SafeHtml> {
  const { texts, parts, signedIn, query } = visit;
  const cursor = query.get("history");
  const { revisions, nextCursor } = await listRevisions(parts.stores, signedIn.actor, item.id, {
    limit: REVISIONS_SHOWN_MAX,
    ...(cursor === null ? {} : { cursor }),
  });
  const mayRestore = signedIn.actor.scopes.includes("content:write");
  const names = await findActorLabels(
    visit,
    revisions.map(({ actor }) => actor),
  );
  const cards = revisions.map(
    ({ revision, at, action }, place) =>
      html`<li><a href="${SCREEN_PATH}/${item.id}/versions/${revision}">${texts.item.version(String(revision))}</a> <span class="state">${dateAndTimeText(visit, at)} · ${names[place]} · ${texts.actions[action] ?? action}</span>
${mayRestore && revision !== item.revision && actionForm(visit, `${SCREEN_PATH}/${item.id}/restore`, { button: texts.item.restore, hidden: { restore: revision, revision: item.revision }, isQuiet: true })}</li>\n`,
  );
  const older = `${SCREEN_PATH}/${item.id}?history=${nextCursor}#history`;
  return html`<ul class="cards">\n${cards}</ul>\n${nextPageLink(texts, nextCursor === null ? null : older)}`;
}
