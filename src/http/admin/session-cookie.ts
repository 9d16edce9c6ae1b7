import { SESSION_SECONDS_MAX } from "../../access/people/sessions.ts";
import type { HttpRequest } from "../exchange.ts";

/**
 * The prefix makes browsers refuse the cookie unless it is Secure, of this host alone and for all paths, so
 * that no other host can set it.
 */
const NAME = "__Host-session";
const ATTRIBUTES = "Path=/; Secure; HttpOnly; SameSite=Lax";

/** The token in the session cookie; null: there is none. */
export function sessionToken(request: Pick<HttpRequest, "header">): string | null {
  const cookies = (request.header("cookie") ?? "").split(/; */);
  const cookie = cookies.find((each) => each.startsWith(`${NAME}=`));
  return cookie === undefined ? null : cookie.slice(NAME.length + 1);
}

export function setSession(token: string): Record<string, string> {
  return { "Set-Cookie": `${NAME}=${token}; Max-Age=${SESSION_SECONDS_MAX}; ${ATTRIBUTES}` };
}

export function clearSession(): Record<string, string> {
  return { "Set-Cookie": `${NAME}=; Max-Age=0; ${ATTRIBUTES}` };
}
