import type { ItemSummary, PreparedForm } from "../content/library.ts";
import { itemAnchor } from "../content/pages/lines.ts";
import { lineHtml } from "./block-html.ts";
import { bytesOf } from "./bytes.ts";
import { html } from "./html.ts";
import { directionOf } from "./languages.ts";
import { lineText } from "./page-markdown.ts";
import { bytesOfPiece } from "./page-pieces.ts";

/** Where the cards of a list are put. */
export interface CardPlace {
  form: PreparedForm;
  origin: string;
  /** Of the page. */
  language: string;
  /** The item on whose page they stand, if cards link to its kind; null: all of them keep all links. */
  under: Pick<ItemSummary, "path" | "title"> | null;
  /** Do they show quotations, or are they entries of a list? */
  areQuotes: boolean;
}

/**
 * Prepared cards as they stand on a page: without a link to itself, and with the direction of other
 * languages where the page's own is from right to left. Most need neither and stay as they are.
 */
export function fittedCards(cards: Uint8Array, place: CardPlace): Uint8Array {
  const { form, language, under } = place;
  const isTurned = form === "html" && directionOf(language) === "rtl";
  if (under === null && !isTurned) return cards;
  const read = bytesOfPiece(cards);
  const turned = isTurned ? turnedRound(read) : read;
  return Buffer.from(under === null ? turned : withoutLink(turned, under, place), "latin1");
}

/** Nothing a card says itself looks like an attribute: quotation marks are escaped. */
function turnedRound(cards: string): string {
  return cards.replaceAll(LANGUAGE, (marked, stated: string) =>
    directionOf(stated) === "ltr" ? `${marked} dir="ltr"` : ` lang="${stated}"`,
  );
}

const LANGUAGE = / lang="([^"]*)"(?: dir="rtl")?/g;

/** What stands before a link that is alone or first among others, in quotations and in entries. */
const LEADS = {
  html: { quotes: ["<figcaption>", " · "], entries: [" – ", ""] },
  markdown: { quotes: ["— ", " · "], entries: [" – ", ""] },
} as const;

function withoutLink(
  cards: string,
  item: Pick<ItemSummary, "path" | "title">,
  { form, origin, areQuotes }: CardPlace,
): string {
  const anchor = itemAnchor({ path: item.path, title: item.title });
  const link = bytesOf(
    form === "html"
      ? html`${lineHtml([anchor], { origin, language: "" })}`.text
      : lineText([anchor], origin, "inside"),
  );
  const [lead, end] = LEADS[form][areQuotes ? "quotes" : "entries"].map(bytesOf);
  const kept = areQuotes ? lead : "";
  return cards
    .replaceAll(`, ${link}`, "")
    .replaceAll(`${lead}${link}, `, lead ?? "")
    .replaceAll(`${lead}${link}${end}`, kept ?? "");
}
