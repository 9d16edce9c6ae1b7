import type { HttpAnswer, HttpRequest } from "../exchange.ts";
import type { HttpParts } from "../parts.ts";
import { errorAnswer } from "../problem.ts";
import { pageAt, readAddress } from "./address.ts";
import { agentViewAnswer, documentAnswer } from "./documents.ts";
import { movedAnswer, pageAnswer } from "./pages.ts";

/** Answers with a discovery document or a page, redirecting to its canonical address. */
export async function siteAnswer(request: HttpRequest, parts: HttpParts): Promise<HttpAnswer> {
  const { pathname, searchParams: query } = request.url;
  const address = readAddress(pathname);
  if (address.kind === "malformed") {
    return errorAnswer(request, { status: 400, detail: "The address is not well-formed" });
  }
  if (address.kind === "elsewhere") return movedAnswer(address.path, query);
  const { path } = address;
  if (path === "/" && query.get("mode") === "agent") return await agentViewAnswer(request, parts);
  const document = await documentAnswer(request, path, parts);
  return document ?? (await pageAnswer(request, { ...pageAt(path), query }, parts));
}
