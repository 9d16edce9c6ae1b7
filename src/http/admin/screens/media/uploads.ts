import type { Medium } from "../../../../content/media/media.ts";
import { addMedium } from "../../../../content/media/media-editing.ts";
import { inputFromFileName } from "../../../../content/media/medium-input.ts";
import { noFileError } from "../../../api/arriving-form.ts";
import { answerWithContentLength } from "../../../exchange.ts";
import type { SentFile, SentForm } from "../../../site/sent-form.ts";
import { ADMIN_HEADERS, redirectAnswer } from "../../page.ts";
import type { Screen, ScreenVisit } from "../frame/screen.ts";
import { MEDIA_SCREEN_PATH, mediumForScripts } from "./media-card.ts";

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
    const added: Medium[] = [];
    for (const file of requireFiles(form)) added.push(await add(visit, file));
    const [only] = added;
    const isOne = added.length === 1 && only !== undefined;
    return redirectAnswer(isOne ? `${MEDIA_SCREEN_PATH}/${only.id}` : MEDIA_SCREEN_PATH);
  },
};

/** Adds one file that a script sends, and responds with {@link mediumForScripts}. */
const uploadOne: Screen = {
  method: "POST",
  path: `${MEDIA_SCREEN_PATH}/upload`,
  scope: "media:write",
  takesFiles: "whole",
  async answer(visit, form) {
    const [file] = requireFiles(form);
    const headers = { ...ADMIN_HEADERS, "Content-Type": "application/json" };
    return answerWithContentLength(
      200,
      headers,
      JSON.stringify(mediumForScripts(await add(visit, file))),
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
): Promise<Medium> {
  await using received = await parts.mediaFiles.receive(file.stream());
  const input = inputFromFileName(file.name);
  const { medium } = await parts.atomically(({ media }) =>
    addMedium(media, signedIn.actor, received, input, { now, requestId }),
  );
  return medium;
}
