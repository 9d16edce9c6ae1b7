import type { DatabaseSync } from "node:sqlite";
import type { Kysely } from "kysely";
import type { Item } from "../content/items/item.ts";
import type { ReadingCopy } from "../content/library.ts";
import type { Medium } from "../content/media/media.ts";
import type { ContentReader, Redirect } from "../content/record.ts";
import type { SiteProfile } from "../content/site/site.ts";
import type { ContentTypes } from "../content/types/content-type.ts";
import { createIndexWriter } from "../search/postings/index-writer.ts";
import { readingCopyWithin } from "./reading/open.ts";
import { ensureSchema } from "./reading/schema.ts";
import { checkTexts } from "./reading/writing/check-texts.ts";
import { FillingWriter } from "./reading/writing/filling-writer.ts";
import type { ReadingWriter } from "./reading/writing/reading-writer.ts";
import { createReadingWriter } from "./reading/writing/writer.ts";
import type { RecordTables } from "./record/tables.ts";
import { yieldBetween } from "./sqlite/yield-between.ts";
import { type OnProgress, projectAll, wholeContent } from "./whole-content.ts";

export interface ItemMove {
  before: Item | null;
  /** A path that leads to the item from now on. */
  formerPath: string | null;
  /** The path once told the public something: it answers 410, not 404. */
  isGone: boolean;
}

/** Told of every change of the record inside its transaction. */
export interface Projection {
  /**
   * To be asked before an item is put, whatever its status, since the clock may publish it.
   * @throws {AppError} `invalid` when a text of the item cannot be rendered, naming which.
   */
  check(item: Item): void;
  /**
   * Call at the begin of every transaction: one that was undone may have left something behind. `db`
   * sees the transaction, also in what is called later.
   */
  begin(db: Kysely<RecordTables>): void;
  /** Kept back until {@link Projection.flush}, so that what follows from many is worked out once. */
  put(item: Item, move: ItemMove): void;
  /** Call now and then, so that not all of it is held in memory. */
  flush(): Promise<void>;
  /** Call before the transaction ends. */
  finish(): Promise<void>;
  putRedirect(redirect: Redirect): void;
  /** The path is free, or tells again that the displaced item is gone. */
  removeRedirect(redirect: Redirect, displaced: Item | null): void;
  /** Items that show the file have to be put again. */
  putMedium(medium: Medium): void;
  removeMedium(id: string): void;
  /** `db` sees the transaction. */
  saveSite(profile: SiteProfile, types: ContentTypes, db: Kysely<RecordTables>): Promise<void>;
}

/** The reading copy stands in the same file, and changes in the same transaction. */
export interface EmbeddedProjection extends Projection {
  /** What the public would see, as the transaction has it; good until its end. */
  present(): ReadingCopy;
  /**
   * Makes the reading copy anew when it is missing or was made for another public origin or by
   * another version of this program. Call inside a transaction that `content` and `db` see.
   */
  refresh(content: ContentReader, db: Kysely<RecordTables>, onProgress: OnProgress): Promise<void>;
  /** Makes the reading copy again from the record. Call as `refresh`. */
  remake(content: ContentReader, db: Kysely<RecordTables>): Promise<void>;
}

/** Mirrors changes into the reading copy in the same file, on the same connection. */
export function embeddedProjection(connection: DatabaseSync, origin: string): EmbeddedProjection {
  const index = createIndexWriter(connection);
  const writer = createReadingWriter(connection, { origin, index });
  const fill = async (db: Kysely<RecordTables>, types: ContentTypes, onProgress?: OnProgress) => {
    const filling = new FillingWriter(connection, { origin, types, index });
    await projectAll(wholeContent(db), filling, onProgress);
    await yieldBetween(filling.finish());
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
    ...decisions(writer),
    check: (item) => checkTexts(item, origin),
    begin: () => writer.discard(),
    flush: async () => await yieldBetween(writer.flush()),
    finish: async () => await yieldBetween(writer.finish()),
    present: () => readingCopyWithin(connection),
    async saveSite(profile, types, db) {
      if (!writer.saveSite(profile, types)) return;
      ensureSchema(connection, { origin });
      writer.discard();
      writer.saveSite(profile, types);
      await fill(db, types);
    },
    refresh,
    async remake(content, db) {
      connection.exec("DELETE FROM reading_made");
      writer.discard();
      await refresh(content, db, () => {});
    },
  };
}

/** Where what the public is told goes: into a reading copy, or into the list of what others are to do. */
export type PublicChanges = Pick<
  ReadingWriter,
  "put" | "retire" | "redirect" | "lead" | "dropRedirect" | "putMedium" | "removeMedium"
>;

/** What a change of the record means for the public, the same wherever it goes. */
export function decisions(
  into: PublicChanges,
): Pick<Projection, "put" | "putRedirect" | "removeRedirect" | "putMedium" | "removeMedium"> {
  return {
    put(item, move) {
      const { formerPath, isGone } = move;
      if (item.status === "published") into.put(item);
      else if (wasTold(move)) into.retire(item, isGone);
      if (formerPath !== null) into.redirect(formerPath, item.id);
    },
    putRedirect({ from, to }) {
      if ("itemId" in to) into.redirect(from, to.itemId);
      else into.lead(from, to.path);
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

/** Does a new state of an item mean anything for the public? */
export function isForPublic(item: Item, move: ItemMove): boolean {
  return item.status === "published" || move.formerPath !== null || wasTold(move);
}

/** Was, or is, the public to know more of it than that there is a path? */
function wasTold({ before, isGone }: ItemMove): boolean {
  return isGone || (before !== null && before.status !== "draft");
}

/** The public origin the reading copy was made for; null: there is none yet. */
export function projectedOrigin(connection: DatabaseSync): string | null {
  const table = connection.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'reading_made'").get();
  if (table === undefined) return null;
  const origin = connection.prepare("SELECT origin FROM reading_made").get()?.["origin"];
  return typeof origin === "string" ? origin : null;
}
