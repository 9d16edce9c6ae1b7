import { type Actor, requireScope } from "../../access/actor.ts";
import { applyDraft } from "../drafts/publishing-drafts.ts";
import type { DraftStores } from "../drafts/saving.ts";
import type { MergePatch } from "../items/merge-patch.ts";
import type { ReadingCopy } from "../library.ts";
import { findPage } from "../pages/find-page.ts";
import type { PageView } from "../pages/view.ts";
import { dayInZone } from "../site/time-zone.ts";
import { changeItem } from "./editing.ts";
import { publishItem } from "./publishing.ts";
import { restoreRevision } from "./revisions.ts";

/** Runs `change`, then `read` on a reading copy that includes the changes; stores nothing. Takes no lock. */
export type RunPreview = <T>(
  change: (stores: DraftStores) => Promise<unknown>,
  read: (reading: ReadingCopy) => Promise<T>,
) => Promise<T>;

interface PreviewOptions {
  now: Date;
  /** Previews the item with this patch applied. */
  patch?: MergePatch;
  /** Previews the item with the content of this revision. */
  revision?: number;
}

/**
 * Previews an item's page as if it were published now, including effects on related items.
 *
 * @throws {AppError} `not_found`; `conflict` for a deleted item; `invalid`.
 */
export async function previewItem<T>(
  preview: RunPreview,
  actor: Actor,
  id: string,
  { now, patch, revision, show }: PreviewOptions & { show: RenderPreview<T> },
): Promise<T> {
  requireScope(actor, "content:read");
  return await previewPath(preview, { now, show }, async ({ content }) => {
    if (revision !== undefined) {
      await restoreRevision(content, PREVIEWER_ACTOR, id, { now, restore: revision });
    }
    if (patch !== undefined) await changeItem(content, PREVIEWER_ACTOR, id, { now, patch });
    return (await publishItem(content, PREVIEWER_ACTOR, id, { now })).path;
  });
}

/** Previews the page of a draft as if it were published now. Throws the errors of publishing it. */
export async function previewDraft<T>(
  preview: RunPreview,
  actor: Actor,
  id: string,
  { now, show }: Pick<PreviewOptions, "now"> & { show: RenderPreview<T> },
): Promise<T> {
  requireScope(actor, "content:read");
  return await previewDraftUnchecked(preview, id, { now, show });
}

/** As {@link previewDraft}, without a permission check. */
export async function previewDraftUnchecked<T>(
  preview: RunPreview,
  id: string,
  { now, show }: Pick<PreviewOptions, "now"> & { show: RenderPreview<T> },
): Promise<T> {
  return await previewPath(preview, { now, show }, async (stores) => {
    return (await applyDraft(stores, PREVIEWER_ACTOR, id, { status: "published", now })).path;
  });
}

/** Renders the previewed page, before the previewed changes are rolled back. */
export type RenderPreview<T> = (view: PageView, reading: ReadingCopy) => T;

/** The actor that applies the changes of a preview. It passes every permission check; nothing is stored. */
const PREVIEWER_ACTOR: Actor = { kind: "operator" };

async function previewPath<T>(
  preview: RunPreview,
  { now, show }: Pick<PreviewOptions, "now"> & { show: RenderPreview<T> },
  change: (stores: DraftStores) => Promise<string>,
): Promise<T> {
  let path = "";
  return await preview(
    async (stores) => {
      path = await change(stores);
    },
    async (reading) => {
      const answer = await findPage(reading, path, {
        parameter: () => undefined,
        today: () => dayInZone(reading.site().timeZone, now.toISOString()),
      });
      if (answer.kind !== "page") throw new Error(`Nothing is shown at ${path}`);
      return show(answer.view, reading);
    },
  );
}
