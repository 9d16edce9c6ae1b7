import type { SiteTexts } from "../../texts/site/english.ts";

interface BodyContext {
  texts: SiteTexts;
  showsPicturesFromElsewhere: boolean;
}

/** A rendered body as this page shows it; most are unchanged. */
export function shownBody(html: string, context: BodyContext): string {
  const reachable =
    html.includes("<table") || html.includes("<pre") ? withScrollers(html, context) : html;
  const isSafe = context.showsPicturesFromElsewhere || !reachable.includes('src="http');
  return isSafe ? reachable : withoutPicturesFromElsewhere(reachable);
}

/** Makes tables and code scroll sideways on their own, and reachable with the Tab key. */
function withScrollers(html: string, { texts: { frame } }: BodyContext): string {
  return html
    .replaceAll(/<pre\b/g, `<pre tabindex="0" role="group" aria-label="${frame.code}"`)
    .replaceAll(
      /<table\b/g,
      `<div class="scroll" tabindex="0" role="group" aria-label="${frame.table}"><table`,
    )
    .replaceAll("</table>", "</table></div>");
}

const LINKS_AND_PICTURES = /<(?:a\b|\/a>)|<img\b[^>]*\bsrc="(https?:[^"]*)"[^>]*>/g;

/**
 * Turns pictures from other sites into links: loading them would tell those sites who reads.
 * Pictures of this site have root-relative addresses.
 */
function withoutPicturesFromElsewhere(html: string): string {
  let isInLink = false;
  return html.replaceAll(LINKS_AND_PICTURES, (tag, address: string | undefined) => {
    if (address === undefined) {
      isInLink = tag !== "</a>";
      return tag;
    }
    const words = / alt="([^"]+)"/.exec(tag)?.[1] ?? address;
    const shown = `<span class="elsewhere">${words}</span>`;
    return isInLink ? shown : `<a href="${address}" rel="external">${shown}</a>`;
  });
}
