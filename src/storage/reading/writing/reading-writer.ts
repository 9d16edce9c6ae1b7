import type { Item } from "../../../content/items/item.ts";
import type { MediaFile } from "../../../content/media/media.ts";
import type { SiteProfile } from "../../../content/site/site.ts";
import type { ContentTypes } from "../../../content/types/content-type.ts";
import type { ComputationSteps } from "../../sqlite/yield-between.ts";

/**
 * Keeps the reading copy in step with the record. Call inside the write transaction of the mirrored
 * change, on the same connection. Changes of items and paths are buffered until {@link
 * ReadingWriter.flush}, so that derived data is computed once for many changes.
 */
export interface ReadingWriter {
  /**
   * Adds or updates a published item. If its path has changed, also call {@link ReadingWriter.redirect} for
   * the old path.
   */
  put(item: Item): void;
  /** Removes an item; its path answers 410 if `gone`, otherwise 404. */
  retire(item: RetiredItem, gone: boolean): void;
  /** Redirects `from` to the item's current path; an item put at `from` removes the redirect. */
  redirect(from: string, toItemId: string): void;
  /** Redirects `from` to a page of the site that is not an item, or to another site. */
  lead(from: string, toPath: string): void;
  /** Makes `from` answer 410, although no item was there. */
  leadNowhere(from: string): void;
  /** Removes any redirect or 410 at `from`. */
  dropRedirect(from: string): void;
  /** Writes buffered changes; the event loop may run between steps. */
  flush(): ComputationSteps;
  /** Writes the changes that `flush` has deferred; call last, before the transaction ends. */
  finish(): ComputationSteps;
  /** Drops buffered changes after a rollback. */
  discard(): void;
  /** Stores the metadata of a file, for items that are put after this call. */
  putMedium(medium: MediaFile): void;
  removeMedium(id: string): void;
  /**
   * @returns whether the types changed, so that all published items must be put again. If the caller
   * does not put them again, `ensureSchema` requests this at the next start.
   */
  saveSite(profile: SiteProfile, types: ContentTypes): boolean;
}

/** The properties that are needed to remove an item. */
export type RetiredItem = Pick<Item, "id" | "type" | "path" | "title" | "updatedAt">;

/** One buffered change. */
export type BufferedChange =
  | { kind: "put"; item: Item }
  | { kind: "retire"; item: RetiredItem; gone: boolean }
  | { kind: "redirect"; from: string; toItemId: string }
  | { kind: "lead"; from: string; toPath: string }
  | { kind: "leadNowhere"; from: string }
  | { kind: "dropRedirect"; from: string };
