import { type ResponseCipher, responseCipherFor } from "../../access/idempotent-responses.ts";
import { parseBearerKey } from "../../access/keys/keys.ts";
import { currentClientName } from "../../search/current-client.ts";
import { matchesEtag } from "../encodable-response.ts";
import { type HttpRequest, type HttpResponse, responseWithContentLength } from "../exchange.ts";
import { HttpError } from "./api-problem.ts";
import type { ApiDependencies, ApiStores } from "./dependencies.ts";
import { entityTag, requireMatchingEntityTag } from "./entity-tag.ts";
import type { ApiCall, ApiResponse, JsonRoute } from "./route.ts";

interface JsonCall {
  route: JsonRoute;
  parts: ApiDependencies;
  /**
   * The call without `stores` and `parts`, which `handleJsonRequest` adds. The stores read committed
   * data for a GET; otherwise, they use the transaction of the request.
   */
  call: Omit<ApiCall, "stores" | "parts">;
}

/** An answer as stored for idempotent replay. */
interface StoredAnswer {
  status: number;
  headers: Record<string, string>;
  text: string | null;
}

/**
 * Answers a GET from committed data. Answers any other method in one transaction, with the stored answer if
 * there is one. Otherwise checks the precondition, makes the change and stores the answer.
 */
export async function handleJsonRequest(
  request: HttpRequest,
  { route, parts, call }: JsonCall,
): Promise<HttpResponse> {
  const prepared = route.prepare({ ...call, parts });
  if (route.method === "GET") {
    return readResponse(storedResponse(await prepared.answer(parts.stores)), request);
  }
  await prepared.preload(parts.stores);
  const cipher = responseCipherOf(request, { route, call });
  const change = async (within: ApiStores): Promise<StoredAnswer> => {
    const replayed = cipher === null ? null : await replay(within, cipher);
    if (replayed !== null) return replayed;
    if (route.needsIfMatch) {
      requireMatchingEntityTag(request.header("if-match"), await prepared.state(within));
    }
    const fresh = storedResponse(await prepared.answer(within));
    if (cipher !== null) {
      await within.idempotentResponses.store(cipher.encrypt(JSON.stringify(fresh), call.now));
    }
    return fresh;
  };
  return responseOf(
    await parts.changeLimit.run(currentClientName(), () => parts.atomically(change)),
  );
}

function responseCipherOf(
  request: HttpRequest,
  { route, call }: Pick<JsonCall, "route" | "call">,
): ResponseCipher | null {
  const idempotencyKey = request.header("idempotency-key");
  const { actor } = call;
  if (route.method !== "POST" || idempotencyKey === undefined || actor.kind !== "key") return null;
  const key = parseBearerKey(request.header("authorization"));
  const { pathname, search } = request.url;
  const content = JSON.stringify([request.method, pathname, search, call.body ?? null]);
  return responseCipherFor({ keyId: actor.keyId, key, idempotencyKey, content });
}

async function replay(
  { idempotentResponses }: ApiStores,
  cipher: ResponseCipher,
): Promise<StoredAnswer | null> {
  const stored = await idempotentResponses.find(cipher.name);
  if (stored === null) return null;
  const text = cipher.decrypt(stored);
  if (text === null) {
    const message =
      "This Idempotency-Key was used for another request; take a new one for a new request";
    throw new HttpError(422, message);
  }
  const answer: StoredAnswer = JSON.parse(text);
  return { ...answer, headers: { ...answer.headers, "Idempotency-Replayed": "true" } };
}

function storedResponse({ status = 200, body, state, headers = {} }: ApiResponse): StoredAnswer {
  return {
    status,
    headers: {
      ...headers,
      ...(state === undefined ? {} : { ETag: entityTag(state) }),
      ...(body === null ? {} : { "Content-Type": "application/json" }),
    },
    text: body === null ? null : JSON.stringify(body),
  };
}

/** Sends the answer, or only 304 if `If-None-Match` lists its ETag. */
function readResponse(answer: StoredAnswer, request: HttpRequest): HttpResponse {
  const tag = answer.headers["ETag"];
  if (tag === undefined) return responseOf(answer);
  const headers = { ...answer.headers, "Cache-Control": "private, no-cache" };
  if (matchesEtag(request.header("if-none-match"), tag)) {
    const unchanged = { ETag: tag, "Cache-Control": "private, no-cache" };
    return { status: 304, headers: unchanged, body: null };
  }
  return responseOf({ ...answer, headers });
}

function responseOf({ status, headers, text }: StoredAnswer): HttpResponse {
  return responseWithContentLength(status, headers, text);
}
