import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { bodyFromSocket, type RequestBody } from "../body-reading.ts";
import { type HttpRequest, parseRequestTarget } from "../exchange.ts";
import { clientIpAddress } from "./client-name.ts";
import { liftTimeLimit } from "./long-requests.ts";

/** Converts Node's request; null: the target is malformed. */
export function requestFromSocket(
  request: IncomingMessage,
  { trustProxy, countBytes }: { trustProxy: boolean; countBytes: RequestBody["countBytes"] },
): HttpRequest | null {
  const { method = "GET", url: target = "" } = request;
  const url = parseRequestTarget(method === "OPTIONS" && target === "*" ? "/" : target);
  if (url === null) return null;
  const header = (name: string) => readHeader(request, name);
  return {
    method,
    target,
    url,
    header,
    address: clientIpAddress(request, trustProxy),
    id: randomUUID(),
    body: hasBody(request) ? bodyFromSocket(request, countBytes) : null,
    liftTimeLimit: () => liftTimeLimit(request),
  };
}

function readHeader({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(", ") : value;
}

function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers["content-length"];
  return length === undefined ? headers["transfer-encoding"] !== undefined : length !== "0";
}
