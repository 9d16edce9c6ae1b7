import { readItem } from "../../../../content/editing/desk.ts";
import { changeLinks } from "../../../../content/editing/many/linking.ts";
import { type RelationView, relationViews } from "../../../../content/types/relation-views.ts";
import { AppError } from "../../../../errors.ts";
import { html, type SafeHtml } from "../../../../render/html.ts";
import type { SentForm } from "../../../site/sent-form.ts";
import { messageInAllLanguages } from "../../texts/choose.ts";
import { findLinkTargetsByName, type LinkLookupResult } from "../editor/link-names.ts";
import { relationField } from "../editor/relation-field.ts";
import { actionForm } from "../frame/frame.ts";
import { nonEmptyLines } from "../frame/non-empty-lines.ts";
import type { ScreenVisit } from "../frame/screen.ts";
import { readTypesWithScreenLabels } from "../frame/screen-types.ts";

const SCREEN_PATH = "/admin/content";
/** Maximum number of links per relation in a request, as in the admin API. */
const LINKS_MAX = 200;

/**
 * Adds links to the item of this screen from the items that are named in the form. The relation belongs to
 * the named items: on the screen of a topic, a named quotation gets the topic as one of its topics.
 */
export async function linkOthersToItem(
  visit: ScreenVisit,
  form: SentForm,
): Promise<LinkLookupResult> {
  const { parts, signedIn, now, requestId } = visit;
  const { id, type } = await readItem(parts.stores, signedIn.actor, visit.pathParameter("id"));
  const views = incoming(relationViews(await readTypesWithScreenLabels(visit), type));
  const namedLinks = await findLinkTargetsByName(
    { ...parts.stores, deskIndex: parts.deskIndex },
    signedIn.actor,
    {
      targets: Object.fromEntries(views.map((view) => [fieldName(view), view.otherType])),
      added: Object.fromEntries(
        views.map((view) => [fieldName(view), nonEmptyLines(form.value(`a.${fieldName(view)}`))]),
      ),
    },
  );
  const changes = views.map((view) => {
    const name = fieldName(view);
    const items = [...form.values(`r.${name}`), ...(namedLinks.linkedIds[name] ?? [])];
    return { action: "link", relation: view.relation, items, targets: [id] } as const;
  });
  if (changes.some(({ items }) => items.length > LINKS_MAX)) {
    throw new AppError(
      "invalid",
      messageInAllLanguages(({ draft }) => draft.tooMany(String(LINKS_MAX))),
    );
  }
  await parts.atomically(async ({ content }) => {
    for (const change of changes) {
      await changeLinks(content, signedIn.actor, change, { now, requestId });
    }
  });
  return namedLinks;
}

/**
 * Renders a field for each relation through which other items can link to this item. `unmatched` contains
 * the entered names that match no item.
 */
export async function incomingLinksForm(
  visit: ScreenVisit,
  { id, type }: { id: string; type: string },
  unmatched: LinkLookupResult["unmatched"],
): Promise<SafeHtml | null> {
  const { texts } = visit;
  const t = texts.item;
  const views = incoming(relationViews(await readTypesWithScreenLabels(visit), type));
  if (views.length === 0) return null;
  const fields = views.map((view) => {
    const names = (unmatched[fieldName(view)] ?? []).join("\n");
    const target = { label: view.label, target: view.otherType };
    return relationField(fieldName(view), target, { links: [], names, texts });
  });
  const content = html`<p class="hint">${t.linkHereHint}</p>
<div class="sides">\n${fields}</div>\n`;
  const form = actionForm(visit, `${SCREEN_PATH}/${id}/linked`, {
    button: t.link,
    content,
    isQuiet: true,
  });
  return html`<h2>${t.linkHere}</h2>\n${form}`;
}

function incoming(views: readonly RelationView[]): RelationView[] {
  return views.filter(({ direction }) => direction === "in");
}

/**
 * The name of the form field for a relation. The name includes the linking type, because several types can
 * have a relation of the same name.
 */
function fieldName({ otherType, relation }: RelationView): string {
  return `${otherType}.${relation}`;
}
