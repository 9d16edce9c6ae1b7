import type { Server } from "node:http";
import type { Counting } from "../access/counting.ts";
import type { RateLimiter } from "../access/rate-limits.ts";
import type { Config } from "../config.ts";
import { AnswerCache } from "../http/answer-cache.ts";
import type { ApiParts } from "../http/api/parts.ts";
import type { Handler } from "../http/exchange.ts";
import { createFront } from "../http/front.ts";
import { securityHeaders } from "../http/guards.ts";
import type { Reception, Standing } from "../http/parts.ts";
import { createListener } from "../http/socket/listener.ts";
import { createMcpHandler } from "../mcp/handler.ts";
import { countingSearches, type SearchSource } from "../search/search-log.ts";
import type { Damages } from "../storage/integrity/damages.ts";
import type { OpenRecord } from "../storage/record/stores.ts";
import { apiPartsOn, type Common, keyDoor } from "./door-parts.ts";
import type { Measuring } from "./measuring.ts";

export interface OpenDoors {
  /** What the administrative interface stands on. */
  apiParts: ApiParts;
  /** Answers one request without a socket. */
  http: Handler;
  /** Not yet listening. */
  server: Server;
}

interface DoorOptions {
  common: Common;
  rateLimits: RateLimiter;
  counting: Counting;
  measuring: Measuring;
  standing: () => Standing | null;
  damages: Pick<Damages, "isDamaged">;
  config: Config;
}

/** What opens to the outside: the MCP service, the administrative interface, the site, the socket. */
export async function openDoors(
  record: OpenRecord,
  { common, rateLimits, counting, measuring, standing, damages, config }: DoorOptions,
): Promise<OpenDoors> {
  const { reading, log } = common;
  const { countUse } = counting;
  const { counts } = measuring;
  const readingFor = (source: SearchSource) =>
    countingSearches(reading, source, counting.noteSearch);
  const door = keyDoor(record, { ...common, rateLimits, countUse });
  const mcp = createMcpHandler({
    ...door,
    reading: readingFor("mcp"),
    allowedHosts: [],
    countUse(keyId, tool) {
      counts.called(tool);
      countUse(keyId, tool);
    },
  });
  const apiParts = apiPartsOn(record, { ...door, reading: readingFor("api") }, config);
  const answers = new AnswerCache({
    version: () => reading.version(),
    headers: securityHeaders(common.origin),
    repeated: counts.repeated,
  });
  const siteParts = {
    ...door,
    reading: readingFor("page"),
    answers,
    mcp,
    api: apiOn(apiParts),
    answered: counts.answered,
    metrics: config.workers === 1 ? () => measuring.text() : null,
    standing,
    damages,
    reception: await openReception(record, config),
  };
  const http = createFront(siteParts);
  const { trustProxy } = config;
  const server = createListener(http, { log, trustProxy, repeat: answers.answer });
  return { apiParts, http, server };
}

/** Read when first asked, which takes longer than any other part of a start, and pages need none of it. */
function apiOn(parts: ApiParts): Handler {
  let door: Handler | null = null;
  return async (request) => {
    door ??= (await import("../http/api/door.ts")).openApiDoor(parts);
    return await door(request);
  };
}

async function openReception(record: OpenRecord, { mail }: Config): Promise<Reception> {
  const formSecret = await record.secrets.secret("form");
  return { atomically: record.atomically, formSecret, sendsMail: mail !== null };
}
