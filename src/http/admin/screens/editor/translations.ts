import type { Draft, DraftedItemParts } from "../../../../content/drafts/draft.ts";
import { readItem } from "../../../../content/editing/desk.ts";
import type { Item } from "../../../../content/items/item.ts";
import { html, type SafeHtml } from "../../../../render/html.ts";
import { languageName } from "../../texts/choose.ts";
import { actionForm } from "../frame/frame.ts";
import type { ScreenVisit } from "../frame/screen.ts";

const TRANSLATIONS_SHOWN_MAX = 8;

/**
 * The translations of an item, for reference while editing, and a button to add another
 * translation.
 */
export async function translationsHtml(
  visit: ScreenVisit,
  { itemId, type }: Draft,
  parts: DraftedItemParts,
): Promise<SafeHtml | null> {
  const {
    texts,
    parts: { stores },
    signedIn,
  } = visit;
  const t = texts.draft;
  const original = typeof parts["translationOf"] === "string" ? parts["translationOf"] : itemId;
  // A draft may name an item that does not exist.
  if (original === null || (await stores.content.item(original)) === null) return null;
  const { translations } = await readItem(stores, signedIn.actor, original);
  const ids = [original, ...translations.map(({ id }) => id)].filter((id) => id !== itemId);
  const others: Item[] = [];
  for (const id of ids.slice(0, TRANSLATIONS_SHOWN_MAX)) {
    const item = await stores.content.item(id);
    if (item !== null) others.push(item);
  }
  const entries = others.map(
    ({ id, title, body, language }) =>
      html`<details><summary>${languageName(language, texts)}: ${title}</summary>
<div lang="${language}" dir="auto" class="beside">${body}</div>
<p><a href="/admin/content/${id}">${t.openTranslation}</a></p></details>\n`,
  );
  const translateForm = actionForm(visit, "/admin/new", {
    button: t.translate,
    hidden: { type, translationOf: original, title: String(parts["title"] ?? "") },
    content: html`<label>${t.language} <input name="language" required maxlength="35" size="6"></label>`,
    isQuiet: true,
  });
  return html`<section class="translations"><h2>${t.translations}</h2>\n${entries}${translateForm}</section>\n`;
}
