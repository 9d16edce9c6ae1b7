import { convertPasteInWorker } from "../../../../content/pasting/pasting.ts";
import { responseWithContentLength } from "../../../exchange.ts";
import { ADMIN_HEADERS } from "../../page.ts";
import type { Screen } from "../frame/screen.ts";

/** Converts HTML from the clipboard to Markdown for the editor's script. */
export const pasteScreen: Screen = {
  method: "POST",
  path: "/admin/paste",
  scope: "content:write",
  async answer({ signedIn }, form) {
    const markdown = await convertPasteInWorker(signedIn.actor, form.value("html"));
    const headers = { ...ADMIN_HEADERS, "Content-Type": "application/json" };
    return responseWithContentLength(200, headers, JSON.stringify({ markdown }));
  },
};
