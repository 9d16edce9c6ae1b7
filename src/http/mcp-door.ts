import { bodyOf, readBody } from "./body-reading.ts";
import type { HttpContext, HttpParts, PlainRequest } from "./parts.ts";
import { addressOf } from "./request-reading.ts";

/** Hands a request to the MCP service and its reply back, whatever the method. */
export function openMcpDoor({ mcp, trustProxy }: Pick<HttpParts, "mcp" | "trustProxy">) {
  return async (c: HttpContext): Promise<Response> => {
    const { status, headers, body } = await mcp(plainRequest(c, trustProxy));
    const bytes = body === null || c.req.method === "HEAD" ? null : Buffer.from(body, "latin1");
    return new Response(bytes, { status, headers });
  };
}

function plainRequest(c: HttpContext, trustProxy: boolean): PlainRequest {
  const request = c.req.raw;
  return {
    method: request.method,
    header: (name) => request.headers.get(name) ?? undefined,
    address: addressOf(c, trustProxy),
    body: (bytesMax) => readBody(bodyOf(request, c.env?.incoming), bytesMax),
  };
}
