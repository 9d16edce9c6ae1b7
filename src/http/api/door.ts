import type { KeyActor } from "../../access/actor.ts";
import { formatBearerChallenge, keyRequestInstructions } from "../../access/keys/challenge.ts";
import { applyRateLimit } from "../../access/limit-rate.ts";
import { AppError, englishOnlyWording } from "../../errors.ts";
import type { HttpRequest, HttpResponse } from "../exchange.ts";
import { findRequestTargetError } from "../guards.ts";
import { answerRequest } from "./answer.ts";
import {
  apiProblem,
  apiProblemResponse,
  HttpError,
  invalidAddressResponse,
  PRIVATE_HEADERS,
  problemFromError,
} from "./api-problem.ts";
import type { ApiDependencies } from "./dependencies.ts";
import type { Route } from "./route.ts";
import { API_PATH, API_RATE_LIMIT_FACTOR, RouteTable } from "./route-table.ts";
import { ROUTES } from "./routes.ts";

type ApiHandler = (request: HttpRequest) => Promise<HttpResponse>;

/**
 * The admin API for clients with a key. The key is checked first, then the rate limit, then
 * everything in `answerRequest`, so that clients without a key learn little.
 */
export function createApiDoor(
  parts: ApiDependencies,
  routes: readonly Route[] = ROUTES,
): ApiHandler {
  const table = new RouteTable(routes);
  return async (request) => {
    const fault = findRequestTargetError(request.target);
    if (fault !== null) return invalidAddressResponse({ ...fault, requestId: request.id });
    const headers: Record<string, string> = {};
    const answer = await answerOrProblem(request, parts, async () => {
      const actor = await requireKey(request, parts);
      await countRequest(actor, parts, headers);
      return await answerRequest(request, { parts, table, actor });
    });
    return { ...answer, headers: { ...PRIVATE_HEADERS, ...headers, ...answer.headers } };
  };
}

/** The admin API for operators on the machine: no key, no rate limit. */
export function createOperatorDoor(parts: ApiDependencies): ApiHandler {
  const table = new RouteTable(ROUTES);
  return async (request) =>
    await answerOrProblem(request, parts, () =>
      answerRequest(request, { parts, table, actor: { kind: "operator" } }),
    );
}

async function answerOrProblem(
  { id: requestId }: HttpRequest,
  { log }: ApiDependencies,
  answer: () => Promise<HttpResponse>,
): Promise<HttpResponse> {
  try {
    return await answer();
  } catch (error) {
    const fault = problemFromError(error, requestId);
    if (fault !== null) return apiProblemResponse(fault.problem, fault.headers);
    log.error({ err: error, requestId }, "A request failed");
    return apiProblemResponse(apiProblem({ status: 500, detail: "Internal error", requestId }));
  }
}

async function requireKey(
  request: HttpRequest,
  { authenticate, origin }: ApiDependencies,
): Promise<KeyActor> {
  const authorization = request.header("authorization") ?? "";
  const isMissing = authorization.trim() === "";
  try {
    const actor = await authenticate(isMissing ? undefined : authorization, request.address);
    if (actor.kind === "key") return actor;
    throw new AppError("unauthenticated", englishOnlyWording("This needs a key"));
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "unauthenticated") throw error;
    const detail = isMissing ? {} : { error: "invalid_token", error_description: error.message };
    const fault = isMissing ? "No key was sent" : error.message;
    throw new HttpError(401, `${fault}. ${keyRequestInstructions(origin)}`, {
      "WWW-Authenticate": formatBearerChallenge(`${origin}${API_PATH}`, detail),
    });
  }
}

/** Applies the API's rate limit, which is separate from that of the MCP service. */
async function countRequest(
  { keyId, ratePerMinute }: KeyActor,
  { rateLimits, now }: ApiDependencies,
  headers: Record<string, string>,
): Promise<void> {
  const limitPerMinute = ratePerMinute * API_RATE_LIMIT_FACTOR;
  const rate = await applyRateLimit(rateLimits, `api:${keyId}`, { limitPerMinute, now: now() });
  Object.assign(headers, rate.headers);
  if (rate.refusal !== null) throw new HttpError(429, rate.refusal);
}
