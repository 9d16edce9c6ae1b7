import type { ItemSummary, PreparedForm } from "../content/library.ts";
import { itemAnchor } from "../content/pages/lines.ts";
import { lineHtml } from "./block-html.ts";
import { bytesOf } from "./bytes.ts";
import { html } from "./html.ts";
import { directionOf } from "./languages.ts";
import { lineText } from "./page-markdown.ts";

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

/** Prepared cards as they stand on a page: without its own language, and without a link to itself. */
export function fittedCards(cards: string, place: CardPlace): string {
  const linked = place.under === null ? cards : withoutLink(cards, place.under, place);
  return place.form === "html" ? inLanguage(linked, place.language) : linked;
}

/** Nothing a card says itself looks like an attribute: quotation marks are escaped. */
function inLanguage(cards: string, language: string): string {
  if (directionOf(language) === "ltr") return cards.replaceAll(` lang="${language}"`, "");
  return cards.replaceAll(LANGUAGE, (marked, stated: string) => {
    if (stated === language) return "";
    return directionOf(stated) === "ltr" ? `${marked} dir="ltr"` : ` lang="${stated}"`;
  });
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
