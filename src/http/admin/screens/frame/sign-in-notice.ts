import { html } from "../../../../render/html.ts";
import type { HttpResponse } from "../../../exchange.ts";
import type { AdminRoute, AdminVisit } from "../../admin-route.ts";
import { adminPageResponse, redirectResponse } from "../../page.ts";
import { signOutHeader } from "../../session-cookie.ts";
import { SIGN_IN_PATH, SIGN_OUT_PATH } from "../../sign-in.ts";

interface SignInNotice {
  title: string;
  fault: string;
  status: number;
  headers?: Readonly<Record<string, string>>;
  /** Whether the sign-in link opens in a new tab. Reloading this tab then sends the form again. */
  opensTab?: boolean;
}

/** A page that says why the visitor has to sign in. */
export function signInNotice(
  { parts, texts }: AdminVisit,
  { title, fault, status, headers, opensTab = false }: SignInNotice,
): HttpResponse {
  const { name: siteName } = parts.reading.site();
  const content = html`<p><a class="button" href="${SIGN_IN_PATH}"${opensTab && html` target="_blank"`}>${texts.entering.signIn}</a></p>`;
  return adminPageResponse({ texts, title, siteName, fault, content }, status, headers);
}

/** Answers a request that needs a session and has none. */
export function signInFirstResponse(
  { method, path }: Pick<AdminRoute, "method" | "path">,
  visit: AdminVisit,
): HttpResponse {
  const headers = visit.token === null ? {} : signOutHeader();
  // After a double click, the first request has already ended the session.
  if (method === "GET" || path === SIGN_OUT_PATH) return redirectResponse(SIGN_IN_PATH, headers);
  const { entering } = visit.texts;
  const fault = entering.sessionEnded;
  return signInNotice(visit, {
    title: entering.signInFirst,
    fault,
    status: 401,
    headers: { ...headers, "X-Fault": encodeURIComponent(fault) },
    opensTab: true,
  });
}
