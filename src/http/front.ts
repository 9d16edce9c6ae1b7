import { CONTACT_PATH, KEY_CLAIM_PATH } from "../content/pages/contact-forms.ts";
import { PREVIEW_PATH } from "../content/pages/preview-page.ts";
import { editionAndUnprefixedPath } from "../content/site/editions.ts";
import { MCP_PATH } from "../content/site/service-identity.ts";
import { currentTracer } from "../tracing.ts";
import { ADMIN_PATH } from "./admin/admin-path.ts";
import { API_PATH } from "./api/route-table.ts";
import {
  answerWithContentLength,
  type Handler,
  type HttpAnswer,
  type HttpRequest,
} from "./exchange.ts";
import { answerFromError, requestTargetFault, securityHeaders } from "./guards.ts";
import { mcpAnswer } from "./mcp-door.ts";
import { createMetricsDoor, METRICS_PATH } from "./metrics.ts";
import type { HttpParts } from "./parts.ts";
import { negotiatedErrorAnswer } from "./problem.ts";
import { OPTIONS_HEADERS, PUBLIC_HEADERS } from "./public-headers.ts";
import { plainTextAnswer, publicStatusAnswer, readinessAnswer } from "./readiness.ts";
import { RequestLog } from "./request-log.ts";
import { assetHandler, faviconHandler } from "./site/assets.ts";
import { claimHandler } from "./site/claim.ts";
import { contactFormHandler } from "./site/contact.ts";
import { hiddenSiteAnswer, hiddenSiteRpcAnswer } from "./site/hidden.ts";
import { mediaAnswer } from "./site/media.ts";
import { previewCodeHandler } from "./site/preview.ts";
import { sharePictureAnswer } from "./site/share.ts";
import { siteAnswer } from "./site/site.ts";

/** The name under which `countAnswer` counts an answer. */
type ServicePart = "page" | "media" | "mcp" | "api" | "admin";

interface FrontRoute {
  /** `GET` includes HEAD; `*` is any method. */
  method: "GET" | "POST" | "OPTIONS" | "*";
  /** An exact path, or `/x/*` for `/x` and everything below it. */
  path: string;
  door: ServicePart;
  /** Answers a request; null: the next matching route is tried. */
  answer(request: HttpRequest): HttpAnswer | null | Promise<HttpAnswer | null>;
}

interface MatchedRoute extends FrontRoute {
  matches(method: string, pathname: string): boolean;
}

/** All HTTP routes, in matching order. */
function createRoutes(parts: HttpParts): FrontRoute[] {
  const page = { method: "GET", door: "page" } as const;
  const any = { method: "*", door: "page" } as const;
  const form = { method: "POST", door: "page" } as const;
  const whenHidden = (request: HttpRequest) => hiddenSiteAnswer(request, parts);
  return [
    { ...page, path: "/healthz", answer: () => plainTextAnswer(200, "alive") },
    { ...page, path: "/readyz", answer: () => readinessAnswer(parts) },
    { ...page, path: "/status.json", answer: () => publicStatusAnswer(parts) },
    { ...page, path: METRICS_PATH, answer: createMetricsDoor(parts) },
    {
      ...any,
      path: MCP_PATH,
      door: "mcp",
      answer: (request) => hiddenSiteRpcAnswer(parts) ?? mcpAnswer(request, parts),
    },
    { ...any, path: `${API_PATH}/*`, door: "api", answer: parts.api },
    { ...any, path: `${ADMIN_PATH}/*`, door: "admin", answer: parts.admin },
    // MCP clients request OAuth metadata and registration, and show the response to their users.
    // The response therefore explains how to get a key.
    { ...any, path: "/.well-known/oauth-authorization-server/*", answer: noOauth },
    { ...any, path: "/.well-known/oauth-protected-resource/*", answer: noOauth },
    { ...any, path: "/.well-known/openid-configuration/*", answer: noOauth },
    { ...any, path: "/register", answer: noOauth },
    {
      ...page,
      path: "/assets/share/*",
      door: "media",
      answer: (request) => whenHidden(request) ?? sharePictureAnswer(request, parts),
    },
    { ...page, path: "/assets/*", answer: assetHandler(parts) },
    { ...page, path: "/favicon.svg", answer: faviconHandler(parts) },
    { ...page, path: "/media/*", door: "media", answer: whenHidden },
    { ...page, path: "/media/*", door: "media", answer: (request) => mediaAnswer(request, parts) },
    { ...any, path: "/*", answer: whenHidden },
    { ...page, path: "/*", answer: (request) => siteAnswer(request, parts) },
    { ...form, path: "/*", answer: inEveryEdition(parts, CONTACT_PATH, contactFormHandler(parts)) },
    { ...form, path: "/*", answer: inEveryEdition(parts, KEY_CLAIM_PATH, claimHandler(parts)) },
    { ...form, path: "/*", answer: inEveryEdition(parts, PREVIEW_PATH, previewCodeHandler(parts)) },
    { ...any, path: "/*", answer: inEveryEdition(parts, CONTACT_PATH, formMethodReply) },
    { ...any, path: "/*", answer: inEveryEdition(parts, KEY_CLAIM_PATH, formMethodReply) },
    { ...any, path: "/*", answer: inEveryEdition(parts, PREVIEW_PATH, formMethodReply) },
    { ...any, method: "OPTIONS", path: "/*", answer: options },
    { ...any, path: "/*", answer: readOnly },
  ];
}

/** Routes a path of the service in every edition of the site: `/contact` and `/de/contact`. */
function inEveryEdition(
  { reading }: HttpParts,
  path: string,
  answer: (request: HttpRequest) => HttpAnswer | Promise<HttpAnswer>,
): FrontRoute["answer"] {
  return (request) => {
    const { pathname } = request.url;
    const isHere =
      pathname.endsWith(path) && editionAndUnprefixedPath(reading, pathname).path === path;
    return isHere ? answer(request) : null;
  };
}

/**
 * The entry point of every request. Checks the target, routes the request, and completes the headers of the
 * answer.
 */
export function createFront(parts: HttpParts): Handler {
  const routes = createRoutes(parts).map(withMatch);
  const security = securityHeaders(parts.origin);
  const requestLog = new RequestLog(parts.log);
  return async (request) => {
    const started = performance.now();
    const { door, answer } = await answerGuarded(request, routes, parts);
    const headers = { ...security, "X-Request-Id": request.id, ...answer.headers };
    parts.countAnswer(door, answer.status, performance.now() - started);
    requestLog.logAnswer(request, { status: answer.status, started });
    const body = request.method === "HEAD" ? await withoutBody(answer) : answer.body;
    return { status: answer.status, headers, body };
  };
}

async function answerGuarded(
  request: HttpRequest,
  routes: readonly MatchedRoute[],
  parts: HttpParts,
): Promise<{ door: ServicePart; answer: HttpAnswer }> {
  const method = request.method === "HEAD" ? "GET" : request.method;
  const { pathname } = request.url;
  const matching = routes.filter((route) => route.matches(method, pathname));
  // Counts the answer for the part of the service (`door`) that the first matching route belongs to, even
  // if a later route answers: a missing media file counts as `media`.
  const door = matching[0]?.door ?? "page";
  currentTracer()?.describeRequest({ "http.route": matching[0]?.path ?? "/*" });
  try {
    const fault = requestTargetFault(request.target);
    // The admin API checks the address itself and formats its own refusals.
    if (fault !== null && door !== "api")
      return { door, answer: negotiatedErrorAnswer(request, fault) };
    for (const route of matching) {
      const answer = await route.answer(request);
      if (answer === null) continue;
      parts.answers.cacheRequest(request, answer);
      return { door, answer };
    }
    throw new Error(`No route answers ${request.method}`);
  } catch (error) {
    return { door, answer: answerFromError(error, request, parts.log) };
  }
}

/** Precomputes how a route is matched, because every request is compared with every route. */
function withMatch(route: FrontRoute): MatchedRoute {
  const { method, path } = route;
  const isTree = path.endsWith("/*");
  const exact = isTree ? path.slice(0, -2) : path;
  const prefix = path.slice(0, -1);
  return {
    ...route,
    matches: (requestMethod, pathname) =>
      (method === "*" || method === requestMethod) &&
      (pathname === exact || (isTree && pathname.startsWith(prefix))),
  };
}

async function withoutBody({ body }: HttpAnswer): Promise<null> {
  if (body instanceof ReadableStream) await body.cancel();
  return null;
}

/** Refuses methods other than GET, HEAD and POST on pages with a form. */
function formMethodReply(request: HttpRequest): HttpAnswer {
  const Allow = "GET, HEAD, POST, OPTIONS";
  if (request.method === "OPTIONS") return { status: 204, headers: { Allow }, body: null };
  const detail = "This page has a form: use GET or HEAD to read it, POST to send it";
  return negotiatedErrorAnswer(request, { status: 405, detail }, { Allow });
}

function options(): HttpAnswer {
  return { status: 204, headers: OPTIONS_HEADERS, body: null };
}

function readOnly(request: HttpRequest): HttpAnswer {
  const detail = "Everything here is for reading: use GET or HEAD";
  return negotiatedErrorAnswer(request, { status: 405, detail }, { Allow: OPTIONS_HEADERS.Allow });
}

function noOauth(): HttpAnswer {
  const body = JSON.stringify({
    error: "invalid_request",
    error_description:
      'This service has no OAuth. Send your key as "Authorization: Bearer <KEY>"; administrators issue keys on request, see /contact',
  });
  const headers = {
    ...PUBLIC_HEADERS,
    "Content-Type": "application/json",
    "Cache-Control": "public, max-age=60",
  };
  return answerWithContentLength(404, headers, body);
}
