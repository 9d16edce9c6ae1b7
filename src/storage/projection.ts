import type { DatabaseSync } from "node:sqlite";
import type { Kysely } from "kysely";
import type { Item } from "../content/items/item.ts";
import type { MediaFile } from "../content/media/media.ts";
import type { ContentReader, Redirect } from "../content/record.ts";
import type { SiteProfile } from "../content/site/site.ts";
import type { ContentTypes } from "../content/types/content-type.ts";
import { createIndexWriter } from "../search/postings/index-writer.ts";
import { ensureSchema } from "./reading/schema.ts";
import {
  requireLargeTextsRendered,
  requireRenderableTexts,
} from "./reading/writing/check-texts.ts";
import { InitialFillWriter } from "./reading/writing/initial-fill-writer.ts";
import { MediaMetadataWriter } from "./reading/writing/pictures.ts";
import type { ReadingWriter } from "./reading/writing/reading-writer.ts";
import { createReadingWriter } from "./reading/writing/writer.ts";
import type { RecordTables } from "./record/tables.ts";
import { StatementCache } from "./sqlite/statements.ts";
import { runStepsWithYields } from "./sqlite/yield-between.ts";
import { createWholeContentReader, fillReadingCopy, type OnProgress } from "./whole-content.ts";

/** The effects of writing an item: the item's state before the write, and the changes of its paths. */
export interface ItemTransition {
  before: Item | null;
  /** A path that now redirects to the item; null if there is none. */
  formerPath: string | null;
  /** Whether the item's path was public and is gone now. Such a path answers 410, not 404. */
  isGone: boolean;
}

/** Updates the public content after each change of the record, in the transaction of that change. */
export interface Projection {
  /** The public origin of the site. */
  readonly origin: string;
  /**
   * Call before putting any item, even an unpublished one, because a schedule may publish it later.
   * @throws {AppError} `invalid` when a text of the item cannot be rendered. The message names the
   * text.
   * @throws {UnrenderedTextsError} see {@link Projection.requireRendered}.
   */
  check(item: Item, before: Item | null): void | Promise<void>;
  /** @throws {UnrenderedTextsError} naming the large texts that `renderLargeTextsFirst` must render. */
  requireRendered(texts: readonly string[]): void;
  /**
   * Call at the start of every transaction: it discards buffered changes that a rolled-back transaction
   * possibly left. Later calls use `db`, which must see the changes of the transaction.
   */
  begin(db: Kysely<RecordTables>): void;
  /**
   * Buffers the item until {@link Projection.flush}, so that derived data is computed once for many items.
   */
  put(item: Item, move: ItemTransition): void;
  /** Writes buffered changes. Call regularly to bound memory. */
  flush(): Promise<void>;
  /** Writes the derived data that `flush` leaves for the end. Call before the transaction ends. */
  finish(): Promise<void>;
  putRedirect(redirect: Redirect): void;
  /**
   * Frees the redirect's path. If a deleted item (`displaced`) had that path, the path answers 410
   * again.
   */
  removeRedirect(redirect: Redirect, displaced: Item | null): void;
  /** The caller must then call {@link Projection.put} for the items that show the file. */
  putMedium(medium: MediaFile): void;
  removeMedium(id: string): void;
  /** `db` must see the changes of the transaction. */
  saveSite(profile: SiteProfile, types: ContentTypes, db: Kysely<RecordTables>): Promise<void>;
}

/** A projection whose reading copy is in the record's file and changes in the same transaction. */
export interface EmbeddedProjection extends Projection {
  /**
   * Rebuilds the reading copy when it is missing or was built for another public origin or by another
   * version of this program. Call inside a transaction that `content` and `db` see.
   */
  refresh(content: ContentReader, db: Kysely<RecordTables>, onProgress: OnProgress): Promise<void>;
  /** Rebuilds the reading copy. Call inside a transaction that `content` and `db` see. */
  rebuild(content: ContentReader, db: Kysely<RecordTables>): Promise<void>;
}

/** Mirrors the record's changes into the reading copy in the record's file, on the same connection. */
export function embeddedProjection(connection: DatabaseSync, origin: string): EmbeddedProjection {
  const index = createIndexWriter(connection);
  const writer = createReadingWriter(connection, { origin, index });
  const pictures = new MediaMetadataWriter(new StatementCache(connection));
  const rendering = { origin, findPicture: pictures.find };
  const fill = async (db: Kysely<RecordTables>, types: ContentTypes, onProgress?: OnProgress) => {
    const filling = new InitialFillWriter(connection, { origin, types, index });
    await fillReadingCopy(createWholeContentReader(db), filling, onProgress);
    await runStepsWithYields(filling.finish());
  };
  const refresh: EmbeddedProjection["refresh"] = async (content, db, onProgress) => {
    if (!ensureSchema(connection, { origin })) return;
    const site = await content.site();
    if (site === null) return;
    const types = await content.types();
    writer.saveSite(site, types);
    await fill(db, types, onProgress);
  };
  return {
    ...createPublicChangeProjection(writer),
    origin,
    check: (item, before) => requireRenderableTexts(item, before, rendering),
    requireRendered: (texts) => requireLargeTextsRendered(texts, rendering),
    begin: () => writer.discard(),
    flush: async () => await runStepsWithYields(writer.flush()),
    finish: async () => await runStepsWithYields(writer.finish()),
    async saveSite(profile, types, db) {
      if (!writer.saveSite(profile, types)) return;
      ensureSchema(connection, { origin });
      writer.discard();
      writer.saveSite(profile, types);
      await fill(db, types);
    },
    refresh,
    async rebuild(content, db) {
      connection.exec("DELETE FROM reading_made");
      writer.discard();
      await refresh(content, db, () => {});
    },
  };
}

/** Receives public changes. Implemented by the reading copy and by the log for other instances. */
export type PublicChangeWriter = Pick<
  ReadingWriter,
  | "put"
  | "retire"
  | "redirect"
  | "lead"
  | "leadNowhere"
  | "dropRedirect"
  | "putMedium"
  | "removeMedium"
>;

/**
 * Returns the methods of a {@link Projection} that pass changes of the record to `into` as public
 * changes.
 */
export function createPublicChangeProjection(
  into: PublicChangeWriter,
): Pick<Projection, "put" | "putRedirect" | "removeRedirect" | "putMedium" | "removeMedium"> {
  return {
    put(item, move) {
      const { formerPath, isGone } = move;
      if (item.status === "published") into.put(item);
      else if (wasPublic(move)) into.retire(item, isGone);
      if (formerPath !== null) into.redirect(formerPath, item.id);
    },
    putRedirect({ from, to }) {
      if (to === null) into.leadNowhere(from);
      else if ("itemId" in to) into.redirect(from, to.itemId);
      else into.lead(from, "url" in to ? to.url : to.path);
    },
    removeRedirect({ from }, displaced) {
      into.dropRedirect(from);
      if (displaced?.path === from) into.retire(displaced, true);
      else if (displaced !== null) into.redirect(from, displaced.id);
    },
    putMedium: (medium) => into.putMedium(medium),
    removeMedium: (id) => into.removeMedium(id),
  };
}

/** Whether a new state of an item changes anything for the public. */
export function isPublicChange(item: Item, move: ItemTransition): boolean {
  return item.status === "published" || move.formerPath !== null || wasPublic(move);
}

/** Whether the item is or was public, or its path must answer 410. */
function wasPublic({ before, isGone }: ItemTransition): boolean {
  return isGone || (before !== null && before.status !== "draft");
}

/** The public origin for which the reading copy was built; null if there is no copy yet. */
export function readOriginOfReadingCopy(connection: DatabaseSync): string | null {
  const table = connection.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'reading_made'").get();
  if (table === undefined) return null;
  const origin = connection.prepare("SELECT origin FROM reading_made").get()?.["origin"];
  return typeof origin === "string" ? origin : null;
}
