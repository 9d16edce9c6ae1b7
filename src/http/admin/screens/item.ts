import { readItem } from "../../../content/editing/desk.ts";
import {
  archiveItem,
  deleteItem,
  publishItem,
  unpublishItem,
} from "../../../content/editing/publishing.ts";
import { listRevisions, restoreRevision } from "../../../content/editing/revisions.ts";
import { type ItemOutline, TRANSITIONS } from "../../../content/items/item.ts";
import { AppError } from "../../../errors.ts";
import { html, type SafeHtml } from "../../../render/html.ts";
import { redirectAnswer } from "../page.ts";
import { momentText, numberText } from "../texts/choose.ts";
import { actionForm, screenAnswer } from "./frame.ts";
import { personNames } from "./person-names.ts";
import type { Screen, ScreenVisit } from "./screen.ts";

const PATH = "/admin/content";
const REVISIONS_SHOWN = 20;

/** Changes of status, by the name of their button. */
const ACTIONS = {
  publish: publishItem,
  unpublish: unpublishItem,
  archive: archiveItem,
  delete: deleteItem,
} as const;

/** An item: where it stands, what points to it, and what was changed when. */
const item: Screen = {
  method: "GET",
  path: `${PATH}/{id}`,
  scope: "content:read",
  async answer(visit) {
    const { texts, parts, found } = visit;
    const t = texts.item;
    const shown = await readItem(parts.stores, found.actor, visit.part("id"));
    const draft = await parts.stores.drafts.ofItem(shown.id);
    const path = `${PATH}/${shown.id}`;
    const mayWrite = found.actor.scopes.includes("content:write") && shown.status !== "deleted";
    const linked = shown.incoming.reduce((sum, { total }) => sum + total, 0);
    const content = html`<dl><dt>${t.statusIs}</dt><dd><span class="tag ${shown.status}">${texts.status[shown.status]}</span></dd>
<dt>${t.address}</dt><dd>${shown.status === "published" ? html`<a href="${shown.path}">${shown.path}</a>` : shown.path}</dd>
<dt>${texts.content.changed}</dt><dd>${momentText(texts, shown.updatedAt)}</dd>
${linked > 0 && html`<dt>${t.linkedFrom}</dt><dd>${t.links(numberText(texts, linked))}</dd>\n`}</dl>
${mayWrite && html`<div class="actions">${actionForm(visit, `${path}/edit`, { button: draft === null ? t.edit : t.goOn })}</div>\n`}${statusForms(visit, shown, linked)}<h2>${t.history}</h2>
${await history(visit, shown)}`;
    const title = shown.title === "" ? texts.content.untitled : shown.title;
    return screenAnswer({ ...visit, url: PATH }, { title, content });
  },
};

const status: Screen = {
  method: "POST",
  path: `${PATH}/{id}/status`,
  scope: "content:write",
  async answer(visit, form) {
    const { parts, found, now, requestId } = visit;
    const id = visit.part("id");
    const name = form.value("action");
    const change = Object.entries(ACTIONS).find(([known]) => known === name)?.[1];
    if (change === undefined) throw new AppError("invalid", `There is no action "${name}"`);
    const revision = Number(form.value("revision"));
    await parts.atomically(({ content }) =>
      change(content, found.actor, id, { now, requestId, revision }),
    );
    return redirectAnswer(`${PATH}/${id}`);
  },
};

const restore: Screen = {
  method: "POST",
  path: `${PATH}/{id}/restore`,
  scope: "content:write",
  async answer(visit, form) {
    const { parts, found, now, requestId } = visit;
    const id = visit.part("id");
    const options = {
      restore: Number(form.value("restore")),
      revision: Number(form.value("revision")),
      now,
      requestId,
    };
    await parts.atomically(({ content }) => restoreRevision(content, found.actor, id, options));
    return redirectAnswer(`${PATH}/${id}`);
  },
};

export const itemScreens: readonly Screen[] = [item, status, restore];

/** Each action says what it does, and how many items point here, before it is done. */
function statusForms(visit: ScreenVisit, shown: ItemOutline, linked: number): SafeHtml {
  const { texts, found } = visit;
  const t = texts.item;
  const mayPublish = found.actor.scopes.includes("content:publish");
  const allowed = TRANSITIONS[shown.status];
  const forms: SafeHtml[] = [];
  const add = (action: keyof typeof ACTIONS, label: string, hint: string | null) => {
    const linkedHint = linked > 0 && `${t.linkedFrom}: ${t.links(numberText(texts, linked))}. `;
    forms.push(
      actionForm(visit, `${PATH}/${shown.id}/status`, {
        button: label,
        hidden: { action, revision: shown.revision },
        isQuiet: true,
        content: html`${hint !== null && html`<p class="hint">${linkedHint}${hint}</p>`}`,
      }),
    );
  };
  if (mayPublish && allowed.includes("published")) add("publish", t.publish, null);
  if (mayPublish && allowed.includes("draft")) add("unpublish", t.unpublish, t.unpublishHint);
  if (mayPublish && allowed.includes("archived")) add("archive", t.archive, t.archiveHint);
  const mayDelete = mayPublish || shown.status === "draft";
  if (mayDelete && found.actor.scopes.includes("content:write") && allowed.includes("deleted")) {
    add("delete", t.delete, t.deleteHint);
  }
  return html`<div class="actions">${forms}</div>\n`;
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
      html`<li><strong>${texts.item.version(String(revision))}</strong> <span class="state">${momentText(texts, at)} · ${names[place]} · ${action}</span>
${mayRestore && revision !== shown.revision && actionForm(visit, `${PATH}/${shown.id}/restore`, { button: texts.item.restore, hidden: { restore: revision, revision: shown.revision }, isQuiet: true })}</li>\n`,
  );
  return html`<ul class="cards">\n${cards}</ul>\n`;
}
