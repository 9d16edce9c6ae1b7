import { randomUUID } from "node:crypto";
import type { Server } from "node:http";
import { availableParallelism } from "node:os";
import { Counting } from "./access/counting.ts";
import { endKeeping } from "./access/keeping.ts";
import { forgetOldAnswers } from "./access/kept-answers.ts";
import { authenticate, type KeyStore } from "./access/keys.ts";
import { type RateLimiter, RateLimits } from "./access/rate-limits.ts";
import { startClock } from "./clock.ts";
import type { Config } from "./config.ts";
import type { ReadingCopy, SearchQuery } from "./content/library.ts";
import type { MediaFiles } from "./content/media.ts";
import { mediaClearing } from "./content/media-clearing.ts";
import { publishDue } from "./content/publishing.ts";
import { purgeDeleted } from "./content/purging.ts";
import type { ContentRecord } from "./content/record.ts";
import { notingSearches, type SearchSource } from "./content/search-record.ts";
import { startSite } from "./content/starter-site.ts";
import { jobsFolder, mediaFolder, storeFile } from "./data-folder.ts";
import { openSearchByMeaning } from "./embedding/search-by-meaning.ts";
import { AppError } from "./errors.ts";
import { openApiDoor, openOperatorDoor } from "./http/api/door.ts";
import type { ApiParts } from "./http/api/parts.ts";
import { API_PATH } from "./http/api/route-table.ts";
import { createHttpApp } from "./http/app.ts";
import { HotPath } from "./http/hot-path.ts";
import { createListener } from "./http/listener.ts";
import { openMcpDirectly } from "./http/mcp-direct.ts";
import type { HttpApp, Reception } from "./http/parts.ts";
import type { Log } from "./log.ts";
import { Postman } from "./mail/sending/postman.ts";
import { smtpDelivery } from "./mail/sending/smtp.ts";
import { createMcpHandler } from "./mcp/handler.ts";
import { openJobFolder } from "./storage/jobs/job-folder.ts";
import { openMediaFolder } from "./storage/media/media-folder.ts";
import { openReadingCopy } from "./storage/reading/open.ts";
import { SearchThreads } from "./storage/reading/search-threads.ts";
import { type OpenRecord, openRecord } from "./storage/record/open.ts";
import { JobRunner } from "./transfer/job-runner.ts";
import { VERSION } from "./version.ts";
import { Courier } from "./webhooks/sending/courier.ts";

export interface App extends AsyncDisposable {
  record: OpenRecord;
  reading: ReadingCopy;
  counting: Counting;
  /** What the administrative interface stands on. */
  apiParts: ApiParts;
  /** Sends what waits in the outbox whenever the clock tells it to. */
  postman: Pick<Postman, "settled">;
  /** Empty where another process is asked. */
  rateLimits: RateLimits;
  /** Answers one request without a socket. */
  http: HttpApp;
  /** Not yet listening. */
  server: Server;
  /** Lets go of the store once what is under way has ended; the server must have stopped before. */
  close(): Promise<void>;
}

export interface AppOptions {
  log: Log;
  now?: () => Date;
  /** Fills an empty store at its first start; without it the site begins with starter pages. */
  seed?: (record: ContentRecord) => Promise<void>;
  onProgress?: (done: number, total: number) => void;
  /**
   * For a process beside a first one, which keeps the limits for all: how that is asked. What the
   * clock does is left to the first.
   */
  rateLimits?: RateLimiter;
}

/** The whole service on the store in the data folder: the only place that knows all of its parts. */
export async function openApp(
  config: Config,
  { log, now = () => new Date(), seed, onProgress = () => {}, rateLimits }: AppOptions,
): Promise<App> {
  const file = storeFile(config);
  const { origin } = config;
  const record = await openRecord({ file, origin, onProgress });
  if ((await record.content.site()) === null) await (seed ?? startSite)(record.content, now());
  const searching = new SearchThreads({ file, log, threads: searchThreads() });
  const byMeaning = await openSearchByMeaning(config.embed, { file, log });
  const search = async (query: SearchQuery) =>
    await searching.search(await byMeaning.understood(query));
  const reading = openReadingCopy({ file, search });
  const ownLimits = new RateLimits();
  await ownLimits.restore(record.rateWindows, now().getTime());
  const counting = new Counting(record, now);
  const mediaFiles = openMedia(config);
  const jobFiles = openJobFolder(jobsFolder(config));
  const { progress: meaningProgress } = byMeaning;
  const files = { mediaFiles, jobFiles };
  const common = { reading, ...files, origin, version: VERSION, now, log, meaningProgress };
  const workers = [...openWorkers(record, common, config), ...byMeaning.workers];
  const postman = openPostman(config, { ...common, outbox: record.outbox });
  const doors = await openDoors(record, {
    ...common,
    rateLimits: rateLimits ?? ownLimits,
    counting,
    config,
  });

  const keepCounts = async () => {
    await ownLimits.save(record.rateWindows, now().getTime());
    await record.keys.saveUse();
    await counting.keep();
  };
  const clearMedia = mediaClearing(record.media, mediaFiles);
  const tasks = [
    () => publishDue(record.content, now()),
    () => purgeDeleted(record.content, now()),
    () => forgetOldAnswers(record.keptAnswers, now()),
    keepCounts,
    () => clearMedia(now()),
    () => endKeeping(record, now()),
    ...workers.map((worker) => () => worker.work()),
    () => postman.work(),
  ];
  const clock = startClock(rateLimits === undefined ? tasks : [keepCounts], log);
  const close = async () => {
    await clock.stop();
    await Promise.all([...workers, postman].map((worker) => worker.stop()));
    await keepCounts();
    await searching.close();
    reading[Symbol.dispose]();
    await record.close();
  };
  return {
    record,
    reading,
    counting,
    postman,
    rateLimits: ownLimits,
    ...doors,
    close,
    [Symbol.asyncDispose]: close,
  };
}

interface DoorOptions extends Common {
  rateLimits: RateLimiter;
  counting: Counting;
  config: Config;
}

/** What opens to the outside: the MCP service, the administrative interface, the site, the socket. */
async function openDoors(
  record: OpenRecord,
  { rateLimits, counting, config, ...common }: DoorOptions,
): Promise<Pick<App, "apiParts" | "http" | "server">> {
  const { reading, log } = common;
  const { countUse } = counting;
  const readingFor = (source: SearchSource) => notingSearches(reading, source, counting.noteSearch);
  const doors = doorParts({ ...common, rateLimits, countUse, keys: record.keys });
  const mcp = createMcpHandler({ ...doors, reading: readingFor("mcp"), allowedHosts: [] });
  const apiParts = apiPartsOn(record, { ...doors, reading: readingFor("api") }, config);
  const hotPath = new HotPath(() => reading.version());
  const siteParts = {
    ...common,
    reading: readingFor("page"),
    hotPath,
    mcp,
    api: openApiDoor(apiParts),
    reception: await openReception(record, config),
    trustProxy: config.trustProxy,
  };
  const http = createHttpApp(siteParts);
  const shortcuts = [hotPath.answer.bind(hotPath), openMcpDirectly(siteParts)];
  return { apiParts, http, server: createListener(http, { log, shortcuts }) };
}

/** Whatever takes longer than the clock may wait. */
function openWorkers(
  record: OpenRecord,
  common: Common,
  { webhookPrivateNetworks }: Config,
): readonly (Courier | JobRunner)[] {
  const { webhooks, jobs, content, keys, snapshot } = record;
  const { jobFiles: files, now, log } = common;
  return [
    new Courier({ ...common, webhooks, privateNetworks: webhookPrivateNetworks }),
    new JobRunner({ jobs, files, content, keys, snapshot, now, log }),
  ];
}

/** Mail comes from the address the site names for contact, unless another is set. */
function openPostman(
  { mail }: Config,
  {
    reading,
    outbox,
    now,
    log,
  }: Pick<Common, "reading" | "now" | "log"> & Pick<OpenRecord, "outbox">,
): Postman {
  const deliver = mail === null ? null : smtpDelivery(mail);
  const sender = () => {
    const { name, contact } = reading.site();
    return { name, email: mail?.from ?? contact.email };
  };
  return new Postman({ outbox, deliver, sender, now, log });
}

async function openReception(record: OpenRecord, { mail }: Config): Promise<Reception> {
  const formSecret = await record.secrets.secret("form");
  return { atomically: record.atomically, formSecret, sendsMail: mail !== null };
}

type Common = Pick<
  ApiParts,
  "reading" | "mediaFiles" | "jobFiles" | "origin" | "version" | "now" | "log" | "meaningProgress"
>;
type Doors = Common & Pick<ApiParts, "rateLimits" | "countUse" | "authenticate">;

/** What every door that asks for a key stands on. */
function doorParts({
  keys,
  ...common
}: Common & Pick<Doors, "rateLimits" | "countUse"> & { keys: KeyStore }): Doors {
  return {
    ...common,
    authenticate: (authorization, address) =>
      authenticate(keys, authorization, { now: common.now(), address }),
  };
}

function apiPartsOn(record: OpenRecord, doors: Doors, config: Config): ApiParts {
  const { webhookPrivateNetworks, mail } = config;
  const { atomically, rehearse } = record;
  const changing = { stores: record, atomically, rehearse };
  return { ...doors, ...changing, webhookPrivateNetworks, sendsMail: mail !== null };
}

export interface OperatorApi extends AsyncDisposable {
  /** The answer to one request; `path` is below `/api/v1`, with its query. */
  ask(
    path: string,
    request: { method: string; headers: Headers; body: ReadableStream<Uint8Array> | null },
  ): Promise<Response>;
}

/**
 * The administrative interface for whoever may run commands on the machine, beside a server or
 * without one; needs no key.
 */
export async function openOperatorApi(config: Config, { log }: { log: Log }): Promise<OperatorApi> {
  const record = await openStore(config);
  if ((await record.content.site()) === null) await startSite(record.content, new Date());
  const reading = openReadingCopy({ file: storeFile(config) });
  const now = () => new Date();
  const mediaFiles = openMedia(config);
  const { origin } = record;
  const jobFiles = openJobFolder(jobsFolder(config));
  const { progress: meaningProgress } = await openSearchByMeaning(config.embed, {
    file: storeFile(config),
    log,
  });
  const files = { mediaFiles, jobFiles };
  const common = { reading, ...files, origin, version: VERSION, now, log, meaningProgress };
  const uncounted = { rateLimits: new RateLimits(), countUse: () => {} };
  const doors = doorParts({ ...common, ...uncounted, keys: record.keys });
  const door = openOperatorDoor(apiPartsOn(record, doors, config));
  return {
    async ask(path, { method, headers, body }) {
      if (method === "GET" && body !== null) {
        throw new AppError("invalid", "Cannot send a body by GET; leave it out, or use POST");
      }
      const init = { method, headers, body, duplex: "half" } as const;
      const request = new Request(`${origin}${API_PATH}${path}`, init);
      return await door(request, { address: "", requestId: randomUUID() });
    },
    async [Symbol.asyncDispose]() {
      reading[Symbol.dispose]();
      await record.close();
    },
  };
}

/** A second one only where it takes no processor from the pages. */
function searchThreads(): number {
  return availableParallelism() > 2 ? 2 : 1;
}

/** The folder of the site's files, for a server or for commands beside it. */
export function openMedia(config: Config): MediaFiles {
  return openMediaFolder(mediaFolder(config));
}

/** Opens the record alone, for commands that run beside a server or without one. */
export async function openStore(config: Config): Promise<OpenRecord> {
  const { origin } = config;
  return await openRecord({ file: storeFile(config), origin, otherOrigin: "keep" });
}
