import { existsSync } from "node:fs";
import type { Actor } from "../../access/actor.ts";
import type { Config } from "../../config.ts";
import { AppError } from "../../errors.ts";
import type { HealthMeasurements, ServerMeasurements } from "../../health/facts.ts";
import type { HealthFinding } from "../../health/finding.ts";
import { readHealth } from "../../health/health.ts";
import { checkReadingCopyFile, checkStoreFile } from "../../storage/integrity/stored-file.ts";
import type { OpenRecord } from "../../storage/record/stores.ts";
import { measureCopyLagSeconds } from "../../storage/replica/copy-lag.ts";
import type { DamageLocation } from "../../storage/sqlite/damage.ts";
import { readingCopyFilePath } from "../data-folder.ts";
import { openRecordForCommand } from "../store.ts";
import {
  healthFactsOfUnreadableRecord,
  measureMachineHealth,
  measureRecordHealth,
} from "./measuring.ts";

const ANSWER_MILLISECONDS_MAX = 5000;
const ANSWER_CHARACTERS_MAX = 200;

/**
 * Examines a site from the command line, whether or not its server runs. @throws {AppError} if there is no
 * site.
 */
export async function checkSiteHealth(
  config: Config,
  actor: Actor,
  now: Date,
): Promise<HealthFinding[]> {
  const measure = async (): Promise<HealthMeasurements> => {
    const store = await measureStore(config);
    const damaged = damagedParts(config);
    const { record, copies } = store;
    return {
      ...store,
      ...(await measureMachineHealth(config)),
      record: { ...record, isDamaged: record.isDamaged || damaged.has("record") },
      copies: damaged.has("reading copy") ? { isDamaged: true, lagSeconds: 0 } : copies,
      server: await askServer(config),
    };
  };
  return await readHealth(measure, actor, now);
}

async function measureStore(
  config: Config,
): Promise<Pick<HealthMeasurements, "record" | "queues" | "backup" | "clock" | "copies">> {
  try {
    await using record = await openRecordForCommand(config);
    const seenAt = (await record.seenTime.load())?.at ?? null;
    const measured = await measureRecordHealth(record, config);
    return {
      ...measured,
      ...((await hasDamagedRows(record)) && { record: { ...measured.record, isDamaged: true } }),
      clock: { isSteady: true, seenAt },
      copies: await measureCopy(record, config),
    };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "unavailable") throw error;
    const clock = { isSteady: true, seenAt: null };
    return { ...healthFactsOfUnreadableRecord(error.wording), clock, copies: null };
  }
}

/**
 * Whether a record in PostgreSQL has damaged rows; reads every row. {@link damagedParts} checks a record in a
 * file.
 */
async function hasDamagedRows({ checkRows }: Pick<OpenRecord, "checkRows">): Promise<boolean> {
  if (checkRows === null) return false;
  for await (const place of checkRows()) if (place !== null) return true;
  return false;
}

/** @returns null if the reading copy is missing or must be rebuilt. */
async function measureCopy(
  { changeLog }: Pick<OpenRecord, "changeLog">,
  config: Config,
): Promise<HealthMeasurements["copies"]> {
  const isDamaged = false;
  // Record and reading copy share a file and change in one transaction, so there is no lag.
  if (changeLog === null) return { isDamaged, lagSeconds: 0 };
  const lagSeconds = await measureCopyLagSeconds(readingCopyFilePath(config), changeLog);
  return lagSeconds === null ? null : { isDamaged, lagSeconds };
}

/** The damaged parts of the local store or reading copy. Reads every row: about 80 MB per second. */
function damagedParts(config: Config): ReadonlySet<DamageLocation["part"]> {
  const file = readingCopyFilePath(config);
  const parts = new Set<DamageLocation["part"]>();
  if (!existsSync(file)) return parts;
  const check = config.databaseUrl === null ? checkStoreFile : checkReadingCopyFile;
  for (const place of check(file)) if (place !== null) parts.add(place.part);
  return parts;
}

/** The response of `/readyz` at the configured address; null: no server is listening. */
async function askServer({ host, port }: Config): Promise<ServerMeasurements | null> {
  const name = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host;
  const url = `http://${name.includes(":") ? `[${name}]` : name}:${port}/readyz`;
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(ANSWER_MILLISECONDS_MAX) });
    const text = (await answer.text()).trim().slice(0, ANSWER_CHARACTERS_MAX);
    return { isReady: answer.ok, answer: text };
  } catch {
    return null;
  }
}
