import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { requireSitePlace } from "../app/site-place.ts";
import { openStore, type Seed } from "../app/store.ts";
import type { Config } from "../config.ts";
import { startSite } from "../content/site/starter-site.ts";

export interface ImportStore extends AsyncDisposable {
  /** Where the store is. */
  config: Config;
  record: Awaited<ReturnType<typeof openStore>>;
}

/**
 * The store an import goes into. Where there is no site yet, an import makes it, and a dry run tries
 * itself out on one in a temporary folder.
 */
export async function openImportStore(
  config: Config,
  { now, isDryRun }: { now: Date; isDryRun: boolean },
): Promise<ImportStore> {
  const seed: Seed = (content) => startSite(content, now);
  if (isDryRun && (await requireSitePlace(config, { mayCreate: true })) === null) {
    return await openTrialStore(config, seed);
  }
  const record = await openStore(config, isDryRun ? undefined : seed);
  return { config, record, [Symbol.asyncDispose]: () => record.close() };
}

async function openTrialStore(config: Config, seed: Seed): Promise<ImportStore> {
  const folder = await mkdtemp(join(tmpdir(), "commonplace-trial-"));
  const trial = { ...config, databaseUrl: null, dataDir: folder };
  const record = await openStore(trial, seed);
  return {
    config: trial,
    record,
    async [Symbol.asyncDispose]() {
      await record.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
