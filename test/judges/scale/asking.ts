import { type Agent, request } from "node:http";

/** A request without an answer for this long counts as lost. */
const PATIENCE_MS = 20_000;

export interface Asked {
  method?: "GET" | "POST" | "PATCH" | "DELETE";
  path: string;
  headers?: Readonly<Record<string, string>>;
  body?: object | string;
  agent?: Agent;
}

export interface Answer {
  status: number;
  /** Null: the header is missing. */
  retryAfter: string | null;
  etag: string;
  /** The instances that nginx tried, ending with the one that answered; empty without nginx. */
  upstream: string;
  text: string;
}

/**
 * Sends a request and reads its whole answer. @throws if the connection fails or no answer arrives in time.
 */
export function ask(
  origin: string,
  { method = "GET", path, headers = {}, body, agent }: Asked,
): Promise<Answer> {
  const text = typeof body === "object" ? JSON.stringify(body) : body;
  const length = text === undefined ? {} : { "content-length": String(Buffer.byteLength(text)) };
  const options = { method, headers: { ...headers, ...length }, timeout: PATIENCE_MS };
  return new Promise((resolve, reject) => {
    const sent = request(`${origin}${path}`, { ...options, ...(agent ? { agent } : {}) });
    sent.once("error", reject);
    sent.once("timeout", () =>
      sent.destroy(new Error(`no answer to ${method} ${origin}${path} within ${PATIENCE_MS} ms`)),
    );
    sent.once("response", (answer) => {
      let text = "";
      answer.setEncoding("utf8").on("data", (piece: string) => {
        text += piece;
      });
      answer.once("error", reject);
      answer.once("end", () =>
        resolve({
          status: answer.statusCode ?? 0,
          retryAfter: answer.headers["retry-after"] ?? null,
          etag: answer.headers.etag ?? "",
          upstream: String(answer.headers["x-upstream"] ?? ""),
          text,
        }),
      );
    });
    sent.end(text);
  });
}

/** A call of a tool in the older form of the protocol. */
export function toolCall(key: string, name: string, args: object): Asked {
  return {
    method: "POST",
    path: "/mcp",
    headers: {
      authorization: `Bearer ${key}`,
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
      "mcp-protocol-version": "2025-11-25",
    },
    body: { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } },
  };
}

/** A request to the admin API. */
export function edit(
  key: string,
  method: "GET" | "POST" | "PATCH" | "DELETE",
  path: string,
  body?: object,
): Asked {
  const type = method === "PATCH" ? "application/merge-patch+json" : "application/json";
  const headers = { authorization: `Bearer ${key}`, "if-match": "*" };
  const asked = { method, path: `/api/v1${path}` };
  return body === undefined
    ? { ...asked, headers }
    : { ...asked, headers: { ...headers, "content-type": type }, body };
}

/** The value below which this percentage of the values are. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.ceil((sorted.length * percent) / 100) - 1)] ?? 0;
}
