import type { Server } from "node:http";
import type { RateLimiter } from "../access/rate-limits.ts";
import type { UsageCounters } from "../access/usage-counters.ts";
import type { Config } from "../config.ts";
import { millisecondsUntilEndOfDay } from "../content/site/time-zone.ts";
import type { MeasureHealth } from "../health/health.ts";
import type { AdminDependencies } from "../http/admin/admin-route.ts";
import type { ApiDependencies } from "../http/api/dependencies.ts";
import type { ReplicaStatus, VisitorFormDependencies } from "../http/dependencies.ts";
import type { Handler } from "../http/exchange.ts";
import { createHttpHandler } from "../http/front.ts";
import { securityHeaders } from "../http/guards.ts";
import { ResponseCache } from "../http/response-cache.ts";
import { createHttpServer } from "../http/socket/listener.ts";
import { WrongKeyThrottle } from "../http/wrong-key-throttle.ts";
import { createMcpHandler } from "../mcp/handler.ts";
import { type SearchSource, withSearchCounting } from "../search/search-log.ts";
import type { DamageRegister } from "../storage/integrity/damage-register.ts";
import type { OpenRecord } from "../storage/record/stores.ts";
import {
  createApiDependencies,
  createKeyDoorDependencies,
  type SharedDoorDependencies,
} from "./door-dependencies.ts";
import { openPasskeyVerifier } from "./passkeys.ts";
import type { ServiceMetrics } from "./service-metrics.ts";
import { openSignInProvider } from "./sign-in-provider.ts";

export interface OpenDoors {
  /** Dependencies of the admin API. */
  apiParts: ApiDependencies;
  /** Answers one request without a socket. */
  http: Handler;
  /** The HTTP server, which does not listen yet. */
  server: Server;
}

interface DoorOptions {
  common: SharedDoorDependencies;
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
  const door = createKeyDoorDependencies(record, { ...common, rateLimits, countUse }, throttle);
  const mcp = createMcpHandler({
    ...door,
    reading: readingFor("mcp"),
    allowedHosts: [],
    countUse(keyId, tool) {
      counts.countCall(tool);
      countUse(keyId, tool);
    },
  });
  const apiParts = createApiDependencies(record, { ...door, reading: readingFor("api") }, config);
  const answers = new ResponseCache({
    version: () => reading.version(),
    untilChange: () =>
      millisecondsUntilEndOfDay(reading.site().timeZone, common.now().toISOString()),
    headers: securityHeaders(common.origin),
    onRepeat(status, address) {
      counts.countCachedResponse(status);
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
    countResponse: counts.countResponse,
    metrics: config.workers === 1 ? () => metrics.text() : null,
    replicaStatus,
    damages,
    sharedPreviews: record,
    visitorForms: await visitorFormParts(record, config),
  };
  const http = createHttpHandler(siteParts);
  const { trustProxy } = config;
  const server = createHttpServer(http, {
    ...{ log, trustProxy, answerCached: answers.answer, draining: common.draining },
    isAccepted: (authorization) => throttle.isAccepted(authorization),
    countCutOff: counts.countCutOff,
  });
  return { apiParts, http, server };
}

/**
 * The admin API. It is loaded on its first request, because it is the slowest module to load and pages do not
 * need it.
 */
function apiOn(parts: ApiDependencies): Handler {
  let door: Handler | null = null;
  return async (request) => {
    door ??= (await import("../http/api/door.ts")).createApiDoor(parts);
    return await door(request);
  };
}

function adminPartsOf(
  api: ApiDependencies,
  people: OpenRecord,
  { common: { log }, config, measureHealth }: DoorOptions,
): AdminDependencies {
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
function adminOn(parts: AdminDependencies): Handler {
  let door: Handler | null = null;
  return async (request) => {
    door ??= (await import("../http/admin/door.ts")).createAdminDoor(parts);
    return await door(request);
  };
}

async function visitorFormParts(
  record: OpenRecord,
  { mail }: Config,
): Promise<VisitorFormDependencies> {
  const formSecret = await record.secrets.secret("form");
  return { atomically: record.atomically, formSecret, sendsMail: mail !== null };
}
