import { SlidingWindowRateLimiter } from "../../src/access/rate-limits.ts";
import type { ReadingCopy } from "../../src/content/library.ts";
import type { HttpDependencies } from "../../src/http/dependencies.ts";
import { ResponseCache } from "../../src/http/response-cache.ts";
import { createLog } from "../../src/log.ts";
import { ORIGIN } from "./open-fixture.ts";

/** Dependencies for a test that uses a single part of the app. All others do nothing. */
export function idleParts(reading: ReadingCopy): HttpDependencies {
  return {
    reading,
    origin: ORIGIN,
    version: "0",
    answers: new ResponseCache({ version: () => reading.version(), headers: {} }),
    now: () => new Date(),
    countResponse: () => {},
    noteView: () => {},
    metrics: null,
    replicaStatus: () => null,
    damages: { isDamaged: () => false },
    draining: new AbortController().signal,
    authenticate: async () => ({ kind: "visitor" }),
    rateLimits: new SlidingWindowRateLimiter(),
    log: createLog("silent"),
    api: async () => ({ status: 200, headers: {}, body: null }),
    admin: async () => ({ status: 200, headers: {}, body: null }),
    mediaFiles: { find: async () => null },
    pictureSizes: { find: async () => null, findClean: async () => null },
    sharePictures: {
      picture: async () => await Promise.reject(new Error("Nothing is drawn here")),
    },
    mcp: async () => ({ status: 200, headers: {}, body: null }),
    sharedPreviews: {
      drafts: { byId: refuse },
      previewCodes: { byHash: refuse },
      atomically: refuse,
      preview: refuse,
    },
    visitorForms: {
      atomically: refuse,
      formSecret: "",
      sendsMail: false,
    },
  };
}

async function refuse(): Promise<never> {
  throw new Error("These parts take no forms");
}
