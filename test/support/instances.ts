import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ReadingCopy } from "../../src/content/library.ts";
import { openReadingCopy } from "../../src/storage/reading/open.ts";
import { openRecord, type RecordOptions } from "../../src/storage/record/open.ts";
import type { OpenRecord } from "../../src/storage/record/stores.ts";
import { incrementCommitCount } from "../../src/storage/sqlite/data-version.ts";
import { createDatabase, type TestDatabase } from "./postgres-store.ts";
import { RECORD_ORIGIN } from "./record-store.ts";

/** One process's connection to a shared record, with its reading copy. */
export interface Instance {
  record: OpenRecord;
  /** The file of its reading copy. */
  file: string;
  reading: ReadingCopy;
  close(): Promise<void>;
}

export interface Instances extends AsyncDisposable {
  database: TestDatabase;
  /** Opens an instance on the folder with this name, which other instances may use too. */
  open(name: string, options?: Partial<RecordOptions>): Promise<Instance>;
  fileOf(name: string): string;
}

/** A record in PostgreSQL for instances in separate folders. Everything is removed at the end of the test. */
export async function openInstances(): Promise<Instances> {
  const database = await createDatabase();
  const folder = mkdtempSync(join(tmpdir(), "commonplace-instances-"));
  const open = new Set<Instance>();
  const fileOf = (name: string) => join(folder, name, "reading.db");
  return {
    database,
    fileOf,
    async open(name, options = {}) {
      const { file = fileOf(name) } = options;
      const { url } = database;
      const record = await openRecord({ url, origin: RECORD_ORIGIN, ...options, file });
      const reading = openReadingCopy({ file });
      const instance = {
        record,
        file,
        reading,
        async close() {
          if (!open.delete(instance)) return;
          reading[Symbol.dispose]();
          await record.close();
        },
      };
      open.add(instance);
      return instance;
    },
    async [Symbol.asyncDispose]() {
      for (const instance of [...open]) await instance.close();
      await database[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Waits until an instance shows everything that was committed before the call. */
export async function untilUpToDate({ record }: Instance): Promise<void> {
  await record.replica?.untilCurrent();
  incrementCommitCount();
}
