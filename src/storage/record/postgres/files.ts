import { randomUUID } from "node:crypto";
import { type Kysely, sql } from "kysely";
import { AppError, englishOnlyWording, isTransientError } from "../../../errors.ts";
import type { SharedFile, SharedFiles, SharedUpload } from "../../shared-files.ts";
import type { RecordTables } from "../tables.ts";

const PIECE_BYTES = 1024 * 1024;
const RECEIVING_MILLISECONDS_MAX = 60 * 60 * 1000;

type FileTables = {
  files: { name: string; upload: string; bytes: number; kept_at: string };
  file_pieces: { upload: string; number: number; bytes: Uint8Array };
  file_uploads: { upload: string; at: string };
  file_state: { version: number };
};

/**
 * Stores files in pieces, so that no whole file is ever in memory. Each change is one statement
 * without the writers' lock, so that a slow upload blocks no writer.
 */
export class PostgresFiles implements SharedFiles {
  readonly #db: Kysely<RecordTables & FileTables>;

  constructor(db: Kysely<RecordTables>) {
    this.#db = db.withTables<FileTables>();
  }

  async receive(bytes: AsyncIterable<Uint8Array>): Promise<SharedUpload> {
    const upload = randomUUID();
    let isKept = false;
    try {
      const size = await this.#write(upload, bytes);
      return {
        keep: async (name) => {
          await this.#keep(name, { upload, bytes: size });
          isKept = true;
        },
        [Symbol.asyncDispose]: async () => {
          if (!isKept) await this.#discard(upload);
        },
      };
    } catch (error) {
      // Ignores errors of the clean-up, so that the original error is reported.
      await this.#discard(upload).catch(() => {});
      throw error;
    }
  }

  async find(name: string): Promise<SharedFile | null> {
    const row = await this.#db
      .selectFrom("files")
      .select(["upload", "bytes"])
      .where("name", "=", name)
      .executeTakeFirst();
    return row === undefined ? null : { bytes: row.bytes, pieces: () => this.#pieces(name, row) };
  }

  async remove(name: string): Promise<void> {
    await sql`
      WITH gone AS (DELETE FROM files WHERE name = ${name} RETURNING upload),
      pieces AS (DELETE FROM file_pieces WHERE upload IN (SELECT upload FROM gone))
      UPDATE file_state SET version = version + 1 WHERE EXISTS (SELECT 1 FROM gone)
    `.execute(this.#db);
  }

  async rename(name: string, to: string): Promise<boolean> {
    if ((await this.find(name)) === null) return false;
    if ((await this.find(to)) !== null) {
      await this.remove(name);
      return true;
    }
    const { numAffectedRows } = await sql`
      WITH news AS (UPDATE file_state SET version = version + 1)
      UPDATE files SET name = ${to}, kept_at = ${new Date().toISOString()} WHERE name = ${name}
    `.execute(this.#db);
    return numAffectedRows === 1n;
  }

  async list(folder: string): Promise<{ name: string; storedAt: Date }[]> {
    // These bounds select all names that begin with `folder/`, because "0" is the character after "/".
    const rows = await this.#db
      .selectFrom("files")
      .select(["name", "kept_at"])
      .where("name", ">", `${folder}/`)
      .where("name", "<", `${folder}0`)
      .orderBy("name")
      .execute();
    return rows.map(({ name, kept_at }) => ({ name, storedAt: new Date(kept_at) }));
  }

  async removeAbandonedUploads(now: Date): Promise<void> {
    const oldest = new Date(now.getTime() - RECEIVING_MILLISECONDS_MAX).toISOString();
    await sql`
      WITH gone AS (DELETE FROM file_uploads WHERE at < ${oldest} RETURNING upload)
      DELETE FROM file_pieces WHERE upload IN (SELECT upload FROM gone)
    `.execute(this.#db);
  }

  async version(): Promise<number> {
    const row = await this.#db.selectFrom("file_state").select("version").executeTakeFirst();
    return row?.version ?? 0;
  }

  async #write(upload: string, bytes: AsyncIterable<Uint8Array>): Promise<number> {
    const row = () => ({ upload, at: new Date().toISOString() });
    await this.#db.insertInto("file_uploads").values(row()).execute();
    let size = 0;
    let number = 0;
    for await (const piece of inPieces(bytes)) {
      await this.#db.insertInto("file_pieces").values({ upload, number, bytes: piece }).execute();
      await this.#db.updateTable("file_uploads").set(row()).where("upload", "=", upload).execute();
      size += piece.length;
      number += 1;
    }
    return size;
  }

  async #keep(name: string, { upload, bytes }: { upload: string; bytes: number }): Promise<void> {
    const { numAffectedRows } = await sql`
      WITH received AS (DELETE FROM file_uploads WHERE upload = ${upload} RETURNING upload),
      former AS (SELECT upload FROM files WHERE name = ${name}),
      pieces AS (DELETE FROM file_pieces WHERE upload IN (SELECT upload FROM former)),
      news AS (UPDATE file_state SET version = version + 1)
      INSERT INTO files (name, upload, bytes, kept_at)
      SELECT ${name}, received.upload, ${bytes}, ${new Date().toISOString()} FROM received
      ON CONFLICT (name) DO UPDATE
      SET upload = excluded.upload, bytes = excluded.bytes, kept_at = excluded.kept_at
    `.execute(this.#db);
    if (numAffectedRows === 1n) return;
    throw new AppError(
      "unavailable",
      {
        en: "The file took too long to arrive; send it once more",
        de: "Die Datei brauchte zu lange: Laden Sie sie noch einmal hoch",
      },
      {
        retryAfterSeconds: 1,
      },
    );
  }

  async *#pieces(
    name: string,
    { upload, bytes }: { upload: string; bytes: number },
  ): AsyncGenerator<Uint8Array> {
    let read = 0;
    for (let number = 0; read < bytes; number += 1) {
      const row = await this.#db
        .selectFrom("file_pieces")
        .select("bytes")
        .where("upload", "=", upload)
        .where("number", "=", number)
        .executeTakeFirst();
      if (row === undefined)
        throw new AppError("not_found", englishOnlyWording(`${name} has just been removed`));
      read += row.bytes.length;
      yield row.bytes;
    }
  }

  /**
   * Deletes an upload that was not stored. Does nothing if the upload was stored, so a caller that lost
   * its connection can call this safely. If the database is unreachable, `removeAbandonedUploads`
   * deletes the upload later.
   */
  async #discard(upload: string): Promise<void> {
    try {
      await sql`
        WITH gone AS (DELETE FROM file_uploads WHERE upload = ${upload} RETURNING upload)
        DELETE FROM file_pieces WHERE upload IN (SELECT upload FROM gone)
      `.execute(this.#db);
    } catch (error) {
      if (!isTransientError(error)) throw error;
    }
  }
}

/** Regroups the bytes into pieces of one row each. */
async function* inPieces(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let held: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of bytes) {
    for (let from = 0; from < chunk.length; ) {
      const part = chunk.subarray(from, from + PIECE_BYTES - size);
      held.push(part);
      size += part.length;
      from += part.length;
      if (size < PIECE_BYTES) continue;
      yield Buffer.concat(held);
      held = [];
      size = 0;
    }
  }
  if (size > 0) yield Buffer.concat(held);
}
