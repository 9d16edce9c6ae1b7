import type { HttpAnswer } from "../../../exchange.ts";
import type { Reply } from "../../../reply.ts";
import { ADMIN_HEADERS } from "../../page.ts";
import { withPrivateFiles } from "../media/media-card.ts";

/** Disables everything active in the page, so that the editor can embed it safely. */
const CONTENT_SECURITY_POLICY = ADMIN_HEADERS["Content-Security-Policy"]
  .replace("frame-ancestors 'none'", "frame-ancestors 'self'")
  .replace("script-src 'self'; ", "font-src 'self'; ")
  .replace("form-action 'self'", "form-action 'none'");

/** A page of the site as visitors see it, or would, for people who have signed in. */
export function publicPageAnswer(
  { body: page, headers }: Reply,
  changed: (html: string) => string = (html) => html,
): HttpAnswer {
  const body = changed(withPrivateFiles(Buffer.from(page).toString()));
  const all = {
    ...ADMIN_HEADERS,
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "Content-Type": headers["Content-Type"] ?? "text/html; charset=utf-8",
    "Content-Length": String(Buffer.byteLength(body)),
  };
  return { status: 200, headers: all, body };
}
