import type { Server } from "node:http";
import type { Counting } from "../access/counting.ts";
import type { RateLimiter } from "../access/rate-limits.ts";
import type { Config } from "../config.ts";
import { notingSearches, type SearchSource } from "../content/search-record.ts";
import { AnswerCache } from "../http/answer-cache.ts";
import type { ApiDoor } from "../http/api/door.ts";
import type { ApiParts } from "../http/api/parts.ts";
import { openApiDirectly } from "../http/api-direct.ts";
import { createHttpApp } from "../http/app.ts";
import { securityHeaders } from "../http/guards.ts";
import { createListener } from "../http/listener.ts";
import { openMcpDirectly } from "../http/mcp-direct.ts";
import type { HttpApp, Reception, Standing } from "../http/parts.ts";
import { createMcpHandler } from "../mcp/handler.ts";
import { endTurn } from "../storage/data-version.ts";
import type { Damages } from "../storage/integrity/damages.ts";
import type { OpenRecord } from "../storage/record/stores.ts";
import { apiPartsOn, type Common, keyDoor } from "./door-parts.ts";
import { counted, type Measuring } from "./measuring.ts";

export interface OpenDoors {
  /** What the administrative interface stands on. */
  apiParts: ApiParts;
  /** Answers one request without a socket. */
  http: HttpApp;
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
  const readingFor = (source: SearchSource) => notingSearches(reading, source, counting.noteSearch);
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
    mcp: counted(mcp, counts),
    api: apiOn(apiParts),
    answered: counts.answered,
    metrics: config.workers === 1 ? () => measuring.text() : null,
    standing,
    damages,
    reception: await openReception(record, config),
    trustProxy: config.trustProxy,
  };
  const http = createHttpApp(siteParts);
  const shortcuts = [answers.answer, openMcpDirectly(siteParts), openApiDirectly(siteParts)];
  return { apiParts, http, server: createListener(http, { log, shortcuts, endTurn }) };
}

/** Read when first asked, which takes longer than any other part of a start, and pages need none of it. */
function apiOn(parts: ApiParts): ApiDoor {
  let door: ApiDoor | null = null;
  return async (request, caller) => {
    door ??= (await import("../http/api/door.ts")).openApiDoor(parts);
    return await door(request, caller);
  };
}

async function openReception(record: OpenRecord, { mail }: Config): Promise<Reception> {
  const formSecret = await record.secrets.secret("form");
  return { atomically: record.atomically, formSecret, sendsMail: mail !== null };
}
