import { createServer, request } from "node:http";

export interface KeyProxy extends AsyncDisposable {
  url: string;
}

/** Passes everything on with a key added, for tools that cannot send one. */
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
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
