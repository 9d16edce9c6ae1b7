import { type ArrivingBody, readBody, webBody } from "../body-reading.ts";
import type { ApiDoor, Caller } from "./door.ts";
import type { ApiAnswer, ApiRequest } from "./exchange.ts";

/** The interface for a web `Request`; `body` is read instead of the request's own. */
export async function answerOverWeb(
  door: ApiDoor,
  request: Request,
  caller: Caller,
  body: ArrivingBody = webBody(request),
): Promise<Response> {
  return webResponse(await door(webRequest(request, body), caller));
}

export function webResponse({ status, headers, body }: ApiAnswer): Response {
  return new Response(body instanceof Uint8Array ? new Uint8Array(body) : body, {
    status,
    headers,
  });
}

function webRequest(request: Request, body: ArrivingBody): ApiRequest {
  const length = request.headers.get("content-length");
  return {
    method: request.method,
    url: new URL(request.url),
    header: (name) => request.headers.get(name),
    // Asking for the stream makes one, so it is asked for only where no length is stated.
    hasBody: length === null ? request.body !== null : length !== "0",
    bytes: (bytesMax) => readBody(body, bytesMax),
    pieces: body.pieces,
    mayTakeLong() {},
  };
}
