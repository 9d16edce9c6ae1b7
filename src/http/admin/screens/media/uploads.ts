import type { MediaFile } from "../../../../content/media/media.ts";
import { addMediaFile } from "../../../../content/media/media-editing.ts";
import { mediaFileInputFromName } from "../../../../content/media/media-file-input.ts";
import { noFileError } from "../../../api/arriving-form.ts";
import { responseWithContentLength } from "../../../exchange.ts";
import type { SentFile, SentForm } from "../../../site/sent-form.ts";
import { ADMIN_HEADERS, redirectResponse } from "../../page.ts";
import type { Screen, ScreenVisit } from "../frame/screen.ts";
import { MEDIA_SCREEN_PATH, mediaFileForScripts } from "./media-card.ts";

/**
 * Adds the files of a form. If the form has one file, redirects to the file's screen, where an editor can
 * describe the file.
 */
const uploadFiles: Screen = {
  method: "POST",
  path: MEDIA_SCREEN_PATH,
  scope: "media:write",
  takesFiles: "whole",
  async answer(visit, form) {
    const added: MediaFile[] = [];
    for (const file of requireFiles(form)) added.push(await add(visit, file));
    const [only] = added;
    const isOne = added.length === 1 && only !== undefined;
    return redirectResponse(isOne ? `${MEDIA_SCREEN_PATH}/${only.id}` : MEDIA_SCREEN_PATH);
  },
};

/** Adds one file that a script sends, and responds with {@link mediaFileForScripts}. */
const uploadOne: Screen = {
  method: "POST",
  path: `${MEDIA_SCREEN_PATH}/upload`,
  scope: "media:write",
  takesFiles: "whole",
  async answer(visit, form) {
    const [file] = requireFiles(form);
    const headers = { ...ADMIN_HEADERS, "Content-Type": "application/json" };
    return responseWithContentLength(
      200,
      headers,
      JSON.stringify(mediaFileForScripts(await add(visit, file))),
    );
  },
};

export const uploadScreens: readonly Screen[] = [uploadFiles, uploadOne];

/**
 * The files of a form, without the empty file that browsers send when none was chosen.
 *
 * @throws {AppError} `invalid` if no file was chosen.
 */
export function requireFiles({ files }: SentForm): [SentFile, ...SentFile[]] {
  const [first, ...others] = files.filter(({ name, isEmpty }) => name !== "" && !isEmpty);
  if (first === undefined) throw noFileError();
  return [first, ...others];
}

async function add(
  { parts, signedIn, now, requestId }: ScreenVisit,
  file: SentFile,
): Promise<MediaFile> {
  await using received = await parts.mediaFiles.receive(file.stream());
  const input = mediaFileInputFromName(file.name);
  const { medium } = await parts.atomically(({ media }) =>
    addMediaFile(media, signedIn.actor, received, input, { now, requestId }),
  );
  return medium;
}
