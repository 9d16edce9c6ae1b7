import { readBody } from "./body-reading.ts";
import type { HttpDependencies } from "./dependencies.ts";
import type { HttpRequest, HttpResponse } from "./exchange.ts";

/** Passes a request of any method to the MCP service. */
export async function mcpResponse(
  { method, header, address, body: requestBody }: HttpRequest,
  { mcp }: Pick<HttpDependencies, "mcp">,
): Promise<HttpResponse> {
  const body = (bytesMax: number) => readBody(requestBody, bytesMax);
  const response = await mcp({ method, header, address, body });
  if (response.body === null) return { ...response, body: null };
  const bytes = Buffer.from(response.body, "latin1");
  return {
    ...response,
    headers: { ...response.headers, "Content-Length": String(bytes.length) },
    body: bytes,
  };
}
