import type { HttpDependencies } from "./dependencies.ts";
import { type HttpResponse, responseWithContentLength } from "./exchange.ts";
import { PUBLIC_HEADERS } from "./public-headers.ts";

/** Maximum lag of the reading copy of an instance that is ready to serve requests. */
const LAG_SECONDS_MAX = 10;

interface Readiness {
  isReady: boolean;
  /** Whether the instance can save changes in addition to serving pages. */
  canChange: boolean;
  text: string;
}

/** Readiness for load balancers. */
export function readinessResponse(parts: HttpDependencies): HttpResponse {
  const { isReady, text } = readinessOf(parts);
  return plainTextResponse(isReady ? 200 : 503, text);
}

/** Reports to external status pages whether the site can be read and changed, and nothing else. */
export function publicStatusResponse(parts: HttpDependencies): HttpResponse {
  const { isReady, canChange } = readinessOf(parts);
  const status = !isReady ? "down" : canChange ? "up" : "degraded";
  const headers = {
    ...PUBLIC_HEADERS,
    "Content-Type": "application/json",
    "Cache-Control": "no-store",
  };
  const body = `${JSON.stringify({ status, reading: isReady, changing: isReady && canChange })}\n`;
  return responseWithContentLength(isReady ? 200 : 503, headers, body);
}

/**
 * Whether this instance is ready. An instance is not ready while its reading copy lags behind a reachable
 * record. It stays ready while the record is unreachable: without any ready instance, the site would be
 * down.
 */
function readinessOf({
  reading,
  replicaStatus,
  damages,
  draining,
  log,
}: HttpDependencies): Readiness {
  if (draining.aborted) return notReady("The server is stopping");
  if (damages.isDamaged("reading copy")) {
    return notReady("The reading copy is damaged and is being made again");
  }
  try {
    reading.counts();
  } catch (error) {
    log.error({ err: error }, "The reading copy does not answer");
    return notReady("The reading copy does not answer");
  }
  if (damages.isDamaged("record")) {
    return readableOnly("ready to be read; the record is damaged, so that changes may fail");
  }
  const replica = replicaStatus();
  if (replica === null) return READY_STATE;
  if (!replica.isReachable) {
    return readableOnly("ready to be read; the database is away, so that changes have to wait");
  }
  if (replica.isCurrent || replica.lagSeconds <= LAG_SECONDS_MAX) return READY_STATE;
  return notReady(`The reading copy is ${Math.round(replica.lagSeconds)} seconds behind`);
}

const READY_STATE: Readiness = { isReady: true, canChange: true, text: "ready" };

function readableOnly(text: string): Readiness {
  return { isReady: true, canChange: false, text };
}

function notReady(text: string): Readiness {
  return { isReady: false, canChange: false, text };
}

export function plainTextResponse(status: number, text: string): HttpResponse {
  const headers = { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" };
  return responseWithContentLength(status, headers, `${text}\n`);
}
