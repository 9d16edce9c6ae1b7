import { readDraft } from "../../../../content/drafts/listing-drafts.ts";
import {
  listPreviewCodes,
  PREVIEW_CODE_DAYS_DEFAULT,
  PREVIEW_CODE_DAYS_MAX,
  type PreviewCode,
  revokePreviewCode,
  sharePreview,
} from "../../../../content/drafts/preview-codes.ts";
import { PREVIEW_PATH } from "../../../../content/pages/built-in/preview-page.ts";
import { html, type SafeHtml } from "../../../../render/html.ts";
import type { HttpResponse } from "../../../exchange.ts";
import { redirectResponse } from "../../page.ts";
import { dateAndTimeText, numberText } from "../../texts/choose.ts";
import { cardList } from "../frame/cards.ts";
import { actionForm, screenResponse } from "../frame/frame.ts";
import type { Screen, ScreenVisit } from "../frame/screen.ts";

const SCREEN_PATH = "/admin/drafts";
const DAYS_OFFERED = [1, PREVIEW_CODE_DAYS_DEFAULT, PREVIEW_CODE_DAYS_MAX];

/** Lists the preview codes, with which people without an account can see the draft. */
const share: Screen = {
  method: "GET",
  path: `${SCREEN_PATH}/{id}/share`,
  scope: "content:read",
  answer: async (visit) => await shareResponse(visit, null),
};

const issue: Screen = {
  method: "POST",
  path: `${SCREEN_PATH}/{id}/share`,
  scope: "content:write",
  async answer(visit, form) {
    const { parts, signedIn, now, requestId } = visit;
    const entered = Number(form.value("days"));
    const days = DAYS_OFFERED.includes(entered) ? entered : PREVIEW_CODE_DAYS_DEFAULT;
    const note = form.value("note").trim().slice(0, 200);
    const { code } = await parts.atomically((stores) =>
      sharePreview(stores, signedIn.actor, visit.pathParameter("id"), {
        days,
        note,
        now,
        requestId,
      }),
    );
    return await shareResponse(visit, code);
  },
};

const revoke: Screen = {
  method: "POST",
  path: "/admin/preview-codes/{id}/revoke",
  scope: "content:write",
  async answer({ parts, signedIn, now, requestId, pathParameter }) {
    const { draftId } = await parts.atomically((stores) =>
      revokePreviewCode(stores, signedIn.actor, pathParameter("id"), { now, requestId }),
    );
    return redirectResponse(`${SCREEN_PATH}/${draftId}/share`);
  },
};

export const shareScreens: readonly Screen[] = [share, issue, revoke];

/** @param code a newly issued preview code, which cannot be shown again; null: none was issued. */
async function shareResponse(visit: ScreenVisit, code: string | null): Promise<HttpResponse> {
  const { texts, parts, signedIn } = visit;
  const t = texts.share;
  const id = visit.pathParameter("id");
  const draft = await readDraft(parts.stores.drafts, signedIn.actor, id);
  const codes = await listPreviewCodes(parts.stores, signedIn.actor, id);
  const mayWrite = signedIn.actor.scopes.includes("content:write");
  const newCodeHtml = html`<div class="notes" role="status"><p>${t.handOver} <strong>${parts.origin}${PREVIEW_PATH}</strong></p>\n<p class="code">${code}</p></div>\n`;
  const days = html`<div class="field"><label for="days">${t.ends}</label><select id="days" name="days">${DAYS_OFFERED.map((each) => html`<option value="${each}"${each === PREVIEW_CODE_DAYS_DEFAULT && html` selected`}>${t.days(each, numberText(texts, each))}</option>`)}</select></div>`;
  const form = actionForm(visit, `${SCREEN_PATH}/${id}/share`, {
    button: t.issue,
    content: html`<div class="field"><label for="note">${t.note}</label><input id="note" name="note" maxlength="200"></div>\n${days}`,
  });
  const content = html`<p><a href="${SCREEN_PATH}/${draft.id}">${texts.publish.back}</a></p>
<p>${t.intro}</p>
${code !== null && newCodeHtml}${mayWrite && form}<h2>${t.present}</h2>
${cardList(
  codes.map((each) => codeCard(visit, each, mayWrite)),
  t.none,
)}`;
  return screenResponse({ ...visit, url: SCREEN_PATH }, { title: t.title, content });
}

function codeCard(visit: ScreenVisit, code: PreviewCode, mayWrite: boolean): SafeHtml {
  const t = visit.texts.share;
  const { id, note, usedAt, expiresAt } = code;
  const seen = usedAt === null ? t.unseen : t.seen(dateAndTimeText(visit, usedAt));
  const form = actionForm(visit, `/admin/preview-codes/${id}/revoke`, {
    button: t.revoke,
    isQuiet: true,
  });
  return html`<li><strong>${note === "" ? t.anyone : note}</strong>
<div class="state">${t.until(dateAndTimeText(visit, expiresAt))} · ${seen}</div>${mayWrite && form}</li>\n`;
}
