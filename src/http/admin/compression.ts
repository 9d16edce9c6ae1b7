import { chooseEncoding, compress } from "../encoding.ts";
import type { HttpAnswer, HttpRequest } from "../exchange.ts";

/**
 * Compresses a page if one of our own pages or the person asked for it. A page contains private texts
 * and the form token, and repeats what was searched for: another site that makes a browser ask many
 * times could guess them from the compressed lengths (BREACH). Browsers mark such requests, redirected
 * ones included, as cross-site.
 */
export async function compressedPage(
  request: Pick<HttpRequest, "header">,
  answer: HttpAnswer,
): Promise<HttpAnswer> {
  const { headers, body } = answer;
  const site = request.header("sec-fetch-site");
  const isOwn = site === "same-origin" || site === "none";
  const isPage = headers["Content-Type"]?.startsWith("text/html") === true;
  if (!isOwn || !isPage || typeof body !== "string") return answer;
  const bytes = Buffer.from(body);
  const coding = chooseEncoding(request.header("accept-encoding"), bytes.length);
  if (coding === "identity") return answer;
  const packed = await compress(bytes, coding);
  const length = String(packed.length);
  return {
    ...answer,
    headers: { ...headers, "Content-Encoding": coding, "Content-Length": length },
    body: packed,
  };
}
