import { containsCredential } from "../access/credentials.ts";
import { AppError } from "../errors.ts";
import type { Log } from "../log.ts";
import type { HttpRequest, HttpResponse } from "./exchange.ts";
import { negotiatedErrorResponse, STATUS_BY_CODE } from "./problem.ts";
import { withRetryAfter } from "./retry-after.ts";

const TARGET_CHARACTERS_MAX = 8000;

const CONTENT_SECURITY_POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/** Content security policy of sites that allow pictures from other sites. */
export const CSP_WITH_EXTERNAL_PICTURES = CONTENT_SECURITY_POLICY.replace(
  "img-src 'self'",
  "img-src 'self' https:",
);

/**
 * Headers for pages. They allow no scripts, and only the site's own style sheet, fonts and images.
 * `connect-src` lets agents that work in a browser fetch other documents of the site.
 */
export function securityHeaders(origin: string): Record<string, string> {
  return {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "strict-origin-when-cross-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    ...(origin.startsWith("https:") ? { "Strict-Transport-Security": "max-age=31536000" } : {}),
  };
}

/**
 * Returns why a request target must be refused; null: nothing forbids it. Addresses end up in
 * histories, logs and referrers, so an address with a credential is refused before it is stored or
 * repeated.
 */
export function findRequestTargetError(target: string): { status: number; detail: string } | null {
  if (target.length > TARGET_CHARACTERS_MAX) {
    const detail = `The address is longer than ${TARGET_CHARACTERS_MAX} characters`;
    return { status: 414, detail };
  }
  if (!containsCredential(target)) return null;
  const detail =
    "The address carries a credential. Send keys only in the Authorization header, and have a key that was in an address replaced";
  return { status: 400, detail };
}

/** Translates an error to an answer. Anything but an AppError is a bug: 500 without detail. */
export function responseFromError(error: unknown, request: HttpRequest, log: Log): HttpResponse {
  if (!(error instanceof AppError)) {
    log.error({ err: error, requestId: request.id }, "A request failed");
    const details = { status: 500, detail: "Internal error", requestId: request.id };
    return negotiatedErrorResponse(request, details);
  }
  const { code, message: detail, retryAfterSeconds } = error;
  return withRetryAfter(
    negotiatedErrorResponse(request, { status: STATUS_BY_CODE[code], detail }),
    retryAfterSeconds,
  );
}
