import { DAY_MILLISECONDS } from "../access/days.ts";
import type { Link, LinkState, LinkVerdict } from "./link.ts";
import { describeHttpStatusError } from "./link-errors.ts";

const GOOD_DAYS = 30;
const BROKEN_DAYS = 7;
/**
 * After this many failed checks, a day apart, a link counts as broken rather than temporarily unavailable.
 */
const FAILURES_MAX = 3;
const GONE_STATUSES: ReadonlySet<number> = new Set([404, 410]);

/** The outcome of requesting a link. */
export interface LinkRequestOutcome {
  /** Null: no answer. */
  status: number | null;
  /** The address that permanent redirects lead to; null: there were none. */
  target: string | null;
  /** The fault, in words; null: none. */
  fault: string | null;
}

/**
 * Returns the new state of a link after a request. A temporary failure of the host does not make
 * the link broken.
 */
export function judgeLink(
  { failures: failuresBefore }: Pick<Link, "failures">,
  { status, target, fault }: LinkRequestOutcome,
  now: Date,
): LinkVerdict {
  const isGood = status !== null && status >= 200 && status < 300;
  const isGone = status !== null && GONE_STATUSES.has(status);
  const refuses = status !== null && status >= 400 && status < 500 && !isGone;
  // A host that refuses a request is working. Its next failure therefore counts as the first.
  const failures = isGood || refuses ? 0 : failuresBefore + 1;
  const state = isGood
    ? target === null
      ? "good"
      : "moved"
    : isGone || (!refuses && failures >= FAILURES_MAX)
      ? "broken"
      : "unsure";
  const dueAt = new Date(now.getTime() + daysUntilNext(state, refuses) * DAY_MILLISECONDS);
  return {
    ...{ state, status, target: isGood ? target : null, failures },
    fault: isGood ? null : (fault ?? describeHttpStatusError(status).en),
    checkedAt: now.toISOString(),
    dueAt: dueAt.toISOString(),
  };
}

/** Returns the new state of a link to this site. `fault` is null if the site answers the link. */
export function judgeInternalLink(fault: string | null, now: Date): LinkVerdict {
  const state = fault === null ? "good" : "broken";
  const dueAt = new Date(now.getTime() + daysUntilNext(state, false) * DAY_MILLISECONDS);
  return {
    ...{ state, status: null, target: null, failures: 0, fault },
    checkedAt: now.toISOString(),
    dueAt: dueAt.toISOString(),
  };
}

function daysUntilNext(state: LinkState, refuses: boolean): number {
  if (state === "good" || state === "moved" || refuses) return GOOD_DAYS;
  return state === "broken" ? BROKEN_DAYS : 1;
}
