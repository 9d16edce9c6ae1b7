import { changeLinks } from "../../../../content/editing/many/linking.ts";
import type { ItemOutline } from "../../../../content/items/item.ts";
import type { Relation } from "../../../../content/types/content-type.ts";
import { AppError } from "../../../../errors.ts";
import { html, type SafeHtml } from "../../../../render/html.ts";
import type { HttpResponse } from "../../../exchange.ts";
import { messageInAllLanguages, numberText } from "../../texts/choose.ts";
import { findLinkTargetsByName, type LinkLookupResult } from "../editor/link-names.ts";
import { relationField } from "../editor/relation-field.ts";
import { csrfTokenField, hiddenFields, screenResponse } from "../frame/frame.ts";
import { nonEmptyLines } from "../frame/non-empty-lines.ts";
import type { Screen, ScreenVisit } from "../frame/screen.ts";
import { readTypesWithScreenLabels } from "../frame/screen-types.ts";
import { PICKER_SCRIPT_PATH } from "../frame/scripts.ts";

const SCREEN_PATH = "/admin/content";
const LINKS_PATH = `${SCREEN_PATH}/selection/links`;
/** Maximum number of selected items in one request; more than the list shows on a page. */
const ITEMS_MAX = 100;

/** A relation that some of the selected items can have. */
interface AvailableRelation {
  name: string;
  relation: Relation;
  items: string[];
}

/** Adds or removes links from the selected items to other items, in one transaction. */
export const selectedLinksScreen: Screen = {
  method: "POST",
  path: LINKS_PATH,
  scope: "content:publish",
  async answer(visit, form) {
    const { texts, parts, signedIn, now, requestId } = visit;
    const t = texts.many.links;
    const items = await selectedItems(visit, form.values("item"));
    const relations = await relationsOfTypes(visit, items);
    const namedLinks = await findLinkTargetsByName(
      { ...parts.stores, deskIndex: parts.deskIndex },
      signedIn.actor,
      {
        targets: Object.fromEntries(relations.map(({ name, relation }) => [name, relation.target])),
        added: Object.fromEntries(
          relations.map(({ name }) => [name, nonEmptyLines(form.value(`a.${name}`))]),
        ),
      },
    );
    if (namedLinks.fault !== null) return await linksResponse(visit, items, { namedLinks });
    const action = form.value("action") === "unlink" ? "unlink" : "link";
    const changes = relations.flatMap(({ name, items: ids }) => {
      const targets = [...form.values(`r.${name}`), ...(namedLinks.linkedIds[name] ?? [])];
      return targets.length === 0 ? [] : [{ action, relation: name, items: ids, targets } as const];
    });
    if (changes.length === 0)
      throw new AppError(
        "invalid",
        messageInAllLanguages(({ many }) => many.links.missing),
      );
    const changed = await parts.atomically(async ({ content }) => {
      const ids = new Set<string>();
      for (const change of changes) {
        const changedIds = await changeLinks(content, signedIn.actor, change, { now, requestId });
        for (const id of changedIds) ids.add(id);
      }
      return ids.size;
    });
    return await linksResponse(visit, items, { done: t.done(numberText(texts, changed)) });
  },
};

/** Asks which links to add or remove. */
export async function selectedLinksFormResponse(
  visit: ScreenVisit,
  ids: readonly string[],
): Promise<HttpResponse> {
  return await linksResponse(visit, await selectedItems(visit, ids), {});
}

async function selectedItems(
  { parts }: ScreenVisit,
  ids: readonly string[],
): Promise<ItemOutline[]> {
  const items = [...(await parts.stores.desk.outlines(ids.slice(0, ITEMS_MAX))).values()];
  if (items.length === 0)
    throw new AppError(
      "invalid",
      messageInAllLanguages(({ content }) => content.selection.nothingTicked),
    );
  return items;
}

async function linksResponse(
  visit: ScreenVisit,
  items: readonly ItemOutline[],
  { namedLinks, done }: { namedLinks?: LinkLookupResult; done?: string },
): Promise<HttpResponse> {
  const { texts } = visit;
  const titles = items.map(
    ({ id, title }) => html`<li><a href="${SCREEN_PATH}/${id}">${title}</a></li>\n`,
  );
  const content = html`${done !== undefined && html`<p class="state">${done}</p>\n`}${await linksForm(visit, items, namedLinks?.unmatched ?? {})}<details><summary>${texts.content.title}</summary><ul>
${titles}</ul></details>
<p><a class="button quiet" href="${SCREEN_PATH}">${texts.content.selection.back}</a></p>\n`;
  return screenResponse(
    { ...visit, url: SCREEN_PATH },
    {
      title: texts.many.links.title(numberText(texts, items.length)),
      content,
      fault: namedLinks?.fault?.[texts.language],
      status: namedLinks === undefined ? 200 : 422,
      scripts: [PICKER_SCRIPT_PATH],
    },
  );
}

async function linksForm(
  visit: ScreenVisit,
  items: readonly ItemOutline[],
  unmatched: LinkLookupResult["unmatched"],
): Promise<SafeHtml> {
  const { texts } = visit;
  const t = texts.many.links;
  const relations = await relationsOfTypes(visit, items);
  if (relations.length === 0) return html`<p>${t.none}</p>\n`;
  const fields = relations.map(({ name, relation }) =>
    relationField(name, relation, { links: [], names: (unmatched[name] ?? []).join("\n"), texts }),
  );
  return html`<form method="post" action="${LINKS_PATH}">
${csrfTokenField(visit)}${items.map(({ id }) => hiddenFields({ item: id }))}<fieldset class="field"><legend>${t.what}</legend>
<label class="choice"><input type="radio" name="action" value="link" checked><span>${t.link}</span></label>
<label class="choice"><input type="radio" name="action" value="unlink"><span>${t.unlink}</span></label></fieldset>
<div class="sides">\n${fields}</div>
<p><button>${t.apply}</button></p>
</form>
`;
}

/**
 * The relations of the selected items' types. A relation that several types have is listed once,
 * with the items of all these types.
 */
async function relationsOfTypes(
  visit: ScreenVisit,
  items: readonly ItemOutline[],
): Promise<readonly AvailableRelation[]> {
  const types = await readTypesWithScreenLabels(visit);
  const relations = new Map<string, AvailableRelation>();
  for (const { id, type } of items) {
    for (const [name, relation] of Object.entries(types.get(type)?.relations ?? {})) {
      const available = relations.get(name) ?? { name, relation, items: [] };
      if (available.relation.target === relation.target) available.items.push(id);
      relations.set(name, available);
    }
  }
  return [...relations.values()];
}
