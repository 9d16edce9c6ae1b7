import {
  addDraftNote,
  DRAFT_NOTE_CHARACTERS_MAX,
  listDraftNotes,
  removeDraftNote,
} from "../../../../content/drafts/notes.ts";
import { html, type SafeHtml } from "../../../../render/html.ts";
import { redirectResponse } from "../../page.ts";
import { dateAndTimeText } from "../../texts/choose.ts";
import { findActorLabels } from "../content/person-names.ts";
import { actionForm } from "../frame/frame.ts";
import type { Screen, ScreenVisit } from "../frame/screen.ts";

const SCREEN_PATH = "/admin/drafts";

const add: Screen = {
  method: "POST",
  path: `${SCREEN_PATH}/{id}/notes`,
  scope: "content:write",
  async answer({ parts, signedIn, now, requestId, pathParameter }, form) {
    const text = form.value("text");
    const { draftId } = await parts.atomically((stores) =>
      addDraftNote(stores, signedIn.actor, pathParameter("id"), { text, now, requestId }),
    );
    return redirectResponse(`${SCREEN_PATH}/${draftId}`);
  },
};

const remove: Screen = {
  method: "POST",
  path: "/admin/draft-notes/{id}/remove",
  scope: "content:write",
  async answer({ parts, signedIn, now, requestId, pathParameter }) {
    const { draftId } = await parts.atomically((stores) =>
      removeDraftNote(stores, signedIn.actor, pathParameter("id"), { now, requestId }),
    );
    return redirectResponse(`${SCREEN_PATH}/${draftId}`);
  },
};

export const draftNoteScreens: readonly Screen[] = [add, remove];

/** The notes on a draft, and a form that adds one. */
export async function draftNotesHtml(visit: ScreenVisit, draftId: string): Promise<SafeHtml> {
  const { texts, parts, signedIn } = visit;
  const t = texts.draftNotes;
  const notes = await listDraftNotes(parts.stores, signedIn.actor, draftId);
  const names = await findActorLabels(
    visit,
    notes.map(({ createdBy }) => createdBy),
  );
  const mayWrite = signedIn.actor.scopes.includes("content:write");
  const cards = notes.map(
    ({ id, text, createdAt }, at) =>
      html`<li><span class="state">${names[at]} · ${dateAndTimeText(visit, createdAt)}</span>
<p>${text}</p>
${mayWrite && actionForm(visit, `/admin/draft-notes/${id}/remove`, { button: t.remove, isQuiet: true })}</li>\n`,
  );
  const form = actionForm(visit, `${SCREEN_PATH}/${draftId}/notes`, {
    button: t.add,
    isQuiet: true,
    content: html`<p class="field"><label for="note">${t.label}</label><textarea id="note" name="text" rows="2" maxlength="${DRAFT_NOTE_CHARACTERS_MAX}" required></textarea></p>\n`,
  });
  return html`<h2>${t.title}</h2>
<ul class="cards">\n${cards}</ul>\n${mayWrite && form}`;
}
