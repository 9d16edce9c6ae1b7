import { setTimeout as sleep } from "node:timers/promises";
import { requestPage } from "./request-page.ts";
import type { PoliteRequester } from "./request-politely.ts";

const REQUEST_MILLISECONDS_MAX = 60_000;
const BYTES_MAX = 64 * 1024 * 1024;

interface SiteRequestOptions {
  /** Version of this program, for the `User-Agent` header. */
  version: string;
  /** Origin of the site that the copy is for, for the `User-Agent` header. */
  origin: string;
  /** Whether addresses in private networks are allowed. */
  privateNetworks: boolean;
  pauseMilliseconds: number;
  /** When this signal aborts, running pauses and requests end, and throw the signal's reason. */
  halt?: AbortSignal;
}

/** Returns functions that send the requests of a copy of a live site and pause between them. */
export function createSiteRequester(options: SiteRequestOptions): PoliteRequester {
  const { version, origin, privateNetworks, pauseMilliseconds, halt } = options;
  const requestOptions = {
    userAgent: `Commonplace/${version} (+${origin}; copies its site)`,
    ...{ privateNetworks, milliseconds: REQUEST_MILLISECONDS_MAX, bytesMax: BYTES_MAX },
    now: () => new Date(),
    ...(halt === undefined ? {} : { halt }),
  };
  return {
    request: (url, known) => requestPage(url, known, requestOptions),
    async pause(milliseconds) {
      halt?.throwIfAborted();
      await sleep(milliseconds, undefined, halt && { signal: halt }).catch((error: unknown) => {
        halt?.throwIfAborted();
        throw error;
      });
    },
    pauseMilliseconds,
  };
}
