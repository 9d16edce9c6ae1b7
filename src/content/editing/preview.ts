import { type Actor, requireScope } from "../../access/actor.ts";
import type { MergePatch } from "../items/merge-patch.ts";
import type { ReadingCopy } from "../library.ts";
import { findPage } from "../pages/find-page.ts";
import type { PageView } from "../pages/view.ts";
import type { ContentRecord } from "../record.ts";
import { changeItem } from "./editing.ts";
import { publishItem } from "./publishing.ts";
import { restoreRevision } from "./revisions.ts";

/** Applies changes, renders the result and rolls back. Holds the write lock throughout. */
export type Preview = <T>(
  change: (stores: { content: ContentRecord }) => Promise<unknown>,
  look: (reading: ReadingCopy) => Promise<T>,
) => Promise<T>;

interface PreviewOptions {
  now: Date;
  /** Preview with this patch applied, */
  patch?: MergePatch;
  /** or with the content of this revision. */
  revision?: number;
}

/**
 * Previews an item's page as if it were published now, including effects on related items.
 *
 * @param show is called before the rollback.
 * @throws {AppError} as the changes: `not_found`; `conflict` for a deleted item; `invalid`.
 */
export async function previewItem<T>(
  preview: Preview,
  actor: Actor,
  id: string,
  {
    now,
    patch,
    revision,
    show,
  }: PreviewOptions & {
    show: (view: PageView, reading: ReadingCopy) => T;
  },
): Promise<T> {
  requireScope(actor, "content:read");
  let path = "";
  return await preview(
    async ({ content }) => {
      // A preview is not published, so permission to read suffices.
      const actor = { kind: "operator" } as const;
      if (revision !== undefined) {
        await restoreRevision(content, actor, id, { now, restore: revision });
      }
      if (patch !== undefined) await changeItem(content, actor, id, { now, patch });
      path = (await publishItem(content, actor, id, { now })).path;
    },
    async (reading) => {
      const answer = await findPage(reading, path, { parameter: () => undefined });
      if (answer.kind !== "page") throw new Error(`Nothing is shown at ${path}`);
      return show(answer.view, reading);
    },
  );
}
