import { requireScope } from "../../../../access/actor.ts";
import { requireMediaFile } from "../../../../content/media/media-editing.ts";
import { parseMediaFileName } from "../../../../content/media/media-kinds.ts";
import { parseSizeFileName } from "../../../../content/media/picture-sizes.ts";
import { AppError } from "../../../../errors.ts";
import { mediaFileResponse } from "../../../site/media.ts";
import { ADMIN_HEADERS } from "../../page.ts";
import type { Screen } from "../frame/screen.ts";
import { ADMIN_FILES_PATH } from "./media-card.ts";

/** Serves a file, public or not, to people who have signed in. */
export const mediaFileScreen: Screen = {
  method: "GET",
  path: `${ADMIN_FILES_PATH}{name}`,
  scope: "content:read",
  async answer({ parts, signedIn, pathParameter }) {
    requireScope(signedIn.actor, "content:read");
    const name = pathParameter("name");
    const id = parseMediaFileName(name)?.id ?? parseSizeFileName(name)?.id ?? "";
    const medium = await requireMediaFile(parts.stores.media, id);
    const request = { method: "GET", header: () => undefined };
    const answer = await mediaFileResponse(request, name, {
      ...parts,
      medium,
      folder: ADMIN_FILES_PATH,
    });
    if (answer === null)
      throw new AppError("not_found", {
        en: "There is no such file",
        de: "Diese Datei gibt es nicht",
      });
    const { "Access-Control-Allow-Origin": _, ...headers } = answer.headers;
    const isFound = answer.status === 200;
    return {
      ...answer,
      headers: {
        ...headers,
        "Cache-Control": isFound ? "private, max-age=3600" : "no-store",
        "Cross-Origin-Resource-Policy": "same-origin",
        "X-Robots-Tag": ADMIN_HEADERS["X-Robots-Tag"],
      },
    };
  },
};
