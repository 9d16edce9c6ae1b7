import { Parser } from "htmlparser2";
import type { PageView } from "../content/pages/view.ts";

export interface LinkPreviewPicture {
  /** Absolute URL. */
  url: string;
  alt: string;
  width: string | null;
  height: string | null;
}

/** The page's first picture that preview services can read: its portrait, or one in its text. */
export function findLinkPreviewPicture(
  { subject }: Pick<PageView, "subject">,
  origin: string,
): LinkPreviewPicture | null {
  const portrait = subject.kind === "item" ? subject.portrait : undefined;
  if (portrait !== undefined && !isSvg(portrait.path)) {
    const { path, alt, width, height } = portrait;
    const size = { width: width?.toString() ?? null, height: height?.toString() ?? null };
    return { url: origin + path, alt, ...size };
  }
  const item = subject.kind === "item" || subject.kind === "home" ? subject.item : null;
  const start = item?.html.indexOf("<img") ?? -1;
  if (item === null || start < 0) return null;
  let found: LinkPreviewPicture | null = null;
  const parser = new Parser({
    onopentag(name, { src = "", alt = "", width = null, height = null }) {
      if (name !== "img" || isSvg(src)) return;
      found = { url: new URL(src, origin).href, alt, width, height };
      parser.pause();
    },
  });
  parser.end(item.html.slice(start));
  return found;
}

function isSvg(address: string): boolean {
  return /\.svg$/i.test(address);
}
