import { SlidingWindowRateLimiter } from "../access/rate-limits.ts";
import type { Config } from "../config.ts";
import { AppError, englishOnlyWording } from "../errors.ts";
import { createOperatorDoor } from "../http/api/door.ts";
import { API_PATH } from "../http/api/route-table.ts";
import { createInProcessRequest, webResponseFrom } from "../http/in-process.ts";
import type { Log } from "../log.ts";
import { openSearchByMeaning } from "../search/meaning/search-by-meaning.ts";
import { COMMAND_DESK_TIMEOUTS } from "../storage/desk/following.ts";
import { openReadingCopy } from "../storage/reading/open.ts";
import type { OpenRecord } from "../storage/record/stores.ts";
import { VERSION } from "../version.ts";
import { readingCopyFilePath } from "./data-folder.ts";
import { openConfiguredDeskIndex } from "./desk.ts";
import { createApiDependencies, createKeyDoorDependencies } from "./door-dependencies.ts";
import { openConfiguredRecord, openFileStores } from "./store.ts";

export interface OperatorApi extends AsyncDisposable {
  /** Answers one request; `path` is below `/api/v1` and may have a query. */
  ask(
    path: string,
    request: { method: string; headers: Headers; body: ReadableStream<Uint8Array> | null },
  ): Promise<Response>;
}

/** Opens the admin API for an operator on this machine, without a key; the server need not be running. */
export async function openOperatorApi(config: Config, { log }: { log: Log }): Promise<OperatorApi> {
  const record = await openConfiguredRecord(config, { use: "shared", otherOrigin: "keep", log });
  try {
    return await operatorApiOn(record, config, log);
  } catch (error) {
    // Closes the record, because its open connections would keep the process alive.
    await record.close();
    throw error;
  }
}

async function operatorApiOn(record: OpenRecord, config: Config, log: Log): Promise<OperatorApi> {
  const now = () => new Date();
  await record.replica?.untilCurrent();
  const file = readingCopyFilePath(config);
  const reading = openReadingCopy({ file });
  const deskIndex = openConfiguredDeskIndex(config, record, {
    log,
    deskTimeouts: COMMAND_DESK_TIMEOUTS,
  });
  const { workers: _, ...files } = openFileStores(config, record, { log });
  const { origin } = record;
  const { progress: meaningProgress } = await openSearchByMeaning(config.embed, { file, log });
  const common = {
    reading,
    deskIndex,
    ...files,
    origin,
    version: VERSION,
    now,
    log,
    meaningProgress,
  };
  const { signal: draining } = new AbortController();
  const withoutCounting = { rateLimits: new SlidingWindowRateLimiter(), countUse: () => {} };
  const door = createOperatorDoor(
    createApiDependencies(
      record,
      createKeyDoorDependencies(record, { ...common, ...withoutCounting, draining }),
      config,
    ),
  );
  return {
    async ask(path, { method, headers, body }) {
      if (method === "GET" && body !== null) {
        throw new AppError(
          "invalid",
          englishOnlyWording("Cannot send a body by GET; leave it out, or use POST"),
        );
      }
      const request = createInProcessRequest(`${API_PATH}${path}`, { method, headers, body });
      return webResponseFrom(await door(request));
    },
    async [Symbol.asyncDispose]() {
      await deskIndex[Symbol.asyncDispose]();
      reading[Symbol.dispose]();
      await record.close();
    },
  };
}
