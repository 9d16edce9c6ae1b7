import { findConfiguredSite } from "../app/site/configured-site.ts";
import { openRecordForCommand, type WriteInitialContent } from "../app/store.ts";
import type { Config } from "../config.ts";
import { createStarterSite } from "../content/site/starter-site.ts";
import { makeTemporaryFolder } from "../files/temporary-folder.ts";
import { type ImportFiles, isSiteExport } from "../importing/import-files.ts";

export interface ImportStore extends AsyncDisposable {
  /** Settings that locate the store. */
  config: Config;
  record: Awaited<ReturnType<typeof openRecordForCommand>>;
}

/**
 * Opens the store for an import. If there is no site yet, an import creates one, and a dry run uses
 * a temporary store.
 */
export async function openImportStore(
  config: Config,
  { now, isDryRun, sources }: { now: Date; isDryRun: boolean; sources: readonly ImportFiles[] },
): Promise<ImportStore> {
  const pages = sources.some(isSiteExport) ? "none" : "standard";
  const seed: WriteInitialContent = (content) => createStarterSite(content, now, { pages });
  if (isDryRun && (await findConfiguredSite(config, { mayCreate: true })) === null) {
    return await openTemporaryStore(config, seed);
  }
  const record = await openRecordForCommand(config, isDryRun ? undefined : seed);
  return { config, record, [Symbol.asyncDispose]: () => record.close() };
}

async function openTemporaryStore(config: Config, seed: WriteInitialContent): Promise<ImportStore> {
  await using opened = new AsyncDisposableStack();
  const folder = opened.use(await makeTemporaryFolder());
  const temporary = { ...config, databaseUrl: null, dataDir: folder.path };
  const record = await openRecordForCommand(temporary, seed);
  opened.defer(() => record.close());
  const owned = opened.move();
  return { config: temporary, record, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}
