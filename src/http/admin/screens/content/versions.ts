import { isSameValue, partsOfItem } from "../../../../content/drafts/parts.ts";
import { readItem } from "../../../../content/editing/desk.ts";
import { readRevision, restoreRevision } from "../../../../content/editing/revisions.ts";
import { html } from "../../../../render/html.ts";
import { redirectAfterItemChange } from "../../page.ts";
import { dateAndTimeText } from "../../texts/choose.ts";
import { createValueFormatter, differenceHtml, itemPartLabel } from "../editor/difference-html.ts";
import { actionForm, screenResponse } from "../frame/frame.ts";
import type { Screen } from "../frame/screen.ts";
import { readTypesWithScreenLabels } from "../frame/screen-types.ts";
import { parseWholeNumber } from "../frame/whole-number.ts";
import { findActorLabels } from "./person-names.ts";

const SCREEN_PATH = "/admin/content";

/**
 * Shows a version of an item, with the changes made in it. With `?with=now`, shows the changes made
 * since then.
 */
const version: Screen = {
  method: "GET",
  path: `${SCREEN_PATH}/{id}/versions/{number}`,
  scope: "content:read",
  async answer(visit) {
    const { texts, parts, signedIn, query } = visit;
    const t = texts.versions;
    const { content } = parts.stores;
    const item = await readItem(parts.stores, signedIn.actor, visit.pathParameter("id"));
    const number = parseWholeNumber(visit.pathParameter("number"));
    const shownVersion = await readRevision(content, signedIn.actor, item.id, number);
    const showsLaterChanges = query.get("with") === "now";
    const path = `${SCREEN_PATH}/${item.id}/versions/${number}`;
    const versionParts = partsOfItem(shownVersion.item);
    const otherParts = showsLaterChanges
      ? partsOfItem((await readRevision(content, signedIn.actor, item.id, item.revision)).item)
      : number > 1
        ? partsOfItem((await readRevision(content, signedIn.actor, item.id, number - 1)).item)
        : {};
    const [before, after] = showsLaterChanges
      ? [versionParts, otherParts]
      : [otherParts, versionParts];
    const changed = Object.keys({ ...before, ...after }).filter(
      (part) => !isSameValue(before[part] ?? null, after[part] ?? null),
    );
    const format = await createValueFormatter(
      visit,
      changed.flatMap((part) => [before[part], after[part]]),
    );
    const type = (await readTypesWithScreenLabels(visit)).get(item.type);
    const differences = changed.map(
      (part) =>
        html`<h2>${type === undefined ? part : itemPartLabel(part, type, texts)}</h2>\n${differenceHtml(visit, { part, before: before[part], after: after[part] }, { type, format })}`,
    );
    const [by] = await findActorLabels(visit, [shownVersion.actor]);
    const mayRestore = signedIn.actor.scopes.includes("content:write") && number !== item.revision;
    const body = html`<p class="state">${dateAndTimeText(visit, shownVersion.at)} · ${by}</p>
<p class="choices"><a href="${path}"${!showsLaterChanges && html` aria-current="true"`}>${t.changedThen}</a> <a href="${path}?with=now"${showsLaterChanges && html` aria-current="true"`}>${t.changedSince}</a></p>
${differences.length === 0 ? html`<p>${t.same}</p>\n` : differences}${mayRestore && html`<div class="bar">${actionForm(visit, `${SCREEN_PATH}/${item.id}/restore`, { button: texts.item.restore, hidden: { restore: number, revision: item.revision } })}</div>`}`;
    const title = `${item.title}: ${texts.item.version(String(number))}`;
    const back = html`<p><a href="${SCREEN_PATH}/${item.id}">${t.back}</a></p>\n`;
    return screenResponse({ ...visit, url: SCREEN_PATH }, { title, content: html`${back}${body}` });
  },
};

const restore: Screen = {
  method: "POST",
  path: `${SCREEN_PATH}/{id}/restore`,
  scope: "content:write",
  async answer(visit, form) {
    const { parts, signedIn, now, requestId } = visit;
    const id = visit.pathParameter("id");
    const options = {
      restore: parseWholeNumber(form.value("restore")),
      revision: parseWholeNumber(form.value("revision")),
      now,
      requestId,
    };
    await parts.atomically(({ content }) => restoreRevision(content, signedIn.actor, id, options));
    return redirectAfterItemChange(id);
  },
};

export const versionScreens: readonly Screen[] = [version, restore];
