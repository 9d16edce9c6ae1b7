import { PREVIEW_PATH } from "../content/pages/built-in/preview-page.ts";
import { CONTACT_PATH, KEY_CLAIM_PATH } from "../content/pages/contact-forms.ts";
import { splitEditionPrefix } from "../content/site/editions.ts";
import { MCP_PATH } from "../content/site/service-identity.ts";
import { currentTracer } from "../tracing.ts";
import { ADMIN_PATH } from "./admin/admin-path.ts";
import { API_PATH } from "./api/route-table.ts";
import type { HttpDependencies } from "./dependencies.ts";
import {
  type Handler,
  type HttpRequest,
  type HttpResponse,
  responseWithContentLength,
} from "./exchange.ts";
import { findRequestTargetError, responseFromError, securityHeaders } from "./guards.ts";
import { mcpResponse } from "./mcp-door.ts";
import { createMetricsDoor, METRICS_PATH } from "./metrics.ts";
import { negotiatedErrorResponse } from "./problem.ts";
import { OPTIONS_HEADERS, PUBLIC_HEADERS } from "./public-headers.ts";
import { plainTextResponse, publicStatusResponse, readinessResponse } from "./readiness.ts";
import { RequestLog } from "./request-log.ts";
import { createAssetHandler, createFaviconHandler } from "./site/assets.ts";
import { createClaimCodeHandler } from "./site/claim.ts";
import { createContactFormHandler } from "./site/contact.ts";
import { hiddenSiteResponse, hiddenSiteRpcResponse } from "./site/hidden.ts";
import { mediaResponse } from "./site/media.ts";
import { createPreviewCodeHandler } from "./site/preview.ts";
import { sharePictureResponse } from "./site/share.ts";
import { siteResponse } from "./site/site.ts";

/** The name under which `countResponse` counts an answer. */
type ServicePart = "page" | "media" | "mcp" | "api" | "admin";

interface FrontRoute {
  /** `GET` includes HEAD; `*` is any method. */
  method: "GET" | "POST" | "OPTIONS" | "*";
  /** An exact path, or `/x/*` for `/x` and everything below it. */
  path: string;
  door: ServicePart;
  /** Answers a request; null: the next matching route is tried. */
  answer(request: HttpRequest): HttpResponse | null | Promise<HttpResponse | null>;
}

interface MatchedRoute extends FrontRoute {
  matches(method: string, pathname: string): boolean;
}

/** All HTTP routes, in matching order. */
function createRoutes(parts: HttpDependencies): FrontRoute[] {
  const page = { method: "GET", door: "page" } as const;
  const any = { method: "*", door: "page" } as const;
  const form = { method: "POST", door: "page" } as const;
  const whenHidden = (request: HttpRequest) => hiddenSiteResponse(request, parts);
  return [
    { ...page, path: "/healthz", answer: () => plainTextResponse(200, "alive") },
    { ...page, path: "/readyz", answer: () => readinessResponse(parts) },
    { ...page, path: "/status.json", answer: () => publicStatusResponse(parts) },
    { ...page, path: METRICS_PATH, answer: createMetricsDoor(parts) },
    {
      ...any,
      path: MCP_PATH,
      door: "mcp",
      answer: (request) => hiddenSiteRpcResponse(parts) ?? mcpResponse(request, parts),
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
      answer: (request) => whenHidden(request) ?? sharePictureResponse(request, parts),
    },
    { ...page, path: "/assets/*", answer: createAssetHandler(parts) },
    { ...page, path: "/favicon.svg", answer: createFaviconHandler(parts) },
    { ...page, path: "/media/*", door: "media", answer: whenHidden },
    {
      ...page,
      path: "/media/*",
      door: "media",
      answer: (request) => mediaResponse(request, parts),
    },
    { ...any, path: "/*", answer: whenHidden },
    { ...page, path: "/*", answer: (request) => siteResponse(request, parts) },
    {
      ...form,
      path: "/*",
      answer: inEveryEdition(parts, CONTACT_PATH, createContactFormHandler(parts)),
    },
    {
      ...form,
      path: "/*",
      answer: inEveryEdition(parts, KEY_CLAIM_PATH, createClaimCodeHandler(parts)),
    },
    {
      ...form,
      path: "/*",
      answer: inEveryEdition(parts, PREVIEW_PATH, createPreviewCodeHandler(parts)),
    },
    { ...any, path: "/*", answer: inEveryEdition(parts, CONTACT_PATH, formMethodResponse) },
    { ...any, path: "/*", answer: inEveryEdition(parts, KEY_CLAIM_PATH, formMethodResponse) },
    { ...any, path: "/*", answer: inEveryEdition(parts, PREVIEW_PATH, formMethodResponse) },
    { ...any, method: "OPTIONS", path: "/*", answer: options },
    { ...any, path: "/*", answer: readOnly },
  ];
}

/** Routes a path of the service in every edition of the site: `/contact` and `/de/contact`. */
function inEveryEdition(
  { reading }: HttpDependencies,
  path: string,
  answer: (request: HttpRequest) => HttpResponse | Promise<HttpResponse>,
): FrontRoute["answer"] {
  return (request) => {
    const { pathname } = request.url;
    const isHere = pathname.endsWith(path) && splitEditionPrefix(reading, pathname).path === path;
    return isHere ? answer(request) : null;
  };
}

/**
 * The entry point of every request. Checks the target, routes the request, and completes the headers of the
 * answer.
 */
export function createHttpHandler(parts: HttpDependencies): Handler {
  const routes = createRoutes(parts).map(withMatch);
  const security = securityHeaders(parts.origin);
  const requestLog = new RequestLog(parts.log);
  return async (request) => {
    const started = performance.now();
    const { door, answer } = await answerGuarded(request, routes, parts);
    const headers = { ...security, "X-Request-Id": request.id, ...answer.headers };
    parts.countResponse(door, answer.status, performance.now() - started);
    requestLog.logResponse(request, { status: answer.status, started });
    const body = request.method === "HEAD" ? await withoutBody(answer) : answer.body;
    return { status: answer.status, headers, body };
  };
}

async function answerGuarded(
  request: HttpRequest,
  routes: readonly MatchedRoute[],
  parts: HttpDependencies,
): Promise<{ door: ServicePart; answer: HttpResponse }> {
  const method = request.method === "HEAD" ? "GET" : request.method;
  const { pathname } = request.url;
  const matching = routes.filter((route) => route.matches(method, pathname));
  // Counts the answer for the part of the service (`door`) that the first matching route belongs to, even
  // if a later route answers: a missing media file counts as `media`.
  const door = matching[0]?.door ?? "page";
  currentTracer()?.describeRequest({ "http.route": matching[0]?.path ?? "/*" });
  try {
    const fault = findRequestTargetError(request.target);
    // The admin API checks the address itself and formats its own refusals.
    if (fault !== null && door !== "api")
      return { door, answer: negotiatedErrorResponse(request, fault) };
    for (const route of matching) {
      const answer = await route.answer(request);
      if (answer === null) continue;
      parts.answers.cacheRequest(request, answer);
      return { door, answer };
    }
    throw new Error(`No route answers ${request.method}`);
  } catch (error) {
    return { door, answer: responseFromError(error, request, parts.log) };
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

async function withoutBody({ body }: HttpResponse): Promise<null> {
  if (body instanceof ReadableStream) await body.cancel();
  return null;
}

/** Refuses methods other than GET, HEAD and POST on pages with a form. */
function formMethodResponse(request: HttpRequest): HttpResponse {
  const Allow = "GET, HEAD, POST, OPTIONS";
  if (request.method === "OPTIONS") return { status: 204, headers: { Allow }, body: null };
  const detail = "This page has a form: use GET or HEAD to read it, POST to send it";
  return negotiatedErrorResponse(request, { status: 405, detail }, { Allow });
}

function options(): HttpResponse {
  return { status: 204, headers: OPTIONS_HEADERS, body: null };
}

function readOnly(request: HttpRequest): HttpResponse {
  const detail = "Everything here is for reading: use GET or HEAD";
  return negotiatedErrorResponse(
    request,
    { status: 405, detail },
    { Allow: OPTIONS_HEADERS.Allow },
  );
}

function noOauth(): HttpResponse {
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
  return responseWithContentLength(404, headers, body);
}
