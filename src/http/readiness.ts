import { type HttpAnswer, wholeAnswer } from "./exchange.ts";
import type { HttpParts } from "./parts.ts";

/** A reading copy further behind than this shows too much that is not so any more. */
const BEHIND_SECONDS_MAX = 10;

/**
 * For load balancers: may requests be sent here? Not while the reading copy of this instance is behind
 * the record it can reach. While the record cannot be reached by anybody, all instances go on reading:
 * taking them out would take the site away.
 */
export function readiness({ reading, standing, damages, log }: HttpParts): HttpAnswer {
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
  const now = standing();
  if (now === null) return plainText(200, "ready");
  if (!now.isReachable) {
    return plainText(200, "ready to be read; the database is away, so that changes have to wait");
  }
  if (now.isCurrent || now.lagSeconds <= BEHIND_SECONDS_MAX) return plainText(200, "ready");
  return plainText(503, `The reading copy is ${Math.round(now.lagSeconds)} seconds behind`);
}

export function plainText(status: number, text: string): HttpAnswer {
  const headers = { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" };
  return wholeAnswer(status, headers, `${text}\n`);
}
