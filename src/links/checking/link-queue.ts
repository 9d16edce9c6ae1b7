import { setTimeout as sleep } from "node:timers/promises";
import { parseRetryAfter } from "../../webhooks/attempts.ts";
import type { TaskQueue } from "../../work/queue-worker.ts";
import { findInternalPathError, type InternalLinkTargets } from "../internal-links.ts";
import { judgeInternalLink, judgeLink } from "../judging-links.ts";
import type { Link, LinkStore } from "../link.ts";
import { scanNextItemsForLinks } from "../searching-items.ts";
import { checkLink } from "./check-link.ts";

const CONCURRENCY_MAX = 8;
const REQUEST_MILLISECONDS = 10_000;
/** Maximum wait, within one check, for the next request to a host. */
const TURN_MILLISECONDS_MAX = 10_000;
/** Pause after a host has asked for fewer requests without saying for how long. */
const PAUSE_MILLISECONDS = 60_000;
const PAUSE_MILLISECONDS_MAX = 24 * 60 * 60 * 1000;

export interface LinkQueueDependencies extends InternalLinkTargets {
  links: LinkStore;
  origin: string;
  version: string;
  privateNetworks: boolean;
  now: () => Date;
  requestMilliseconds?: number;
}

/** Finds links in published content and requests them, at most one link a second per host. */
export function createLinkQueue(parts: LinkQueueDependencies): TaskQueue<Link> {
  const { links, reading, now } = parts;
  return {
    taskName: "link check",
    concurrencyMax: CONCURRENCY_MAX,
    graceMilliseconds: 0,
    prepare: () => scanNextItemsForLinks(links, parts, now()),
    // While the site is hidden, no links are checked, because the requests would reveal its
    // address.
    claim: async (limit) => (reading.site().hidden ? [] : await links.claim(now(), limit)),
    async run(link, stopping) {
      if (link.url.startsWith("/")) {
        const at = now();
        const fault = await findInternalPathError(link.url, parts, at.toISOString().slice(0, 10));
        return await links.settle(link, judgeInternalLink(fault, at));
      }
      const outcome = await checkLink(link.url, {
        userAgent: `Commonplace/${parts.version} (+${parts.origin}; checks links)`,
        privateNetworks: parts.privateNetworks,
        milliseconds: parts.requestMilliseconds ?? REQUEST_MILLISECONDS,
        signal: stopping,
        waitForTurn: (host) => waitForTurn(parts, host, stopping),
        slowDown: (host, retryAfter) => slowDown(parts, host, retryAfter),
      });
      if (stopping.aborted) return;
      await links.settle(link, judgeLink(link, outcome, now()));
    },
  };
}

async function waitForTurn(
  { links, now }: LinkQueueDependencies,
  host: string,
  signal: AbortSignal,
): Promise<boolean> {
  const at = now();
  const wait = (await links.takeTurn(host, at)).getTime() - at.getTime();
  if (wait > TURN_MILLISECONDS_MAX) return false;
  await sleep(wait, undefined, { signal }).catch(() => {});
  return !signal.aborted;
}

async function slowDown(
  { links, now }: LinkQueueDependencies,
  host: string,
  retryAfter: string | undefined,
): Promise<void> {
  const at = now();
  const pause = parseRetryAfter(retryAfter, at) ?? PAUSE_MILLISECONDS;
  const until = at.getTime() + Math.min(pause, PAUSE_MILLISECONDS_MAX);
  await links.pauseHost(host, new Date(until));
}
