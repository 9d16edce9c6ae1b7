import { randomUUID } from "node:crypto";
import { clientDisconnectedError, type RequestBody } from "./body-reading.ts";
import { type HttpRequest, type HttpResponse, parseRequestTarget } from "./exchange.ts";

/** A request from this process, without a socket or time limit. */
export function createInProcessRequest(
  target: string,
  {
    method,
    headers,
    body,
  }: { method: string; headers: Headers; body: ReadableStream<Uint8Array> | null },
): HttpRequest {
  const url = parseRequestTarget(target);
  if (url === null) throw new Error(`${target} is not a path`);
  const length = headers.get("content-length");
  return {
    method,
    target,
    url,
    header: (name) => headers.get(name) ?? undefined,
    address: "",
    id: randomUUID(),
    body: body === null ? null : streamBody(body, length === null ? null : Number(length)),
    liftTimeLimit() {},
  };
}

/** Converts an answer to a web `Response`. */
export function webResponseFrom({ status, headers, body }: HttpResponse): Response {
  const init = { status, headers };
  return new Response(body instanceof Uint8Array ? new Uint8Array(body) : body, init);
}

function streamBody(body: ReadableStream<Uint8Array>, declaredBytes: number | null): RequestBody {
  return { declaredBytes, pieces: () => piecesUntilDisconnect(body), countBytes() {} };
}

async function* piecesUntilDisconnect(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (cause) {
    throw clientDisconnectedError(cause);
  }
}
