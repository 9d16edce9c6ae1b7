import type { KeyActor } from "../../access/actor.ts";
import { bearerChallenge, howToGetKey } from "../../access/challenge.ts";
import { takeTurn } from "../../access/rate-turn.ts";
import { AppError } from "../../errors.ts";
import { answerRequest } from "./answer.ts";
import type { ApiAnswer, ApiRequest } from "./exchange.ts";
import type { ApiParts } from "./parts.ts";
import { apiProblem, CLOSED_HEADERS, problemOf, problemReply, Refusal } from "./refusal.ts";
import type { Route } from "./route.ts";
import { API_PATH, REQUESTS_PER_MINUTE_FACTOR, RouteTable } from "./route-table.ts";
import { ROUTES } from "./routes.ts";

/** Who sends a request, as far as the connection tells. */
export interface Caller {
  /** IP address; empty when there is no connection. */
  address: string;
  requestId: string;
}

export type ApiDoor = (request: ApiRequest, caller: Caller) => Promise<ApiAnswer>;

/**
 * The administrative interface for keys. A request passes, in the order that tells strangers least:
 * key, rate, route, scope, and then what `answerRequest` asks for.
 */
export function openApiDoor(parts: ApiParts, routes: readonly Route[] = ROUTES): ApiDoor {
  const table = new RouteTable(routes);
  return async (request, caller) => {
    const headers: Record<string, string> = {};
    const reply = await answerOrTell(caller.requestId, parts, async () => {
      const actor = await requireKey(request, caller, parts);
      await countRequest(actor, parts, headers);
      return await answerRequest(request, { parts, table, actor, requestId: caller.requestId });
    });
    const answer = { ...reply, headers: { ...CLOSED_HEADERS, ...headers, ...reply.headers } };
    return request.method === "HEAD" ? await withoutBody(answer) : answer;
  };
}

/**
 * The same interface for whoever may run commands on the machine: no key, no rate.
 */
export function openOperatorDoor(parts: ApiParts, routes: readonly Route[] = ROUTES): ApiDoor {
  const table = new RouteTable(routes);
  return async (request, { requestId }) =>
    await answerOrTell(requestId, parts, async () => {
      return await answerRequest(request, {
        parts,
        table,
        actor: { kind: "operator" },
        requestId,
      });
    });
}

async function answerOrTell(
  requestId: string,
  { log }: ApiParts,
  answer: () => Promise<ApiAnswer>,
): Promise<ApiAnswer> {
  try {
    return await answer();
  } catch (error) {
    const told = problemOf(error, requestId);
    if (told !== null) return problemReply(told.problem, told.headers);
    log.error({ err: error, requestId }, "A request failed");
    return problemReply(apiProblem({ status: 500, detail: "Internal error", requestId }));
  }
}

async function requireKey(
  request: ApiRequest,
  { address }: Caller,
  { authenticate, origin }: ApiParts,
): Promise<KeyActor> {
  const authorization = request.header("authorization") ?? "";
  const isMissing = authorization.trim() === "";
  try {
    const actor = await authenticate(isMissing ? undefined : authorization, address);
    if (actor.kind === "key") return actor;
    throw new AppError("unauthenticated", "This needs a key");
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "unauthenticated") throw error;
    const detail = isMissing ? {} : { error: "invalid_token", error_description: error.message };
    const fault = isMissing ? "No key was sent" : error.message;
    throw new Refusal(401, `${fault}. ${howToGetKey(origin)}`, {
      "WWW-Authenticate": bearerChallenge(`${origin}${API_PATH}`, detail),
    });
  }
}

/** Exact, and apart from what the key asks of the MCP service. */
async function countRequest(
  { keyId, ratePerMinute }: KeyActor,
  { rateLimits, now }: ApiParts,
  headers: Record<string, string>,
): Promise<void> {
  const limitPerMinute = ratePerMinute * REQUESTS_PER_MINUTE_FACTOR;
  const turn = await takeTurn(rateLimits, `api:${keyId}`, { limitPerMinute, now: now() });
  Object.assign(headers, turn.headers);
  if (turn.refusal !== null) throw new Refusal(429, turn.refusal);
}

async function withoutBody(answer: ApiAnswer): Promise<ApiAnswer> {
  if (answer.body instanceof ReadableStream) await answer.body.cancel();
  return { ...answer, body: null };
}
