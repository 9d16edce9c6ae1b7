const CHARSET_IN_TYPE = /charset\s*=\s*["']?([\w-]+)/i;
const CHARSET_IN_PAGE = /<meta[^>]+charset\s*=\s*["']?([\w-]+)/i;
/** Browsers look no further (HTML, "prescan a byte stream"). */
const PRESCAN_BYTES = 1024;

/** The text of an HTML page in the encoding that its answer or the page itself states. */
export function pageText(bytes: Uint8Array, contentType: string): string {
  const start = Buffer.from(bytes.subarray(0, PRESCAN_BYTES)).toString("latin1");
  const [, label = "utf-8"] =
    CHARSET_IN_TYPE.exec(contentType) ?? CHARSET_IN_PAGE.exec(start) ?? [];
  try {
    return new TextDecoder(label).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}

const OWN_OR_OTHER = /(=\s*["'])(?:https?:)?\/\/([^\s/"'?#]+)(?=([/"'?#]))/gi;

/** The page with the addresses of its own site from the root, so that they lead to the new one. */
export function withoutOrigin(html: string, origin: string): string {
  const own = new URL(origin).host;
  return html.replace(OWN_OR_OTHER, (whole, start: string, host: string, next: string) => {
    if (host.toLowerCase() !== own) return whole;
    return next === "/" ? start : `${start}/`;
  });
}
