import { type Actor, requireScope } from "../../access/actor.ts";
import type { MergePatch } from "../items/merge-patch.ts";
import type { ReadingCopy } from "../library.ts";
import { findPage } from "../pages/find-page.ts";
import type { PageView } from "../pages/view.ts";
import type { ContentRecord } from "../record.ts";
import { changeItem } from "./editing.ts";
import { publishItem } from "./publishing.ts";
import { restoreRevision } from "./revisions.ts";

/**
 * Makes changes, shows what the public would then see, and undoes them. It holds the lock of all
 * writing.
 */
export type Rehearse = <T>(
  change: (stores: { content: ContentRecord }) => Promise<unknown>,
  look: (reading: ReadingCopy) => Promise<T>,
) => Promise<T>;

interface PreviewOptions {
  now: Date;
  /** As it would be after this change, */
  patch?: MergePatch;
  /** or with the content of this revision. */
  revision?: number;
}

/**
 * The page of an item as it would be if the item were published now, with everything about it that
 * follows from others.
 *
 * @param show is called before anything is undone, with all that the public would then see.
 * @throws {AppError} as the changes would: `not_found`; `conflict` for a deleted item; `invalid`.
 */
export async function previewItem<T>(
  rehearse: Rehearse,
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
  return await rehearse(
    async ({ content }) => {
      // Nobody else sees it, so whoever may read may also see it published.
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
