import { createServer, request } from "node:http";
import { ended, listening } from "../../support/listening.ts";

export interface KeyProxy extends AsyncDisposable {
  url: string;
}

/** Forwards everything with a key, for tools that cannot send one. */
export async function openKeyProxy(target: URL, key: string, port: number): Promise<KeyProxy> {
  const server = createServer((incoming, outgoing) => {
    const { method, headers } = incoming;
    const onward = request(
      target,
      { method, headers: { ...headers, authorization: `Bearer ${key}` } },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      },
    );
    onward.on("error", () => outgoing.writeHead(502).end());
    incoming.pipe(onward);
  });
  const url = `http://127.0.0.1:${await listening(server, port)}/mcp`;
  return { url, [Symbol.asyncDispose]: () => ended(server) };
}
