import type { Item } from "../../../content/items/item.ts";
import type { Medium } from "../../../content/media/media.ts";
import type { SiteProfile } from "../../../content/site/site.ts";
import type { ContentTypes } from "../../../content/types/content-type.ts";

/**
 * Keeps the reading copy in step with the record. Every call belongs into the write transaction of
 * the change it mirrors, on the same connection. Changes of items and paths are kept back until
 * {@link ReadingWriter.flush}, so that what follows from many of them is worked out once.
 */
export interface ReadingWriter {
  /** Shows a published item, or its new state. Call {@link ReadingWriter.redirect} for its old path. */
  put(item: Item): void;
  /** Takes an item away; its path answers 410 when `gone`, and otherwise as if it had never been. */
  retire(item: RetiredItem, gone: boolean): void;
  /** From now on `from` leads to wherever the item stands; an item put at `from` takes it back. */
  redirect(from: string, toItemId: string): void;
  /** From now on `from` leads to another page of the site that is no item. */
  lead(from: string, toPath: string): void;
  /** What `from` leads to is forgotten, and so is whatever was gone there. */
  dropRedirect(from: string): void;
  /** Writes what was kept back, step by step: between two steps, others may have the processor. */
  flush(): Generator<void>;
  /** Writes what flushing keeps back for the sake of many; call it last, before the transaction ends. */
  finish(): Generator<void>;
  /** Forgets what was kept back, since the transaction is undone. */
  discard(): void;
  /** From now on items that are put show this of the file. */
  putMedium(medium: Medium): void;
  removeMedium(id: string): void;
  /**
   * @returns whether the types changed so that everything published has to be put again; if that
   * does not happen now, `ensureSchema` asks for it at the next start.
   */
  saveSite(profile: SiteProfile, types: ContentTypes): boolean;
}

/** What is left to know of an item that is taken away. */
export type RetiredItem = Pick<Item, "id" | "type" | "path" | "title" | "updatedAt">;

/** One thing to be mirrored that is kept back. */
export type Change =
  | { kind: "put"; item: Item }
  | { kind: "retire"; item: RetiredItem; gone: boolean }
  | { kind: "redirect"; from: string; toItemId: string }
  | { kind: "lead"; from: string; toPath: string }
  | { kind: "dropRedirect"; from: string };
