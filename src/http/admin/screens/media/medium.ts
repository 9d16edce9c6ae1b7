import { parseDraftChanges } from "../../../../content/drafts/draft.ts";
import { readDraft } from "../../../../content/drafts/listing-drafts.ts";
import { saveDraft } from "../../../../content/drafts/saving.ts";
import {
  isPictureType,
  type MediaFile,
  withMediaFileLinks,
} from "../../../../content/media/media.ts";
import {
  changeMediaFile,
  readMediaFile,
  removeMediaFile,
} from "../../../../content/media/media-editing.ts";
import { parseMediaFileInput } from "../../../../content/media/media-file-input.ts";
import { TRASH_DAYS } from "../../../../content/media/media-trash.ts";
import { html, type SafeHtml } from "../../../../render/html.ts";
import { responseWithContentLength } from "../../../exchange.ts";
import type { SentForm } from "../../../site/sent-form.ts";
import { ADMIN_HEADERS, redirectAfterSave, redirectResponse } from "../../page.ts";
import { bytesText, dateAndTimeText } from "../../texts/choose.ts";
import { findActorLabels } from "../content/person-names.ts";
import { readDraftTypeAndParts } from "../editor/draft-editor.ts";
import { controlText } from "../editor/draft-form.ts";
import { actionForm, csrfTokenField, hiddenFields, screenResponse } from "../frame/frame.ts";
import type { Screen, ScreenVisit } from "../frame/screen.ts";
import { adminFilePath, MEDIA_SCREEN_PATH, mediaFileForScripts } from "./media-card.ts";
import { fileReplacementForm } from "./replacing.ts";

const SCREEN_PATH = `${MEDIA_SCREEN_PATH}/{id}`;

/** Shows a file: its description, its uses, and the Markdown that embeds it. */
const show: Screen = {
  method: "GET",
  path: SCREEN_PATH,
  scope: "content:read",
  async answer(visit) {
    const { texts, parts, signedIn, query } = visit;
    const media = parts.stores.media;
    const { medium, usedBy, drafts, redirects, isUsedBySiteProfile, isPublic } =
      await readMediaFile(media, signedIn.actor, visit.pathParameter("id"));
    const t = texts.media;
    const isPicture = isPictureType(medium.type);
    const mayWrite = signedIn.actor.scopes.includes("media:write");
    const places = [
      ...(isUsedBySiteProfile ? [html`<li>${t.inSite}</li>\n`] : []),
      ...usedBy.map(
        ({ id, title, status }) =>
          html`<li><a href="/admin/content/${id}">${title}</a> <span class="tag ${status}">${texts.status[status]}</span></li>\n`,
      ),
      ...drafts.map(
        ({ id, title }) =>
          html`<li><a href="/admin/drafts/${id}">${title ?? texts.content.untitled}</a> <span class="tag draft">${t.inDraft}</span></li>\n`,
      ),
      ...redirects.map(({ from }) => html`<li>${t.inRedirect(from)}</li>\n`),
    ];
    const content = html`<p class="state"><span class="tag ${isPublic ? "published" : "draft"}">${isPublic ? t.isPublic : t.isPrivate}</span> ${isPublic ? t.publicHint : t.privateHint}</p>
${query.get("replaced") === "true" && html`<p role="status">${t.replaced}</p>\n`}<div class="medium">
<div>${isPicture && html`<img class="shown" src="${adminFilePath(medium)}" alt="${medium.alt}">`}
<p><a href="${adminFilePath(medium)}">${t.open}</a></p>
${await factsHtml(visit, medium)}</div>
<div>${mayWrite && describeForm(visit, medium)}
<h2>${t.code}</h2>
<p class="code">${withMediaFileLinks(medium, parts.origin).markdown}</p>
<h2>${t.usedBy}</h2>
${places.length === 0 ? html`<p>${t.unusedYet}</p>` : html`<ul class="cards">\n${places}</ul>`}
${mayWrite && fileReplacementForm(visit, medium)}${mayWrite && removeHtml(visit, medium, places.length)}</div>
</div>
`;
    return screenResponse({ ...visit, url: MEDIA_SCREEN_PATH }, { title: medium.name, content });
  },
};

const describe: Screen = {
  method: "POST",
  path: SCREEN_PATH,
  scope: "media:write",
  async answer(visit, form) {
    await changeFromForm(visit, form);
    return redirectAfterSave(`${MEDIA_SCREEN_PATH}/${visit.pathParameter("id")}`);
  },
};

/** Stores the alternative text that an editor entered while inserting a picture into a text. */
const describeWhileWriting: Screen = {
  method: "POST",
  path: `${SCREEN_PATH}/describe`,
  scope: "media:write",
  async answer(visit, form) {
    const medium = await changeFromForm(visit, form);
    const headers = { ...ADMIN_HEADERS, "Content-Type": "application/json" };
    return responseWithContentLength(200, headers, JSON.stringify(mediaFileForScripts(medium)));
  },
};

const remove: Screen = {
  method: "POST",
  path: `${SCREEN_PATH}/remove`,
  scope: "media:write",
  async answer({ parts, signedIn, pathParameter, now, requestId }) {
    await parts.atomically(({ media }) =>
      removeMediaFile(media, signedIn.actor, pathParameter("id"), { now, requestId }),
    );
    return redirectResponse(MEDIA_SCREEN_PATH);
  },
};

/** Appends a picture to a draft's text, for editors without scripts. */
const insertIntoDraft: Screen = {
  method: "POST",
  path: `${SCREEN_PATH}/into`,
  scope: "content:write",
  async answer(visit, form) {
    const { parts, signedIn, now, requestId } = visit;
    const medium = await changeFromForm(visit, form);
    const { markdown } = withMediaFileLinks(medium, parts.origin);
    const draft = await readDraft(parts.stores.drafts, signedIn.actor, form.value("draft"));
    const { current } = await readDraftTypeAndParts(visit, draft);
    const text = controlText(current["body"]).trimEnd();
    const changes = parseDraftChanges({ body: `${text}${text === "" ? "" : "\n\n"}${markdown}\n` });
    const options = { from: { version: draft.version }, changes, now, requestId };
    await parts.atomically((stores) => saveDraft(stores, signedIn.actor, draft.id, options));
    return redirectResponse(`/admin/drafts/${draft.id}`);
  },
};

export const mediaDetailScreens: readonly Screen[] = [
  show,
  describe,
  describeWhileWriting,
  insertIntoDraft,
  remove,
];

async function changeFromForm(visit: ScreenVisit, form: SentForm): Promise<MediaFile> {
  const { parts, signedIn, now, requestId } = visit;
  const isDecorative = form.value("decorative") === "true";
  const name = form.value("name").trim();
  const input = parseMediaFileInput({
    ...(name === "" ? {} : { name }),
    alt: isDecorative ? "" : form.value("alt"),
    isDecorative,
    ...(form.values("credit").length === 0
      ? {}
      : { credit: form.value("credit"), alwaysPublic: form.value("always") === "true" }),
  });
  return await parts.atomically(({ media }) =>
    changeMediaFile(media, signedIn.actor, visit.pathParameter("id"), input, { now, requestId }),
  );
}

/** The form that removes a file. A file in use must be replaced or unlinked first. */
function removeHtml(visit: ScreenVisit, { id }: MediaFile, places: number): SafeHtml {
  const t = visit.texts.media;
  const heading = html`<h2>${t.remove}</h2>\n`;
  if (places > 0) return html`${heading}<p class="hint">${t.removeUsed}</p>\n`;
  const hint = html`<p class="hint">${t.removeHint(String(TRASH_DAYS))}</p>\n`;
  const path = `${MEDIA_SCREEN_PATH}/${id}/remove`;
  return html`${heading}${hint}${actionForm(visit, path, { button: t.removeNow, isQuiet: true })}`;
}

function describeForm({ texts, token, query }: ScreenVisit, medium: MediaFile): SafeHtml {
  const t = texts.media;
  const draft = query.get("draft");
  const { id, name, type, alt, isDecorative, credit, alwaysPublic } = medium;
  return html`<form method="post" action="${MEDIA_SCREEN_PATH}/${id}">
${csrfTokenField({ token })}${
  isPictureType(type) &&
  html`<div class="field"><label for="alt">${t.words}</label><p class="hint">${t.wordsHint}</p>
<textarea id="alt" name="alt" rows="2" maxlength="500"${draft !== null && html` autofocus`}>\n${alt}</textarea>
<label class="choice"><input type="checkbox" name="decorative" value="true"${isDecorative && html` checked`}> ${t.decorative}</label></div>\n`
}<div class="field"><label for="credit">${t.credit}</label><p class="hint">${t.creditHint}</p>
<input id="credit" name="credit" value="${credit}" maxlength="300"></div>
<div class="field"><label for="name">${t.name}</label>
<input id="name" name="name" value="${name}" maxlength="200" required></div>
<div class="field"><label class="choice"><input type="checkbox" name="always" value="true"${alwaysPublic && html` checked`}> ${t.always}</label></div>
<p class="actions">${draft !== null && html`${hiddenFields({ draft })}<button formaction="${MEDIA_SCREEN_PATH}/${id}/into">${t.insert}</button>`}<button${draft !== null && html` class="quiet"`}>${t.save}</button></p>
</form>`;
}

async function factsHtml(visit: ScreenVisit, medium: MediaFile): Promise<SafeHtml> {
  const { texts } = visit;
  const { bytes, width, height, addedAt, addedBy } = medium;
  const pixels = width === null || height === null ? "" : `${width} × ${height} · `;
  const [name = ""] = await findActorLabels(visit, [addedBy]);
  const t = texts.media;
  return html`<dl><dt>${t.size}</dt><dd>${pixels}${bytesText(texts, bytes)}</dd><dt>${t.added}</dt><dd>${dateAndTimeText(visit, addedAt)} ${t.by(name)}</dd></dl>`;
}
