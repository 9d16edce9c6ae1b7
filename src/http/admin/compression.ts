import { chooseEncoding, compress } from "../encoding.ts";
import type { HttpRequest, HttpResponse } from "../exchange.ts";

/**
 * Compresses a page unless another site caused the request (BREACH). A page contains secrets, such
 * as the form token, and repeats search texts. Another site could make the browser send many
 * requests, and infer the secrets from the compressed lengths. Browsers mark such requests as
 * cross-site, even after a redirect.
 */
export async function compressPage(
  request: Pick<HttpRequest, "header">,
  answer: HttpResponse,
): Promise<HttpResponse> {
  const { headers, body } = answer;
  const site = request.header("sec-fetch-site");
  const isOwn = site === "same-origin" || site === "none";
  const isPage = headers["Content-Type"]?.startsWith("text/html") === true;
  if (!isOwn || !isPage || typeof body !== "string") return answer;
  const bytes = Buffer.from(body);
  const coding = chooseEncoding(request.header("accept-encoding"), bytes.length);
  if (coding === "identity") return answer;
  const compressedBody = await compress(bytes, coding);
  const length = String(compressedBody.length);
  return {
    ...answer,
    headers: { ...headers, "Content-Encoding": coding, "Content-Length": length },
    body: compressedBody,
  };
}
