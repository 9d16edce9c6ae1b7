import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Actor } from "../../src/access/actor.ts";
import type { ContentRecord } from "../../src/content/record.ts";
import type { FilePublisher } from "../../src/importing/publish-files.ts";
import type { OpenRecord } from "../../src/storage/record/stores.ts";
import { openSyncBase, type SyncBase } from "../../src/syncing/sync-base.ts";
import {
  openSyncFolder,
  removeUnfinishedFiles,
  type SyncFolder,
} from "../../src/syncing/sync-folder.ts";
import type { SyncReport } from "../../src/syncing/sync-report.ts";
import { syncFolderWithSite } from "../../src/syncing/syncing.ts";

const OPERATOR: Actor = { kind: "operator" };

const NO_FILES: FilePublisher = {
  publish: async () => ({ fault: { en: "not here", de: "nicht hier" } }),
  has: async () => false,
};

/** Thrown to simulate the end of the process. */
export class Killed extends Error {}

export interface SyncedFolder extends Disposable {
  /** The folder with the files of items. */
  root: string;
  /** The items that have been the same on both sides, with their files. */
  files(): Promise<{ id: string; file: string; path: string }[]>;
  /** @param steps the number of changes, on either side, after which the process ends. */
  sync(options?: { isPruning?: boolean; steps?: number }): Promise<SyncReport | null>;
}

/** A new folder next to a store. */
export function openSyncedFolder(record: OpenRecord): SyncedFolder {
  const folder = mkdtempSync(join(tmpdir(), "commonplace-sync-"));
  const root = join(folder, "content");
  const hidden = join(folder, ".commonplace");
  mkdirSync(root);
  const openBase = async () => {
    const siteId = (await record.siteId()) ?? "";
    return await openSyncBase(hidden, { siteId, isDryRun: false });
  };
  return {
    root,
    async files() {
      using base = await openBase();
      return base.rows();
    },
    async sync({ isPruning = false, steps = Number.POSITIVE_INFINITY } = {}) {
      using base = await openBase();
      await removeUnfinishedFiles(hidden);
      let left = steps;
      const step = () => {
        left -= 1;
        if (left < 0) throw new Killed();
      };
      try {
        return await syncFolderWithSite(
          {
            content: killed(record.content, step),
            desk: record.desk,
            snapshot: () => record.snapshot(),
            folder: killedFolder(openSyncFolder(root, hidden), step),
            siteFolder: killedFolder(openSyncFolder(folder, hidden), step),
            addresses: { origin: "https://example.org", isDocument: () => false },
            base: killedBase(base, step),
            publisher: NO_FILES,
          },
          OPERATOR,
          { now: new Date(), isPruning, isDryRun: false },
        );
      } catch (error) {
        if (error instanceof Killed) return null;
        throw error;
      }
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

type Step = () => void;

/** Makes a change between two steps, at each of which the process may end. */
async function around<T>(step: Step, change: () => Promise<T>): Promise<T> {
  step();
  const result = await change();
  step();
  return result;
}

function killed(content: ContentRecord, step: Step): ContentRecord {
  return new Proxy(content, {
    get(target, name) {
      if (name === "write") {
        const write: ContentRecord["write"] = (change) => around(step, () => target.write(change));
        return write;
      }
      const value: unknown = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

function killedFolder(folder: SyncFolder, step: Step): SyncFolder {
  return {
    ...folder,
    write: (...args) => around(step, () => folder.write(...args)),
    move: (...args) => around(step, () => folder.move(...args)),
    remove: (...args) => around(step, () => folder.remove(...args)),
  };
}

function killedBase(base: SyncBase, step: Step): SyncBase {
  return {
    ...base,
    put(row) {
      step();
      base.put(row);
    },
    remove(id) {
      step();
      base.remove(id);
    },
    putBaseParts(group, parts) {
      step();
      base.putBaseParts(group, parts);
    },
    [Symbol.dispose]: () => base[Symbol.dispose](),
  };
}
