import type { DraftedItemParts } from "../../../../../content/drafts/draft.ts";
import { publishItem, scheduleItem } from "../../../../../content/editing/publishing.ts";
import type { ContentRecord } from "../../../../../content/record.ts";
import { html, type SafeHtml } from "../../../../../render/html.ts";
import type { SentForm } from "../../../../site/sent-form.ts";
import type { ScreenVisit } from "../../frame/screen.ts";

/** Maximum number of linked items that are published together with a draft. */
const LINKED_ITEMS_MAX = 50;

/**
 * Checkboxes to publish further items together with a draft: the unpublished items to which the
 * draft links. Null if there are none.
 */
export async function unpublishedLinkedItemsHtml(
  { texts, parts: { stores } }: ScreenVisit,
  current: DraftedItemParts,
): Promise<SafeHtml | null> {
  const links = Object.entries(current).filter(([part]) => part.startsWith("relations."));
  const ids = links.flatMap(([, value]) =>
    Array.isArray(value) ? value.map(({ to }) => String(to)) : [],
  );
  const linkedItems = await stores.desk.outlines(ids);
  const unpublished = [...linkedItems.values()].filter(({ status }) => status === "draft");
  if (unpublished.length === 0) return null;
  const choices = unpublished
    .slice(0, LINKED_ITEMS_MAX)
    .map(
      ({ id, title }) =>
        html`<label class="choice"><input type="checkbox" name="also" value="${id}" checked> ${title}</label>\n`,
    );
  return html`<fieldset class="field"><legend>${texts.publish.also}</legend>\n${choices}</fieldset>\n`;
}

/**
 * Publishes the linked items ticked in the form. If `publishAt` is set, schedules them for that
 * time instead.
 */
export async function publishLinkedItems(
  content: ContentRecord,
  { signedIn, now, requestId }: Pick<ScreenVisit, "signedIn" | "now" | "requestId">,
  { form, publishAt }: { form: SentForm; publishAt: Date | null },
): Promise<void> {
  for (const id of form.values("also").slice(0, LINKED_ITEMS_MAX)) {
    const options = { now, requestId };
    if (publishAt === null) await publishItem(content, signedIn.actor, id, options);
    else await scheduleItem(content, signedIn.actor, id, { ...options, publishAt });
  }
}
