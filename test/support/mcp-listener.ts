import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { AppError } from "../../src/errors.ts";
import type { McpReply, McpRequest } from "../../src/mcp/protocol/reply.ts";

export interface Listening extends AsyncDisposable {
  url: URL;
}

/** The MCP service alone on a socket of this machine; port 0 takes a free one. */
export async function listenForMcp(
  handle: (request: McpRequest) => Promise<McpReply>,
  port = 0,
): Promise<Listening> {
  const server = createServer(async (incoming, outgoing) => {
    const { status, headers, body } = await handle(requestOf(incoming));
    outgoing.writeHead(status, headers).end(body);
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const address = server.address();
  return {
    url: new URL(`http://127.0.0.1:${isAddressInfo(address) ? address.port : port}/mcp`),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function isAddressInfo(address: string | AddressInfo | null): address is AddressInfo {
  return typeof address === "object" && address !== null;
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
        if (length > bytesMax) throw new AppError("too_large", "The body is too long");
        chunks.push(chunk);
      }
      return Buffer.concat(chunks);
    },
  };
}
