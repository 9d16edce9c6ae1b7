import { type ExpressionBuilder, type Kysely, sql } from "kysely";
import type { AuditEntry } from "../../../access/audit.ts";
import type {
  Draft,
  DraftContent,
  DraftFilter,
  DraftOutline,
  DraftProblem,
  DraftStore,
} from "../../../content/drafts/draft.ts";
import { draftNameInLists } from "../../../content/items/first-words.ts";
import { rowHash } from "../../sqlite/row-hash.ts";
import { runChangeWithAudit } from "../access/audit.ts";
import { insertRows, queryInSlices, UNREAD_RESULT_HINT } from "../batches.ts";
import type { Connections } from "../connections.ts";
import { mediaIdsLinkedInText } from "../content/media-projection.ts";
import { DRAFT_COLUMNS, requireMatchingHash } from "../content/record-hashes.ts";
import { escapeLikeWildcards } from "../like-text.ts";
import type { DraftRow, RecordTables } from "../tables.ts";

/**
 * Number of versions of each draft that are stored for merging. This is enough for clients that save
 * every second over a slow connection.
 */
const KEPT_VERSIONS_MAX = 20;

export class KyselyDraftStore implements DraftStore {
  readonly #connections: Connections;

  constructor(connections: Connections) {
    this.#connections = connections;
  }

  async byId(id: string): Promise<Draft | null> {
    const row = await this.#connections.reader
      .selectFrom("drafts")
      .selectAll()
      .where("id", "=", id)
      .executeTakeFirst();
    return row === undefined ? null : draftFromRow(row);
  }

  async ofItem(itemId: string): Promise<Draft | null> {
    const row = await this.#connections.reader
      .selectFrom("drafts")
      .selectAll()
      .where("item_id", "=", itemId)
      .executeTakeFirst();
    return row === undefined ? null : draftFromRow(row);
  }

  async list({
    type,
    itemId,
    editor,
    waiting,
    failed,
    inReview,
    untouched,
    limit,
    after,
  }: DraftFilter): Promise<DraftOutline[]> {
    let query = this.#connections.reader.selectFrom("drafts").selectAll();
    if (type !== undefined) query = query.where("type", "=", type);
    if (itemId !== undefined) query = query.where("item_id", "=", itemId);
    if (editor !== undefined) {
      const pattern = `%${escapeLikeWildcards(JSON.stringify(editor))}%`;
      query = query.where(sql<boolean>`editors like ${pattern} escape '\\'`);
    }
    if (waiting === true) {
      query = query.where(({ or, eb }) =>
        or([eb("publish_at", "is not", null), eb("problem", "is not", null)]),
      );
    }
    if (failed === true) query = query.where("problem", "is not", null);
    if (inReview === true) query = query.where("asked_at", "is not", null);
    if (untouched !== undefined) {
      query = query.where((where) => {
        const isUntouched = untouchedDraft(where);
        return untouched ? isUntouched : where.not(isUntouched);
      });
    }
    if (after !== undefined) {
      query = query.where(({ eb, refTuple, tuple }) =>
        eb(refTuple("updated_at", "id"), "<", tuple(after.updatedAt, after.id)),
      );
    }
    const rows = await query
      .orderBy("updated_at", "desc")
      .orderBy("id", "desc")
      .limit(limit)
      .execute();
    return rows.map(draftOutlineOf);
  }

  async outlines(ids: readonly string[]): Promise<DraftOutline[]> {
    const rows = await queryInSlices(
      ids,
      async (some) =>
        await this.#connections.reader
          .selectFrom("drafts")
          .selectAll()
          .where(({ or, eb }) => or([eb("id", "in", some), eb("item_id", "in", some)]))
          .execute(),
    );
    return rows.map(draftOutlineOf);
  }

  async due(now: Date, limit: number): Promise<Draft[]> {
    const rows = await this.#connections.reader
      .selectFrom("drafts")
      .selectAll()
      .where("publish_at", "<=", now.toISOString())
      .orderBy("publish_at")
      .limit(limit)
      .execute();
    return rows.map(draftFromRow);
  }

  async version(id: string, version: number): Promise<DraftContent | null> {
    const row = await this.#connections.reader
      .selectFrom("draft_versions")
      .select(["parts", "base_revision"])
      .where("draft_id", "=", id)
      .where("version", "=", version)
      .executeTakeFirst();
    if (row === undefined) return null;
    return { parts: JSON.parse(row.parts), baseRevision: row.base_revision };
  }

  async put(draft: Draft, entry: AuditEntry | null): Promise<void> {
    await runChangeWithAudit(this.#connections, entry, async (db) => {
      const row = await draftRow(db, draft);
      const { id, ...changing } = row;
      await db
        .insertInto("drafts")
        .values(row)
        .onConflict((conflict) => conflict.column("id").doUpdateSet(changing))
        .execute();
      await db
        .insertInto("draft_versions")
        .values({
          draft_id: id,
          version: draft.version,
          base_revision: draft.baseRevision,
          parts: row.parts,
        })
        .execute();
      await db
        .deleteFrom("draft_versions")
        .where("draft_id", "=", id)
        .where("version", "<=", draft.version - KEPT_VERSIONS_MAX)
        .execute();
      await saveMediaUses(db, row);
    });
  }

  async remove(id: string, entry: AuditEntry): Promise<void> {
    await runChangeWithAudit(this.#connections, entry, (db) => removeDraft(db, id));
  }
}

async function saveMediaUses(
  db: Kysely<RecordTables>,
  { id, parts }: Pick<DraftRow, "id" | "parts">,
): Promise<void> {
  await removeMediaUses(db, id);
  await insertRows(db, "draft_media", {
    entries: [...mediaIdsLinkedInText(parts)],
    rowOf: (medium_id) => ({ draft_id: id, medium_id }),
  });
}

async function removeMediaUses(db: Kysely<RecordTables>, id: string): Promise<void> {
  const uses = db.deleteFrom("draft_media").where("draft_id", "=", id);
  await uses.modifyEnd(UNREAD_RESULT_HINT).execute();
}

async function removeDraft(db: Kysely<RecordTables>, id: string): Promise<void> {
  await removeMediaUses(db, id);
  await db.deleteFrom("draft_versions").where("draft_id", "=", id).execute();
  await db.deleteFrom("draft_notes").where("draft_id", "=", id).execute();
  await db.deleteFrom("drafts").where("id", "=", id).execute();
}

/** Removes the draft of an item that is purged. */
export async function removeDraftOfItem(db: Kysely<RecordTables>, itemId: string): Promise<void> {
  const row = await db
    .selectFrom("drafts")
    .select("id")
    .where("item_id", "=", itemId)
    .executeTakeFirst();
  if (row !== undefined) await removeDraft(db, row.id);
}

async function draftRow(db: Kysely<RecordTables>, draft: Draft): Promise<DraftRow> {
  const row = {
    id: draft.id,
    type: draft.type,
    item_id: draft.itemId,
    base_revision: draft.baseRevision,
    version: draft.version,
    parts: JSON.stringify(draft.parts),
    title: await titleInLists(db, draft),
    editors: JSON.stringify(draft.editors),
    publish_at: draft.publishAt,
    ...storedProblem(draft.problem),
    asked_by: draft.review?.askedBy ?? null,
    asked_at: draft.review?.askedAt ?? null,
    asked_note: draft.review?.note ?? null,
    created_at: draft.createdAt,
    updated_at: draft.updatedAt,
  };
  return { ...row, hash: draftHash(row) };
}

/**
 * The title of the draft or, if it has none, of its item. For the draft of a new item, the draft's
 * title or first words.
 */
async function titleInLists(
  db: Kysely<RecordTables>,
  { itemId, parts }: Draft,
): Promise<string | null> {
  if (itemId === null) return draftNameInLists(parts) || null;
  const { title } = parts;
  if (typeof title === "string") return title;
  const item = await db
    .selectFrom("items")
    .select("title")
    .where("id", "=", itemId)
    .executeTakeFirst();
  return item?.title ?? null;
}

function draftOutlineOf(row: DraftRow): DraftOutline {
  const { parts: _, ...outline } = draftFromRow(row);
  return { ...outline, title: row.title };
}

/** @throws {DamageError} when the row does not match its hash. */
export function draftFromRow(row: DraftRow): Draft {
  requireMatchingHash({ stored: row.hash, found: draftHash(row) }, "drafts", row.id);
  return {
    id: row.id,
    type: row.type,
    itemId: row.item_id,
    baseRevision: row.base_revision,
    version: row.version,
    parts: JSON.parse(row.parts),
    editors: JSON.parse(row.editors),
    publishAt: row.publish_at,
    problem: problemOf(row),
    review: reviewOf(row),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/**
 * Stores the German text and the details, keyed by the English text. If an earlier version of the
 * program writes another English text, the key no longer matches, and the outdated German text is
 * ignored.
 */
function storedProblem(problem: DraftProblem | null): Pick<DraftRow, "problem" | "german"> {
  if (problem === null) return { problem: null, german: null };
  const { en, ...shown } = problem;
  return { problem: en, german: JSON.stringify({ [en]: shown }) };
}

function problemOf({ problem, german }: Pick<DraftRow, "problem" | "german">): DraftProblem | null {
  if (problem === null) return null;
  const texts: Record<string, Partial<DraftProblem>> = german === null ? {} : JSON.parse(german);
  const { de = problem, heading = null, problems = [] } = texts[problem] ?? {};
  return { en: problem, de, heading, problems };
}

function reviewOf({ asked_by: askedBy, asked_at: askedAt, asked_note: note }: DraftRow) {
  return askedBy === null || askedAt === null ? null : { askedBy, askedAt, note: note ?? "" };
}

function draftHash(row: Omit<DraftRow, "hash">): number {
  return rowHash(...DRAFT_COLUMNS.map((column) => row[column]));
}

function untouchedDraft(where: ExpressionBuilder<RecordTables, "drafts">) {
  const notes = where
    .selectFrom("draft_notes")
    .select("draft_notes.id")
    .whereRef("draft_notes.draft_id", "=", "drafts.id");
  return where
    .and([where("parts", "=", "{}"), where("publish_at", "is", null), where("problem", "is", null)])
    .and(where("asked_at", "is", null))
    .and(where.not(where.exists(notes)));
}
