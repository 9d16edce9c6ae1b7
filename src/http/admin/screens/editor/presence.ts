import { endPresence, type Presence, recordPresence } from "../../../../content/drafts/presence.ts";
import { html, type SafeHtml } from "../../../../render/html.ts";
import { responseWithContentLength } from "../../../exchange.ts";
import { ADMIN_HEADERS } from "../../page.ts";
import type { Screen, ScreenVisit } from "../frame/screen.ts";

/**
 * Receives pings from the editor's script, and responds with a sentence that says who else is
 * present.
 */
const ping: Screen = {
  method: "POST",
  path: "/admin/drafts/{id}/presence",
  scope: "content:write",
  async answer(visit, form) {
    const { parts, signedIn, now, pathParameter } = visit;
    if (form.value("leave") !== "") {
      await parts.atomically((stores) => endPresence(stores, signedIn.actor, pathParameter("id")));
      return { status: 204, headers: ADMIN_HEADERS, body: null };
    }
    const others = await parts.atomically((stores) =>
      recordPresence(stores, signedIn.actor, pathParameter("id"), now),
    );
    const headers = { ...ADMIN_HEADERS, "Content-Type": "application/json" };
    return responseWithContentLength(
      200,
      headers,
      JSON.stringify({ text: presenceText(visit, others) }),
    );
  },
};

export const presenceScreens: readonly Screen[] = [ping];

/** Container in which the script shows who else is present. */
export function presenceHtml(draftId: string): SafeHtml {
  return html`<p class="state present" role="status" data-presence="/admin/drafts/${draftId}/presence"></p>\n`;
}

function presenceText({ texts }: ScreenVisit, others: readonly Presence[]): string {
  if (others.length === 0) return "";
  const names = new Intl.ListFormat(texts.language).format(others.map(({ name }) => name));
  return texts.presence.here(names, others.length);
}
