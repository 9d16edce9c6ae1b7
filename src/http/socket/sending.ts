import type { ServerResponse } from "node:http";
import type { HttpResponse } from "../exchange.ts";
import type { UnreadResponses } from "./unread-responses.ts";
import type { WriteBatch } from "./write-batch.ts";

export interface SendingContext {
  unread: UnreadResponses;
  writes: WriteBatch;
}

/** Writes an answer to the socket; streams respect backpressure. */
export async function sendResponse(
  { status, headers, body }: HttpResponse,
  response: ServerResponse,
  sending: SendingContext,
): Promise<void> {
  const headerList: string[] = [];
  for (const name in headers) headerList.push(name, headers[name] ?? "");
  if (body === null && needsLength(status, headers, response))
    headerList.push("Content-Length", "0");
  response.writeHead(status, headerList);
  if (body instanceof ReadableStream) await sendPieces(body, response, sending.unread);
  else endResponseWith(body, response, sending);
}

/** Writes the body of an answer whose headers are set. */
export function endResponseWith(
  body: string | Uint8Array | null,
  response: ServerResponse,
  { unread, writes }: SendingContext,
): void {
  writes.run(() => {
    response.end(body);
    unread.watch(response, body);
  });
}

/** Whether the answer needs a Content-Length header, without which node:http would use chunked encoding. */
function needsLength(
  status: number,
  headers: HttpResponse["headers"],
  { req }: ServerResponse,
): boolean {
  if (status === 204 || status === 304 || req.method === "HEAD") return false;
  return headers["Content-Length"] === undefined;
}

async function sendPieces(
  body: ReadableStream<Uint8Array>,
  response: ServerResponse,
  unread: UnreadResponses,
): Promise<void> {
  const reader = body.getReader();
  response.flushHeaders();
  response.on("close", () => reader.cancel().catch(() => {}));
  if (response.destroyed) await reader.cancel();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    if (response.write(value)) continue;
    unread.watch(response, body);
    await untilDrained(response);
  }
  response.end();
  unread.watch(response, body);
}

async function untilDrained(response: ServerResponse): Promise<void> {
  await new Promise<void>((resolve) => {
    const finish = () => {
      response.off("drain", finish).off("close", finish);
      resolve();
    };
    response.on("drain", finish).on("close", finish);
    if (response.destroyed) finish();
  });
}
