import { findSession } from "../../access/people/sessions.ts";
import { AppError } from "../../errors.ts";
import { html } from "../../render/html.ts";
import type { HttpAnswer, HttpRequest } from "../exchange.ts";
import { errorAnswer, STATUSES } from "../problem.ts";
import { retryAfter } from "../retry-after.ts";
import { readFields, type SentForm } from "../site/sent-form.ts";
import type { AdminParts, AdminRoute, FormPage, SignedInVisit, Visit } from "./admin-route.ts";
import { ACCOUNT_PATH, SECOND_FACTOR_PATH, SIGN_IN_PATH } from "./entering.ts";
import { plainHttpFault, requireFormToken, requireOwnPage } from "./own-page.ts";
import { ADMIN_HEADERS, pageAnswer, redirectAnswer } from "./page.ts";
import { ADMIN_ROUTES } from "./routes.ts";
import { clearSession, sessionToken } from "./session-cookie.ts";

interface Notice {
  title: string;
  fault: string;
  status: number;
  headers?: Readonly<Record<string, string>>;
}

type AdminHandler = (request: HttpRequest) => Promise<HttpAnswer>;

/**
 * The pages for administrators. Checks in order: the route (404, 405), whether browsers keep a session here
 * (403), that a form comes from an own page (403) and is one (415, 413), the session, the form token (403).
 */
export function openAdminDoor(parts: AdminParts): AdminHandler {
  return async (request) => {
    const { pathname } = request.url;
    if (pathname === "/admin" || pathname === "/admin/") return redirectAnswer(ACCOUNT_PATH);
    const method = request.method === "HEAD" ? "GET" : request.method;
    const there = ADMIN_ROUTES.filter(({ path }) => path === pathname);
    const route = there.find((each) => each.method === method);
    if (route === undefined) return missing(request, there);
    const visit: Visit = {
      parts,
      client: { address: request.address, device: request.header("user-agent") ?? "" },
      now: parts.now(),
      requestId: request.id,
      token: sessionToken(request),
    };
    const fault = plainHttpFault(parts.origin);
    if (fault !== null) return notice(visit, { title: "Sign in", fault, status: 403 });
    try {
      return await answer(request, route, visit);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const shown = notice(visit, {
        title: "This did not work",
        fault: error.message,
        status: STATUSES[error.code],
      });
      return retryAfter(shown, error.retryAfterSeconds);
    }
  };
}

async function answer(request: HttpRequest, route: AdminRoute, visit: Visit): Promise<HttpAnswer> {
  const form = route.method === "POST" ? await readAdminForm(request, visit.parts) : null;
  if (route.needs === "nothing") return await answerRoute(route, visit, form);
  const { token, parts, now } = visit;
  const found = token === null ? null : await findSession(parts.people, token, now);
  if (token === null || found === null) return signInFirst(route, visit);
  const { stage } = found.session;
  if (route.needs === "session" && stage !== "open") return redirectAnswer(SECOND_FACTOR_PATH);
  if (route.needs === "password" && stage === "open") return redirectAnswer(ACCOUNT_PATH);
  if (form !== null) requireFormToken(form, token);
  const signedIn: SignedInVisit = { ...visit, token, found };
  return await answerRoute(route, signedIn, form);
}

async function answerRoute<V extends Visit>(
  {
    page,
    send,
  }: { page: FormPage<V>; send: ((visit: V, form: SentForm) => Promise<HttpAnswer>) | null },
  visit: V,
  form: SentForm | null,
): Promise<HttpAnswer> {
  const show = async (status: number, fault?: string) => {
    const { name: siteName } = visit.parts.reading.site();
    const content = await page.content(visit);
    return pageAnswer({ title: page.title, siteName, fault, content }, status);
  };
  if (form === null || send === null) return await show(200);
  try {
    return await send(visit, form);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const status = error.code === "invalid" ? 422 : STATUSES[error.code];
    return retryAfter(await show(status, error.message), error.retryAfterSeconds);
  }
}

async function readAdminForm(request: HttpRequest, { origin }: AdminParts): Promise<SentForm> {
  requireOwnPage(request, origin);
  const sent = await readFields(request);
  if ("status" in sent) throw new AppError("unsupported", sent.detail);
  return sent;
}

function signInFirst({ method }: AdminRoute, visit: Visit): HttpAnswer {
  const headers = visit.token === null ? {} : clearSession();
  if (method === "GET") return redirectAnswer(SIGN_IN_PATH, headers);
  const fault = "Your session has ended, and nothing was changed";
  return notice(visit, { title: "Sign in first", fault, status: 401, headers });
}

function missing(request: HttpRequest, there: readonly AdminRoute[]): HttpAnswer {
  if (there.length === 0) {
    const detail = "There is no such page for administrators";
    return errorAnswer(request, { status: 404, detail }, ADMIN_HEADERS);
  }
  const Allow = there
    .flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : [method]))
    .join(", ");
  const detail = `${request.method} is not served here: use ${Allow}`;
  return errorAnswer(request, { status: 405, detail }, { ...ADMIN_HEADERS, Allow });
}

function notice({ parts }: Visit, { title, fault, status, headers }: Notice): HttpAnswer {
  const { name: siteName } = parts.reading.site();
  const content = html`<p><a href="${SIGN_IN_PATH}">Sign in</a></p>`;
  return pageAnswer({ title, siteName, fault, content }, status, headers);
}
