import type { SiteTexts } from "../../texts/site/english.ts";

interface BodyContext {
  texts: SiteTexts;
  showsPicturesFromElsewhere: boolean;
}

const BACK_LINK = 'class="footnote-backref"';

/** Adapts a rendered body to the page that shows it; most bodies stay unchanged. */
export function adaptBodyToPage(html: string, context: BodyContext): string {
  const labelled = html.includes(BACK_LINK) ? withLabelledBackLinks(html, context) : html;
  const hasScrollers = labelled.includes("<table") || labelled.includes("<pre");
  const scrollable = hasScrollers ? withScrollers(labelled, context) : labelled;
  const hasAddresses = scrollable.includes('<a href="http');
  const marked = hasAddresses ? withMarkedBareUrls(scrollable) : scrollable;
  const isSafe = context.showsPicturesFromElsewhere || !marked.includes('src="http');
  return isSafe ? marked : withoutPicturesFromElsewhere(marked);
}

const PLAIN_LINK = /<a href="https?:\/\/([^"]+)"([^>]*)>(?:https?:\/\/)?([^<]+)<\/a>/g;

/** Marks links whose text is their URL, so that the URL is not printed twice. */
function withMarkedBareUrls(html: string): string {
  return html.replaceAll(PLAIN_LINK, (link, to: string, rest: string, words: string) => {
    const isAddress = withoutSlash(words) === withoutSlash(to) && !rest.includes("class=");
    return isAddress ? link.replace("<a ", '<a class="address" ') : link;
  });
}

function withoutSlash(address: string): string {
  return address.endsWith("/") ? address.slice(0, -1) : address;
}

/** Labels the links from footnotes back to the text: an arrow alone means nothing to screen readers. */
function withLabelledBackLinks(html: string, { texts: { frame } }: BodyContext): string {
  return html.replaceAll(
    /<a href="#fnref(\d+)[^"]*" class="footnote-backref"/g,
    (link, note: string) => `${link} aria-label="${frame.backToNote(note)}"`,
  );
}

/** Makes tables and code scroll sideways and reachable with the Tab key. */
function withScrollers(html: string, { texts: { frame } }: BodyContext): string {
  return (
    html
      .replaceAll(/<pre\b/g, `<pre tabindex="0" role="group" aria-label="${frame.code}"`)
      .replaceAll(
        /<table\b/g,
        `<div class="scroll" tabindex="0" role="group" aria-label="${frame.table}"><table`,
      )
      .replaceAll("</table>", "</table></div>")
      // An empty `th`, as in the corner of a table, is not a heading but an ordinary cell.
      .replaceAll(/<th\b[^>]*><\/th>/g, "<td></td>")
  );
}

const LINKS_AND_PICTURES = /<(?:a\b|\/a>)|<img\b[^>]*\bsrc="(https?:[^"]*)"[^>]*>/g;

/**
 * Turns pictures from other sites into links, because loading them would reveal readers to those
 * sites. Pictures of this site have root-relative addresses.
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
