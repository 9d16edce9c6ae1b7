import { withoutWww } from "../../content/import/wordpress/wordpress-site.ts";

const CHARSET_IN_TYPE = /charset\s*=\s*["']?([\w-]+)/i;
const CHARSET_IN_PAGE = /<meta[^>]+charset\s*=\s*["']?([\w-]+)/i;
/**
 * Limit on the bytes in which a page may name its encoding, as in browsers (HTML, "prescan a byte stream").
 */
const PRESCAN_BYTES = 1024;

/**
 * Decodes an HTML page in the encoding that the response specifies. If the response specifies none,
 * uses the encoding that the page specifies.
 */
export function decodePageText(bytes: Uint8Array, contentType: string): string {
  const start = Buffer.from(bytes.subarray(0, PRESCAN_BYTES)).toString("latin1");
  const [, label = "utf-8"] =
    CHARSET_IN_TYPE.exec(contentType) ?? CHARSET_IN_PAGE.exec(start) ?? [];
  try {
    return new TextDecoder(label).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}

const ADDRESS_WITH_HOST = /(=\s*["'])(?:https?:)?\/\/([^\s/"'?#]+)(?=([/"'?#]))/gi;

/**
 * Removes the origin from addresses on the page's own site, with or without `www.`. Links then lead to
 * the site that imports the page.
 */
export function removeOriginFromUrls(html: string, origin: string): string {
  const ownHost = withoutWww(new URL(origin).host);
  return html.replace(ADDRESS_WITH_HOST, (whole, start: string, host: string, next: string) => {
    if (withoutWww(host) !== ownHost) return whole;
    return next === "/" ? start : `${start}/`;
  });
}
