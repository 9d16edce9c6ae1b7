import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { ReadingCopy } from "../../src/content/library.ts";
import { noteCommit } from "../../src/storage/data-version.ts";
import { openReadingCopy } from "../../src/storage/reading/open.ts";
import { openRecord, type RecordOptions } from "../../src/storage/record/open.ts";
import type { OpenRecord } from "../../src/storage/record/stores.ts";
import { createDatabase, type TestDatabase } from "./postgres-store.ts";
import { RECORD_ORIGIN } from "./record-store.ts";

const POLL_MILLISECONDS = 10;
const SHOWN_MILLISECONDS_MAX = 20_000;

/** What one process holds open of a record that several share. */
export interface Instance {
  record: OpenRecord;
  /** Its reading copy. */
  file: string;
  reading: ReadingCopy;
  close(): Promise<void>;
}

export interface Instances extends AsyncDisposable {
  database: TestDatabase;
  /** Opens one on the folder of this name, also a second on the same. */
  open(name: string, options?: Partial<RecordOptions>): Promise<Instance>;
  fileOf(name: string): string;
}

/** A record in PostgreSQL for instances in folders of their own, all gone with the test. */
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

/** Waits until something holds, such as that a change has arrived. @returns after how many milliseconds. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<number> {
  const begun = performance.now();
  while (!(await holds())) {
    if (performance.now() - begun > SHOWN_MILLISECONDS_MAX)
      throw new Error("It never came to hold");
    await sleep(POLL_MILLISECONDS);
  }
  return performance.now() - begun;
}

/** Waits until an instance shows everything committed before. */
export async function shown({ record }: Instance): Promise<void> {
  await record.following?.current();
  noteCommit();
}
