import { html, type SafeHtml } from "../../../../render/html.ts";
import type { Texts } from "../../texts/english.ts";

/** A list of cards, each an `li`. Without cards, the text `none` is shown. */
export function cardList(cards: readonly SafeHtml[], none: string): SafeHtml {
  if (cards.length === 0) return html`<p>${none}</p>\n`;
  return html`<ul class="cards">\n${cards}</ul>\n`;
}

/** The link to the next page of a list; `address` is null on the last page. */
export function nextPageLink(texts: Texts, address: string | null): SafeHtml | null {
  if (address === null) return null;
  return html`<p><a class="button quiet" href="${address}">${texts.content.next}</a></p>\n`;
}
