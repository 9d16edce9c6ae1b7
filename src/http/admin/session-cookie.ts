import { CHALLENGE_SECONDS_MAX } from "../../access/people/passkeys/challenges.ts";
import { SESSION_SECONDS_MAX } from "../../access/people/sessions.ts";
import type { HttpRequest } from "../exchange.ts";

/**
 * Browsers accept the prefix `__Host-` only with `Secure` and `Path=/` and without `Domain`.
 * Therefore no other host can set the cookie.
 */
const SESSION_COOKIE_NAME = "__Host-session";
/** Cookie with the state of a sign-in while the person is at the provider. */
const PENDING_COOKIE_NAME = "__Host-sign-in";
const PENDING_SECONDS_MAX = 600;
/** Cookie with the secret of a challenge while a device creates or uses a passkey. */
const PASSKEY_COOKIE_NAME = "__Host-passkey";
const COOKIE_ATTRIBUTES = "Path=/; Secure; HttpOnly; SameSite=Lax";

/** The token in the session cookie, if any. */
export function sessionToken(request: Pick<HttpRequest, "header">): string | null {
  return cookieNamed(SESSION_COOKIE_NAME, request);
}

/** The state of a sign-in that is in progress at the provider; null: there is none. */
export function pendingSignInState(request: Pick<HttpRequest, "header">): string | null {
  return cookieNamed(PENDING_COOKIE_NAME, request);
}

/** The header that stores the state of a sign-in in the browser. */
export function pendingSignInHeader(pending: string): Record<string, string> {
  return {
    "Set-Cookie": `${PENDING_COOKIE_NAME}=${pending}; Max-Age=${PENDING_SECONDS_MAX}; ${COOKIE_ATTRIBUTES}`,
  };
}

/** The secret of a passkey challenge; null: none. */
export function passkeyChallengeSecret(request: Pick<HttpRequest, "header">): string | null {
  return cookieNamed(PASSKEY_COOKIE_NAME, request);
}

/** The header that stores the secret of a passkey challenge in the browser. */
export function passkeyChallengeSecretHeader(secret: string): Record<string, string> {
  return {
    "Set-Cookie": `${PASSKEY_COOKIE_NAME}=${secret}; Max-Age=${CHALLENGE_SECONDS_MAX}; ${COOKIE_ATTRIBUTES}`,
  };
}

/** The header that stores a session token in the browser. */
export function sessionCookieHeader(token: string): Record<string, string> {
  return {
    "Set-Cookie": `${SESSION_COOKIE_NAME}=${token}; Max-Age=${SESSION_SECONDS_MAX}; ${COOKIE_ATTRIBUTES}`,
  };
}

/** The header that removes the session cookie. */
export function signOutHeader(): Record<string, string> {
  return { "Set-Cookie": `${SESSION_COOKIE_NAME}=; Max-Age=0; ${COOKIE_ATTRIBUTES}` };
}

function cookieNamed(name: string, request: Pick<HttpRequest, "header">): string | null {
  const cookies = (request.header("cookie") ?? "").split(/; */);
  const cookie = cookies.find((each) => each.startsWith(`${name}=`));
  return cookie === undefined ? null : cookie.slice(name.length + 1);
}
