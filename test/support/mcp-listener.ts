import { createServer, type IncomingMessage } from "node:http";
import { AppError, englishOnlyWording } from "../../src/errors.ts";
import type { McpRequest, McpResponse } from "../../src/mcp/protocol/response.ts";
import { ended, listening } from "./listening.ts";

export interface Listening extends AsyncDisposable {
  url: URL;
}

/** Serves only the MCP service on a socket of this machine; port 0 selects a free port. */
export async function listenForMcp(
  handle: (request: McpRequest) => Promise<McpResponse>,
  port = 0,
): Promise<Listening> {
  const server = createServer(async (incoming, outgoing) => {
    const { status, headers, body } = await handle(requestOf(incoming));
    outgoing.writeHead(status, headers).end(body, "latin1");
  });
  const url = new URL(`http://127.0.0.1:${await listening(server, port)}/mcp`);
  return { url, [Symbol.asyncDispose]: () => ended(server) };
}

function requestOf(incoming: IncomingMessage): McpRequest {
  return {
    method: incoming.method ?? "",
    address: incoming.socket.remoteAddress ?? "",
    header: (name) => incoming.headersDistinct[name]?.join(", "),
    async body(bytesMax) {
      const chunks: Buffer[] = [];
      let length = 0;
      for await (const chunk of incoming) {
        length += chunk.length;
        if (length > bytesMax)
          throw new AppError("too_large", englishOnlyWording("The body is too long"));
        chunks.push(chunk);
      }
      return Buffer.concat(chunks);
    },
  };
}
