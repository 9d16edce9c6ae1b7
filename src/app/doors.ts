import type { Server } from "node:http";
import type { RateLimiter } from "../access/rate-limits.ts";
import type { UsageCounters } from "../access/usage-counters.ts";
import type { Config } from "../config.ts";
import { millisecondsLeftOfDay } from "../content/site/time-zone.ts";
import type { MeasureHealth } from "../health/health.ts";
import type { AdminParts } from "../http/admin/admin-route.ts";
import { AnswerCache } from "../http/answer-cache.ts";
import type { ApiParts } from "../http/api/parts.ts";
import type { Handler } from "../http/exchange.ts";
import { createFront } from "../http/front.ts";
import { securityHeaders } from "../http/guards.ts";
import type { ReplicaStatus, VisitorFormParts } from "../http/parts.ts";
import { createListener } from "../http/socket/listener.ts";
import { WrongKeyThrottle } from "../http/wrong-key-throttle.ts";
import { createMcpHandler } from "../mcp/handler.ts";
import { type SearchSource, withSearchCounting } from "../search/search-log.ts";
import type { DamageRegister } from "../storage/integrity/damage-register.ts";
import type { OpenRecord } from "../storage/record/stores.ts";
import { apiPartsOf, keyDoorParts, type SharedDoorParts } from "./door-parts.ts";
import { openPasskeyVerifier } from "./passkeys.ts";
import type { ServiceMetrics } from "./service-metrics.ts";
import { openSignInProvider } from "./sign-in-provider.ts";

export interface OpenDoors {
  /** Dependencies of the admin API. */
  apiParts: ApiParts;
  /** Answers one request without a socket. */
  http: Handler;
  /** The HTTP server, which does not listen yet. */
  server: Server;
}

interface DoorOptions {
  common: SharedDoorParts;
  rateLimits: RateLimiter;
  counting: UsageCounters;
  metrics: ServiceMetrics;
  replicaStatus: () => ReplicaStatus | null;
  damages: Pick<DamageRegister, "isDamaged">;
  measureHealth: MeasureHealth;
  config: Config;
}

/** Opens the MCP service, the admin API and the site, and creates their HTTP server. */
export async function openDoors(record: OpenRecord, options: DoorOptions): Promise<OpenDoors> {
  const { common, rateLimits, counting, metrics, replicaStatus, damages, config } = options;
  const { reading, log } = common;
  const { countUse } = counting;
  const { counts } = metrics;
  const readingFor = (source: SearchSource) =>
    withSearchCounting(reading, source, counting.noteSearch);
  const throttle = new WrongKeyThrottle();
  const door = keyDoorParts(record, { ...common, rateLimits, countUse }, throttle);
  const mcp = createMcpHandler({
    ...door,
    reading: readingFor("mcp"),
    allowedHosts: [],
    countUse(keyId, tool) {
      counts.countCall(tool);
      countUse(keyId, tool);
    },
  });
  const apiParts = apiPartsOf(record, { ...door, reading: readingFor("api") }, config);
  const answers = new AnswerCache({
    version: () => reading.version(),
    untilChange: () => millisecondsLeftOfDay(reading.site().timeZone, common.now().toISOString()),
    headers: securityHeaders(common.origin),
    onRepeat(status, address) {
      counts.countCachedAnswer(status);
      counting.noteView(address);
    },
  });
  const siteParts = {
    ...door,
    reading: readingFor("page"),
    answers,
    noteView: counting.noteView,
    mcp,
    api: apiOn(apiParts),
    admin: adminOn(adminPartsOf(apiParts, record, options)),
    countAnswer: counts.countAnswer,
    metrics: config.workers === 1 ? () => metrics.text() : null,
    replicaStatus,
    damages,
    sharedPreviews: record,
    visitorForms: await visitorFormParts(record, config),
  };
  const http = createFront(siteParts);
  const { trustProxy } = config;
  const server = createListener(http, {
    ...{ log, trustProxy, answerCached: answers.answer },
    isAccepted: (authorization) => throttle.isAccepted(authorization),
    countCutOff: counts.countCutOff,
  });
  return { apiParts, http, server };
}

/**
 * The admin API. It is loaded on its first request, because it is the slowest module to load and pages do not
 * need it.
 */
function apiOn(parts: ApiParts): Handler {
  let door: Handler | null = null;
  return async (request) => {
    door ??= (await import("../http/api/door.ts")).createApiDoor(parts);
    return await door(request);
  };
}

function adminPartsOf(
  api: ApiParts,
  people: OpenRecord,
  { common: { log }, config, measureHealth }: DoorOptions,
): AdminParts {
  return {
    ...api,
    people,
    provider: openSignInProvider(config, log),
    passkeys: openPasskeyVerifier(config.origin),
    measureHealth,
  };
}

/**
 * The screens of administrators. They are loaded on their first request, because visitors do not need them.
 */
function adminOn(parts: AdminParts): Handler {
  let door: Handler | null = null;
  return async (request) => {
    door ??= (await import("../http/admin/door.ts")).openAdminDoor(parts);
    return await door(request);
  };
}

async function visitorFormParts(record: OpenRecord, { mail }: Config): Promise<VisitorFormParts> {
  const formSecret = await record.secrets.secret("form");
  return { atomically: record.atomically, formSecret, sendsMail: mail !== null };
}
