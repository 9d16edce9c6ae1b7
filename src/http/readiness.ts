import { type HttpAnswer, wholeAnswer } from "./exchange.ts";
import type { HttpParts } from "./parts.ts";

/** Beyond this lag, the reading copy shows too much outdated content. */
const BEHIND_SECONDS_MAX = 10;

/**
 * Readiness for load balancers. An instance is not ready while its reading copy lags behind a reachable
 * record. If the record is unreachable, instances stay ready: removing them all would take the site down.
 */
export function readiness(parts: HttpParts): HttpAnswer {
  const { reading, replicaStatus, damages, draining, log } = parts;
  if (draining.aborted) return plainText(503, "The server is stopping");
  if (damages.isDamaged("reading copy")) {
    return plainText(503, "The reading copy is damaged and is being made again");
  }
  try {
    reading.counts();
  } catch (error) {
    log.error({ err: error }, "The reading copy does not answer");
    return plainText(503, "The reading copy does not answer");
  }
  if (damages.isDamaged("record")) {
    return plainText(200, "ready to be read; the record is damaged, so that changes may fail");
  }
  const replica = replicaStatus();
  if (replica === null) return plainText(200, "ready");
  if (!replica.isReachable) {
    return plainText(200, "ready to be read; the database is away, so that changes have to wait");
  }
  if (replica.isCurrent || replica.lagSeconds <= BEHIND_SECONDS_MAX) return plainText(200, "ready");
  return plainText(503, `The reading copy is ${Math.round(replica.lagSeconds)} seconds behind`);
}

export function plainText(status: number, text: string): HttpAnswer {
  const headers = { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" };
  return wholeAnswer(status, headers, `${text}\n`);
}
