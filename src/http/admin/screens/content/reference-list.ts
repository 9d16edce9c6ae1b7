import type { References, Referrers } from "../../../../content/editing/references.ts";
import { html, type SafeHtml } from "../../../../render/html.ts";
import { numberText } from "../../texts/choose.ts";
import type { ScreenVisit } from "../frame/screen.ts";
import { readTypesWithScreenLabels } from "../frame/screen-types.ts";
import { renderItemCards } from "./item-cards.ts";

/** Everything that points to an item: relations, links in texts, navigation entries and redirects. */
export async function referencesToItemHtml(
  visit: ScreenVisit,
  { relations, texts: linking, addresses, isInNavigation, total, isCurrent }: References,
): Promise<SafeHtml> {
  const { texts } = visit;
  const t = texts.content.withdraw;
  const types = await readTypesWithScreenLabels(visit);
  const lists: SafeHtml[] = [];
  for (const { relation, total: count, items } of relations) {
    const label = types.get(items[0]?.type ?? "")?.relations[relation]?.label ?? relation;
    const heading = t.relation(numberText(texts, count), label);
    lists.push(html`<h3>${heading}</h3>\n${await renderItemCards(visit, items)}`);
  }
  if (linking.total > 0) lists.push(await linkingItemsHtml(visit, linking));
  return html`<h2>${total === 0 ? t.nothing : t.pointing(numberText(texts, total))}</h2>
${lists}${isInNavigation && html`<p>${t.navigation}</p>\n`}${addresses.length > 0 && html`<p>${t.addresses} ${addresses.join(", ")}</p>\n`}${!isCurrent && html`<p class="hint">${texts.content.stale}</p>\n`}`;
}

/** Items whose texts link to an item. */
export async function linkingItemsHtml(
  visit: ScreenVisit,
  { total, items }: Referrers,
): Promise<SafeHtml> {
  const { texts } = visit;
  const heading = texts.content.withdraw.texts(numberText(texts, total));
  return html`<h3>${heading}</h3>\n${await renderItemCards(visit, items)}`;
}
