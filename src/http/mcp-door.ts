import { readBody } from "./body-reading.ts";
import type { HttpAnswer, HttpRequest } from "./exchange.ts";
import type { HttpParts } from "./parts.ts";

/** Passes a request of any method to the MCP service. */
export async function mcpAnswer(
  { method, header, address, body: requestBody }: HttpRequest,
  { mcp }: Pick<HttpParts, "mcp">,
): Promise<HttpAnswer> {
  const body = (bytesMax: number) => readBody(requestBody, bytesMax);
  const reply = await mcp({ method, header, address, body });
  if (reply.body === null) return { ...reply, body: null };
  const bytes = Buffer.from(reply.body, "latin1");
  return {
    ...reply,
    headers: { ...reply.headers, "Content-Length": String(bytes.length) },
    body: bytes,
  };
}
