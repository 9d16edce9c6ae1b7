import { readItem } from "../../../../content/editing/desk.ts";
import { publishItem } from "../../../../content/editing/publishing.ts";
import { listRevisions } from "../../../../content/editing/revisions.ts";
import { type ItemOutline, TRANSITIONS } from "../../../../content/items/item.ts";
import { html, type SafeHtml } from "../../../../render/html.ts";
import type { HttpAnswer } from "../../../exchange.ts";
import { changedItemAnswer, isChangedItem, redirectAnswer } from "../../page.ts";
import { momentText, numberText } from "../../texts/choose.ts";
import type { NamedLinks } from "../editor/link-names.ts";
import { actionForm, screenAnswer } from "../frame/frame.ts";
import type { Screen, ScreenVisit } from "../frame/screen.ts";
import { PICKER_SCRIPT_PATH } from "../frame/scripts.ts";
import { viewPath } from "../frame/view-path.ts";
import { linkedForm, linkSent } from "./linked.ts";
import { personNames } from "./person-names.ts";
import { dateTerms, reviewForm } from "./review.ts";
import { isOnlyDeletion, withdrawalsOf } from "./withdraw.ts";

const SCREEN_PATH = "/admin/content";
const REVISIONS_SHOWN = 20;

/** An item: its status, what points to it, and its history. */
const item: Screen = {
  method: "GET",
  path: `${SCREEN_PATH}/{id}`,
  scope: "content:read",
  answer: async (visit) => await itemAnswer(visit, null),
};

const publish: Screen = {
  method: "POST",
  path: `${SCREEN_PATH}/{id}/publish`,
  scope: "content:write",
  async answer(visit, form) {
    const { parts, found, now, requestId } = visit;
    const id = visit.part("id");
    const revision = Number(form.value("revision"));
    await parts.atomically(({ content }) =>
      publishItem(content, found.actor, id, { now, requestId, revision }),
    );
    return changedItemAnswer(id);
  },
};

const link: Screen = {
  method: "POST",
  path: `${SCREEN_PATH}/{id}/linked`,
  scope: "content:write",
  async answer(visit, form) {
    const named = await linkSent(visit, form);
    if (named.fault !== null) return await itemAnswer(visit, named);
    return redirectAnswer(`${SCREEN_PATH}/${visit.part("id")}`);
  },
};

export const itemScreens: readonly Screen[] = [item, publish, link];

/** The screen of an item; `unlinked`: names just entered that could not be linked. */
async function itemAnswer(visit: ScreenVisit, unlinked: NamedLinks | null): Promise<HttpAnswer> {
  const { texts, parts, found } = visit;
  const t = texts.item;
  const shown = await readItem(parts.stores, found.actor, visit.part("id"));
  const draft = await parts.stores.drafts.ofItem(shown.id);
  const path = `${SCREEN_PATH}/${shown.id}`;
  const mayWrite = found.actor.scopes.includes("content:write") && shown.status !== "deleted";
  const linked = shown.incoming.reduce((sum, { total }) => sum + total, 0);
  const publicPath = parts.reading.site().hidden ? viewPath(shown.path) : shown.path;
  const isPublic = shown.status === "published";
  const changed =
    isChangedItem(visit.address) &&
    html`<p class="saved" role="status">${t.changed[shown.status]}</p>\n`;
  const content = html`${changed}<dl><dt>${t.statusIs}</dt><dd><span class="tag ${shown.status}">${texts.status[shown.status]}</span></dd>
<dt>${t.address}</dt><dd>${isPublic ? html`<a href="${publicPath}">${shown.path}</a>` : shown.path}</dd>
<dt>${texts.content.changed}</dt><dd>${momentText(visit, shown.updatedAt)}</dd>
${dateTerms(visit, shown)}${linked > 0 && html`<dt>${t.linkedFrom}</dt><dd>${t.links(numberText(texts, linked))}</dd>\n`}</dl>
<div class="actions">${mayWrite && html`${actionForm(visit, `${path}/edit`, { button: draft === null ? t.edit : t.goOn })}${reviewForm(visit, shown)}`}${isPublic && html`<a class="button quiet" href="${publicPath}">${t.visit}</a>`}</div>\n${statusForms(visit, shown)}${mayWrite && (await linkedForm(visit, shown, unlinked?.left ?? {}))}<h2>${t.history}</h2>
${await history(visit, shown)}`;
  const title = shown.title === "" ? texts.content.untitled : shown.title;
  const fault = unlinked?.fault?.[texts.language];
  const status = unlinked === null ? 200 : 422;
  const scripts = [PICKER_SCRIPT_PATH];
  return screenAnswer({ ...visit, url: SCREEN_PATH }, { title, content, fault, status, scripts });
}

function statusForms(visit: ScreenVisit, shown: ItemOutline): SafeHtml {
  const { texts, found } = visit;
  const path = `${SCREEN_PATH}/${shown.id}`;
  const mayPublish =
    found.actor.scopes.includes("content:publish") &&
    TRANSITIONS[shown.status].includes("published");
  return html`<div class="actions">${
    mayPublish &&
    actionForm(visit, `${path}/publish`, {
      button: texts.item.publish,
      hidden: { revision: shown.revision },
      isQuiet: true,
    })
  }${found.actor.scopes.includes("content:publish") && shown.status !== "deleted" && html`<a class="button quiet" href="${path}/merge">${texts.many.merge.button}</a>\n`}${withdrawalsOf(visit, shown).length > 0 && html`<a class="button quiet" href="${path}/withdraw">${isOnlyDeletion(visit, shown) ? texts.content.withdraw.deleteButton : texts.content.withdraw.button}</a>`}</div>\n`;
}

async function history(visit: ScreenVisit, shown: ItemOutline): Promise<SafeHtml> {
  const { texts, parts, found } = visit;
  const { revisions } = await listRevisions(parts.stores, found.actor, shown.id, {
    limit: REVISIONS_SHOWN,
  });
  const mayRestore = found.actor.scopes.includes("content:write");
  const names = await personNames(
    visit,
    revisions.map(({ actor }) => actor),
  );
  const cards = revisions.map(
    ({ revision, at, action }, place) =>
      html`<li><a href="${SCREEN_PATH}/${shown.id}/versions/${revision}">${texts.item.version(String(revision))}</a> <span class="state">${momentText(visit, at)} · ${names[place]} · ${texts.actions[action] ?? action}</span>
${mayRestore && revision !== shown.revision && actionForm(visit, `${SCREEN_PATH}/${shown.id}/restore`, { button: texts.item.restore, hidden: { restore: revision, revision: shown.revision }, isQuiet: true })}</li>\n`,
  );
  return html`<ul class="cards">\n${cards}</ul>\n`;
}
