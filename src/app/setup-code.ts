import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { makeSetupCode } from "../access/people/admin-codes.ts";
import type { PeopleRecord } from "../access/people/people-stores.ts";
import type { Config } from "../config.ts";
import { isTransientError } from "../errors.ts";
import { writeNewFile } from "../files/durable-files.ts";

const CODE_FILE = "setup-code";

/** How the operator receives the code for the first account. */
export type SetupCodeDelivery =
  | { kind: "none" }
  | { kind: "shown"; code: string }
  | { kind: "file"; file: string };

interface SetupOptions {
  isInteractive: boolean;
  now: Date;
  /** Aborts the wait for a busy store. */
  stopSignal: AbortSignal;
}

/**
 * Issues the code for the first account, if there is no account. The code goes to a terminal or
 * into a file that only its owner can read, never into a log. Waits while the store is busy.
 */
export async function deliverSetupCode(
  record: PeopleRecord,
  config: Pick<Config, "dataDir">,
  options: SetupOptions,
): Promise<SetupCodeDelivery> {
  while (!options.stopSignal.aborted) {
    try {
      return await issueSetupCode(record, config, options);
    } catch (error) {
      if (!isTransientError(error)) throw error;
      const waitMs = (error.retryAfterSeconds ?? 1) * 1000;
      await sleep(waitMs, undefined, { signal: options.stopSignal }).catch(() => {});
    }
  }
  return { kind: "none" };
}

async function issueSetupCode(
  record: PeopleRecord,
  { dataDir }: Pick<Config, "dataDir">,
  { isInteractive, now }: SetupOptions,
): Promise<SetupCodeDelivery> {
  const file = join(dataDir, CODE_FILE);
  await rm(file, { force: true });
  const accounts = await record.admins.page({ after: null, limit: 1 });
  if (accounts.length > 0) return { kind: "none" };
  const code = await record.atomically((stores) => makeSetupCode(stores, now));
  if (code === null) return { kind: "none" };
  if (isInteractive) return { kind: "shown", code };
  await writeNewFile(file, `${code}\n`);
  return { kind: "file", file };
}

/** Returns a scheduled task that removes the file with the code once an account exists. */
export function createSetupFileRemovalTask(
  record: Pick<PeopleRecord, "admins">,
  { dataDir }: Pick<Config, "dataDir">,
): () => Promise<void> {
  const file = join(dataDir, CODE_FILE);
  return async () => {
    if (!existsSync(file)) return;
    const accounts = await record.admins.page({ after: null, limit: 1 });
    if (accounts.length > 0) await rm(file, { force: true });
  };
}
