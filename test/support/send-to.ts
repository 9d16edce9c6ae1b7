import type { Handler } from "../../src/http/exchange.ts";
import { createInProcessRequest, webResponseFrom } from "../../src/http/in-process.ts";

/** Calls the handler that the socket calls. */
export async function sendTo(
  handle: Handler,
  target: string | URL,
  init: RequestInit = {},
): Promise<Response> {
  const { method, headers, body } = new Request("http://localhost/", {
    ...init,
    ...(init.body === undefined || init.body === null ? {} : { duplex: "half" }),
  });
  const path = String(target).replace(/^https?:\/\/[^/]+/, "");
  const address = headers.get("x-forwarded-for")?.split(",").at(-1)?.trim() ?? "";
  const request = createInProcessRequest(path, { method, headers, body });
  return webResponseFrom(await handle({ ...request, address }));
}
