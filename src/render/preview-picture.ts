import { Parser } from "htmlparser2";
import type { PageView } from "../content/pages/view.ts";

/** A picture that stands for a page where it is linked. */
export interface PreviewPicture {
  /** Absolute. */
  url: string;
  alt: string;
  width: string | null;
  height: string | null;
}

/** The first picture of a page that those who show previews can read, which SVG is not. */
export function previewPicture(
  { subject }: Pick<PageView, "subject">,
  origin: string,
): PreviewPicture | null {
  const item = subject.kind === "item" || subject.kind === "home" ? subject.item : null;
  const start = item?.html.indexOf("<img") ?? -1;
  if (item === null || start < 0) return null;
  let found: PreviewPicture | null = null;
  const parser = new Parser({
    onopentag(name, { src = "", alt = "", width = null, height = null }) {
      if (name !== "img" || found !== null || /\.svg$/i.test(src)) return;
      found = { url: new URL(src, origin).href, alt, width, height };
    },
  });
  parser.end(item.html.slice(start));
  return found;
}
