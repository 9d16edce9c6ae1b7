import { isPictureType, type MediaFile } from "../../../../content/media/media.ts";
import { addMediaFile } from "../../../../content/media/media-editing.ts";
import { mediaFileInputFromName } from "../../../../content/media/media-file-input.ts";
import { replaceMediaFile } from "../../../../content/media/media-replacing.ts";
import { restoreMediaFile } from "../../../../content/media/media-restoring.ts";
import { html, type SafeHtml } from "../../../../render/html.ts";
import { redirectResponse } from "../../page.ts";
import { csrfTokenField } from "../frame/frame.ts";
import type { Screen, ScreenVisit } from "../frame/screen.ts";
import { MEDIA_SCREEN_PATH } from "./media-card.ts";
import { requireFiles } from "./uploads.ts";

/** Uploads another version of a file. The site shows the new version wherever the old one is used. */
const replace: Screen = {
  method: "POST",
  path: `${MEDIA_SCREEN_PATH}/{id}/replace`,
  scope: "media:write",
  takesFiles: "whole",
  async answer({ parts, signedIn, pathParameter, now, requestId }, form) {
    const [file] = requireFiles(form);
    await using received = await parts.mediaFiles.receive(file.stream());
    const input = mediaFileInputFromName(file.name);
    const context = { now, requestId };
    const removesOld = form.value("keep") !== "true";
    const medium = await parts.atomically(async (stores) => {
      const added = await addMediaFile(stores.media, signedIn.actor, received, input, context);
      const files = { from: pathParameter("id"), to: added.medium.id };
      const options = { removesOld, origin: parts.origin, ...context };
      return await replaceMediaFile(stores, signedIn.actor, files, options);
    });
    return redirectResponse(`${MEDIA_SCREEN_PATH}/${medium.id}?replaced=true`);
  },
};

const restore: Screen = {
  method: "POST",
  path: `${MEDIA_SCREEN_PATH}/{id}/restore`,
  scope: "media:write",
  async answer({ parts, signedIn, pathParameter, now, requestId }) {
    const medium = await parts.atomically(({ media }) => {
      const stored = { media, files: parts.mediaFiles };
      return restoreMediaFile(stored, signedIn.actor, pathParameter("id"), { now, requestId });
    });
    return redirectResponse(`${MEDIA_SCREEN_PATH}/${medium.id}`);
  },
};

export const fileReplacementScreens: readonly Screen[] = [replace, restore];

/** The form that uploads another version of a file. */
export function fileReplacementForm({ texts, token }: ScreenVisit, medium: MediaFile): SafeHtml {
  const t = texts.media;
  const accepted = isPictureType(medium.type) ? html` accept="image/*"` : html``;
  return html`<form method="post" action="${MEDIA_SCREEN_PATH}/${medium.id}/replace" enctype="multipart/form-data">
${csrfTokenField({ token })}<h2>${t.replace}</h2>
<p class="hint">${t.replaceHint}</p>
<p class="field"><label for="new-file">${t.newFile}</label><input id="new-file" type="file" name="file" required${accepted}></p>
<p><label class="choice"><input type="checkbox" name="keep" value="true"> ${t.keepOld}</label></p>
<p><button class="quiet">${t.replaceNow}</button></p>
</form>
`;
}
