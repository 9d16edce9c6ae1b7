import { listItems } from "../../../../content/editing/desk.ts";
import { DELETED_RESTORABLE_DAYS } from "../../../../content/editing/revisions.ts";
import { listRemovedMedia } from "../../../../content/media/media-restoring.ts";
import { html, type SafeHtml } from "../../../../render/html.ts";
import { dateAndTimeText } from "../../texts/choose.ts";
import { cardList, nextPageLink } from "../frame/cards.ts";
import { actionForm, screenResponse } from "../frame/frame.ts";
import type { Screen, ScreenVisit } from "../frame/screen.ts";

const SCREEN_PATH = "/admin/trash";
const ENTRIES_PER_PAGE = 50;

/** Deleted items and withdrawn files that can be restored. */
export const trashScreen: Screen = {
  method: "GET",
  path: SCREEN_PATH,
  scope: "content:read",
  async answer(visit) {
    const { texts, parts, signedIn, query } = visit;
    const t = texts.trash;
    const cursor = query.get("cursor");
    const { items, nextCursor } = await listItems(parts.stores, signedIn.actor, {
      types: [],
      statuses: ["deleted"],
      sort: "updated",
      descending: true,
      limit: ENTRIES_PER_PAGE,
      ...(cursor === null ? {} : { cursor }),
    });
    const mayRestore = signedIn.actor.scopes.includes("content:write");
    const cards = items.map(({ id, title, path, updatedAt, revision }) => {
      const options = {
        button: t.restore,
        hidden: { restore: revision - 1, revision },
        isQuiet: true,
      };
      const isKept = revision > 1;
      return html`<li><a href="/admin/content/${id}">${title === "" ? texts.content.untitled : title}</a>
<div class="state">${path} · ${t.deleted(dateAndTimeText(visit, updatedAt))}</div>${mayRestore && isKept && actionForm(visit, `/admin/content/${id}/restore`, options)}</li>\n`;
    });
    const files = await removedFiles(visit);
    const deleted = cards.length > 0 || files === null ? cardList(cards, t.none) : null;
    const content = html`<p class="hint">${t.hint(String(DELETED_RESTORABLE_DAYS))}</p>
${deleted}${nextPageLink(texts, nextCursor === null ? null : `${SCREEN_PATH}?cursor=${nextCursor}`)}${files}`;
    return screenResponse({ ...visit, url: SCREEN_PATH }, { title: t.title, content });
  },
};

/** The withdrawn files; null if there are none. */
async function removedFiles(visit: ScreenVisit): Promise<SafeHtml | null> {
  const { texts, parts, signedIn, now } = visit;
  const { removed } = await listRemovedMedia(parts.stores.media, signedIn.actor, {
    limit: ENTRIES_PER_PAGE,
    now,
  });
  if (removed.length === 0) return null;
  const mayRestore = signedIn.actor.scopes.includes("media:write");
  const options = { button: texts.trash.restore, isQuiet: true };
  const cards = removed.map(
    ({ medium: { id, name }, removedAt }) =>
      html`<li>${name}
<div class="state">${texts.trash.deleted(dateAndTimeText(visit, removedAt))}</div>${mayRestore && actionForm(visit, `/admin/media/${id}/restore`, options)}</li>\n`,
  );
  return html`<h2>${texts.trash.files}</h2>\n${cardList(cards, texts.trash.none)}`;
}
