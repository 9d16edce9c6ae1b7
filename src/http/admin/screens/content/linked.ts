import { readItem } from "../../../../content/editing/desk.ts";
import { changeLinks } from "../../../../content/editing/many/linking.ts";
import { type RelationView, relationViews } from "../../../../content/types/content-type.ts";
import { AppError } from "../../../../errors.ts";
import { html, type SafeHtml } from "../../../../render/html.ts";
import type { SentForm } from "../../../site/sent-form.ts";
import { inEach } from "../../texts/choose.ts";
import { linesIn } from "../editor/draft-form.ts";
import { linksNamed, type NamedLinks } from "../editor/link-names.ts";
import { relationField } from "../editor/relation-field.ts";
import { actionForm } from "../frame/frame.ts";
import type { ScreenVisit } from "../frame/screen.ts";
import { screenTypes } from "../frame/screen-types.ts";

const SCREEN_PATH = "/admin/content";
/** The limit of one request to the admin API. */
const LINKS_MAX = 200;

/** Links other items to this one, through a relation of theirs such as a quotation's topic. */
export async function linkSent(visit: ScreenVisit, form: SentForm): Promise<NamedLinks> {
  const { parts, found, now, requestId } = visit;
  const { id, type } = await readItem(parts.stores, found.actor, visit.part("id"));
  const views = incoming(relationViews(await screenTypes(visit), type));
  const named = await linksNamed({ ...parts.stores, deskIndex: parts.deskIndex }, found.actor, {
    targets: Object.fromEntries(views.map((view) => [nameOf(view), view.otherType])),
    added: Object.fromEntries(
      views.map((view) => [nameOf(view), linesIn(form.value(`a.${nameOf(view)}`))]),
    ),
  });
  const changes = views.map((view) => {
    const name = nameOf(view);
    const items = [...form.values(`r.${name}`), ...(named.found[name] ?? [])];
    return { action: "link", relation: view.relation, items, targets: [id] } as const;
  });
  if (changes.some(({ items }) => items.length > LINKS_MAX)) {
    throw new AppError(
      "invalid",
      inEach(({ draft }) => draft.tooMany(String(LINKS_MAX))),
    );
  }
  await parts.atomically(async ({ content }) => {
    for (const change of changes) {
      await changeLinks(content, found.actor, change, { now, requestId });
    }
  });
  return named;
}

/**
 * A field for each relation by which other items may link to this one; `left`: names that match no
 * item.
 */
export async function linkedForm(
  visit: ScreenVisit,
  { id, type }: { id: string; type: string },
  left: NamedLinks["left"],
): Promise<SafeHtml | null> {
  const { texts } = visit;
  const t = texts.item;
  const views = incoming(relationViews(await screenTypes(visit), type));
  if (views.length === 0) return null;
  const fields = views.map((view) => {
    const names = (left[nameOf(view)] ?? []).join("\n");
    const target = { label: view.label, target: view.otherType };
    return relationField(nameOf(view), target, { links: [], names, texts });
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

/** The field name of a relation, with its type because several types may use the same name. */
function nameOf({ otherType, relation }: RelationView): string {
  return `${otherType}.${relation}`;
}
