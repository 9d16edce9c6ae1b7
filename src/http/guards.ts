import { randomUUID } from "node:crypto";
import type { MiddlewareHandler } from "hono";
import { carriesCredential } from "../access/credentials.ts";
import { AppError } from "../errors.ts";
import type { Log } from "../log.ts";
import type { HttpContext, HttpEnv, HttpParts } from "./parts.ts";
import { errorResponse, STATUSES } from "./problem.ts";

const TARGET_CHARACTERS_MAX = 8000;

/** Gives every request an id, under which its answer, its log line and a complaint find together. */
export function identify({ log }: Pick<HttpParts, "log">): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    const started = performance.now();
    const requestId = randomUUID();
    c.set("requestId", requestId);
    await next();
    c.res.headers.set("X-Request-Id", requestId);
    const { method, path } = c.req;
    noteAnswer(log, { requestId, method, path, status: c.res.status, started });
  };
}

/** Writes the line of a request into the log; `started` as `performance.now()` told it. */
export function noteAnswer(
  log: Pick<Log, "debug" | "info">,
  answer: { requestId: string; method: string; path: string; status: number; started: number },
): void {
  const { started, ...told } = answer;
  const line = {
    ...told,
    path: told.status === 400 && carriesCredential(told.path) ? "[refused]" : told.path,
    milliseconds: Math.round(performance.now() - started),
  };
  // A line for each page read would cost more than the page.
  if (line.status === 200 || line.status === 206 || line.status === 304)
    log.debug(line, "Answered");
  else log.info(line, "Answered");
}

/**
 * Pages run no scripts and load nothing but the site's own style sheet and images. `connect-src` is
 * for tools in a browser that read the site's documents from one of its pages.
 */
export function securityHeaders(origin: string): Record<string, string> {
  return {
    "Content-Security-Policy":
      "default-src 'none'; style-src 'self'; img-src 'self' https:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "strict-origin-when-cross-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    ...(origin.startsWith("https:") ? { "Strict-Transport-Security": "max-age=31536000" } : {}),
  };
}

export function secure({ origin }: Pick<HttpParts, "origin">): MiddlewareHandler<HttpEnv> {
  const headers = securityHeaders(origin);
  return async (c, next) => {
    await next();
    for (const [name, value] of Object.entries(headers)) {
      // A file has a policy of its own.
      if (!c.res.headers.has(name)) c.res.headers.set(name, value);
    }
  };
}

/** How a door tells that it does not answer. */
type Tell = (c: HttpContext, details: { status: number; detail: string }) => Response;

const tellByAccept: Tell = (c, details) => errorResponse(c.req.raw, details);

/**
 * Refuses addresses that are too long or carry a credential, before anything keeps or repeats them:
 * addresses end up in histories, logs and referrers.
 */
export function refuseAddresses(tell: Tell = tellByAccept): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    const fault = addressFault(targetOf(c));
    return fault === null ? await next() : tell(c, fault);
  };
}

/** What is wrong with path and query as they came; null: nothing. */
export function addressFault(target: string): { status: number; detail: string } | null {
  if (target.length > TARGET_CHARACTERS_MAX) {
    const detail = `The address is longer than ${TARGET_CHARACTERS_MAX} characters`;
    return { status: 414, detail };
  }
  if (!carriesCredential(target)) return null;
  const detail =
    "The address carries a credential. Send keys only in the Authorization header, and have a key that was in an address replaced";
  return { status: 400, detail };
}

/** Translates what was thrown; what no code of ours words is a bug and shown to nobody. */
export function answerError({ log }: Pick<HttpParts, "log">) {
  return (error: Error, c: HttpContext): Response => {
    const requestId = c.get("requestId");
    if (!(error instanceof AppError)) {
      log.error({ err: error, requestId }, "A request failed");
      return errorResponse(c.req.raw, { status: 500, detail: "Internal error", requestId });
    }
    const retry = error.retryAfterSeconds;
    return errorResponse(
      c.req.raw,
      { status: STATUSES[error.code], detail: error.message },
      retry === undefined ? {} : { "Retry-After": String(retry) },
    );
  };
}

/** Path and query as they came. */
function targetOf(c: HttpContext): string {
  const { url } = c.req;
  return url.slice(url.indexOf("/", url.indexOf("//") + 2));
}
