import type { RenderedResponse } from "../../../encodable-response.ts";
import type { HttpResponse } from "../../../exchange.ts";
import { ADMIN_HEADERS } from "../../page.ts";
import { withAdminFilePaths } from "../media/media-card.ts";

/** Disables scripts and forms in the page. Allows the editor to embed the page in a frame. */
const CONTENT_SECURITY_POLICY = ADMIN_HEADERS["Content-Security-Policy"]
  .replace("frame-ancestors 'none'", "frame-ancestors 'self'")
  .replace("script-src 'self'; ", "font-src 'self'; ")
  .replace("form-action 'self'", "form-action 'none'");

/**
 * Shows signed-in people a page of the site as it looks to visitors, even while the page is hidden from
 * visitors.
 */
export function publicPagePreviewResponse(
  { body: page, headers }: RenderedResponse,
  transform: (html: string) => string = (html) => html,
): HttpResponse {
  const body = transform(withAdminFilePaths(Buffer.from(page).toString()));
  const allHeaders = {
    ...ADMIN_HEADERS,
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "Content-Type": headers["Content-Type"] ?? "text/html; charset=utf-8",
    "Content-Length": String(Buffer.byteLength(body)),
  };
  return { status: 200, headers: allHeaders, body };
}
