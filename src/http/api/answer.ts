import { type Actor, requireScope } from "../../access/actor.ts";
import { formatBearerChallenge } from "../../access/keys/challenge.ts";
import { AppError, englishOnlyWording } from "../../errors.ts";
import { currentTracer } from "../../tracing.ts";
import type { HttpRequest, HttpResponse, RequestUrl } from "../exchange.ts";
import { handleJsonRequest } from "./answer-json.ts";
import { HttpError } from "./api-problem.ts";
import type { ApiDependencies } from "./dependencies.ts";
import { readJson, requireMediaType, requireStorableText } from "./request-body.ts";
import type { Route } from "./route.ts";
import { API_PATH, type RouteTable } from "./route-table.ts";

const SEGMENT_CHARACTERS_MAX = 2000;

/**
 * The caller of an authenticated request, and what is needed to answer it: the route table and the
 * dependencies of the API.
 */
export interface RequestContext {
  parts: ApiDependencies;
  table: RouteTable;
  actor: Actor;
}

/**
 * Routes and answers a request. Checks in order: 404, 405, scope (403), format (415, 413, 400),
 * precondition (428, 412).
 *
 * @throws {AppError} or {HttpError} instead of answering with an error.
 */
export async function answerRequest(
  request: HttpRequest,
  context: RequestContext,
): Promise<HttpResponse> {
  const { actor, table, parts } = context;
  requireAnyScope(actor, parts.origin);
  const { url } = request;
  const { route, parameters } = findRoute(request.method, url, table);
  currentTracer()?.describeRequest({ "http.route": `${API_PATH}${route.path}` });
  if (route.scope !== null) requireRouteScope(actor, route.scope, parts.origin);
  if (actor.kind === "key") parts.countUse(actor.keyId, `api ${route.method} ${route.path}`);
  const pathParameter = (name: string) => {
    const value = parameters.get(name);
    if (value === undefined) throw new Error(`${route.path} has no parameter named ${name}`);
    return value;
  };
  const common = { actor, pathParameter, now: parts.now(), requestId: request.id };
  const query = readQuery(url.searchParams);
  // Requests must have a media type, which keeps out forms sent by browsers. Operators use a shell, so they
  // are allowed to omit the media type.
  const mayOmitType = actor.kind === "operator" && request.header("content-type") === undefined;
  if (route.kind === "stream") {
    if (route.accepts.length > 0 && !mayOmitType) requireMediaType(request, route.accepts);
    return await route.answer({ ...common, query, stores: parts.stores, request, parts });
  }
  const body = route.method === "GET" ? undefined : await readJson(request, { mayOmitType });
  const call = { ...common, query, body };
  return await handleJsonRequest(request, { route, parts, call });
}

function findRoute(
  method: string,
  { pathname }: RequestUrl,
  table: RouteTable,
): { route: Route; parameters: ReadonlyMap<string, string> } {
  const match = table.matchLiteral(method, pathname) ?? table.match(method, segmentsOf(pathname));
  switch (match.kind) {
    case "found":
      return { route: match.route, parameters: match.parameters };
    case "other_methods": {
      const allowed = match.allowed.join(", ");
      const message = `${method} is not served here: use ${match.allowed.join(" or ")}`;
      throw new HttpError(405, message, { Allow: allowed });
    }
    case "none":
      throw new AppError(
        "not_found",
        englishOnlyWording(
          `There is no such address in this API; GET ${API_PATH}/ lists what your key can use`,
        ),
      );
  }
}

/** Decoded path segments below `/api/v1`; empty for the root. */
function segmentsOf(pathname: string): string[] {
  const segments = pathname.split("/").slice(3);
  if (segments.length === 1 && segments[0] === "") return [];
  return segments.map((segment) => {
    const part = decodedSegment(segment);
    if (part.length > SEGMENT_CHARACTERS_MAX) {
      throw new AppError(
        "invalid",
        englishOnlyWording(
          `A part of the address is longer than ${SEGMENT_CHARACTERS_MAX} characters`,
        ),
      );
    }
    requireStorableText(part, "the address");
    return part;
  });
}

function decodedSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new AppError(
      "invalid",
      englishOnlyWording(
        "The address is not well-formed: every % in it must be part of UTF-8 as %XX",
      ),
    );
  }
}

/** Parameters keyed by name. A repeated parameter becomes a list. */
function readQuery(parameters: URLSearchParams): Record<string, string | string[]> {
  if (parameters.size === 0) return {};
  const names = [...new Set(parameters.keys())];
  return Object.fromEntries(
    names.map((name) => {
      const values = parameters.getAll(name);
      for (const value of values) requireStorableText(value, name);
      return [name, values.length === 1 ? (values[0] ?? "") : values];
    }),
  );
}

/** Refuses keys whose only scope is `mcp:read`. Such keys are for the MCP service. */
function requireAnyScope(actor: Actor, origin: string): void {
  if (actor.kind !== "key" || actor.scopes.some((scope) => scope !== "mcp:read")) return;
  throw lacksScope("This key opens the MCP service and nothing else", origin, {});
}

function requireRouteScope(actor: Actor, scope: NonNullable<Route["scope"]>, origin: string): void {
  try {
    requireScope(actor, scope);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "forbidden") throw error;
    throw lacksScope(error.message, origin, { scope });
  }
}

function lacksScope(
  message: string,
  origin: string,
  detail: Readonly<Record<string, string>>,
): HttpError {
  const challenge = formatBearerChallenge(`${origin}${API_PATH}`, {
    error: "insufficient_scope",
    ...detail,
  });
  return new HttpError(403, message, { "WWW-Authenticate": challenge });
}
