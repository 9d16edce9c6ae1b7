import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import { Webhook } from "standardwebhooks";
import type { Loose } from "./api-client.ts";
import { ended, listening } from "./listening.ts";
import { until } from "./until.ts";

export interface ReceivedMessage {
  headers: IncomingHttpHeaders;
  text: string;
  body: Loose;
}

/** A real HTTP server that records the messages it receives. */
export interface WebhookReceiver extends AsyncDisposable {
  url: string;
  received: ReceivedMessage[];
  /** Answers requests from now on; by default with 204. */
  answer: (response: ServerResponse, message: ReceivedMessage) => void;
  /** Waits for this many messages. */
  until(count: number): Promise<void>;
}

export async function openReceiver(): Promise<WebhookReceiver> {
  const received: ReceivedMessage[] = [];
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece);
    const text = Buffer.concat(pieces).toString();
    const message = { headers: request.headers, text, body: JSON.parse(text) };
    received.push(message);
    receiver.answer(response, message);
  });
  const port = await listening(server);
  const receiver: WebhookReceiver = {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    answer: answerStatus(204),
    until: async (count) => void (await until(() => received.length >= count)),
    [Symbol.asyncDispose]: () => ended(server),
  };
  return receiver;
}

export function answerStatus(status: number, headers: Record<string, string> = {}) {
  return (response: ServerResponse) => {
    response.writeHead(status, headers).end();
  };
}

/**
 * Whether a message was signed with this secret, according to the library that receivers use. Does not check
 * the time.
 */
export function isSignedBy(secret: string, { headers, text }: ReceivedMessage): boolean {
  const id = String(headers["webhook-id"]);
  const at = new Date(Number(headers["webhook-timestamp"]) * 1000);
  const expected = new Webhook(secret).sign(id, at, text);
  return String(headers["webhook-signature"]).split(" ").includes(expected);
}
