import { buildShareCard } from "../../content/media/share-card.ts";
import {
  parseSharePicturePath,
  sharePictureId,
  sharePicturePath,
} from "../../content/media/share-pictures.ts";
import { editionForItemLanguage } from "../../content/site/editions.ts";
import type { HttpDependencies } from "../dependencies.ts";
import { matchesEtag } from "../encodable-response.ts";
import type { HttpRequest, HttpResponse } from "../exchange.ts";
import { IMMUTABLE_CACHE_CONTROL, PUBLIC_HEADERS } from "../public-headers.ts";

/** Answers with the picture that link previews show for a published item. Null: there is none. */
export async function sharePictureResponse(
  request: HttpRequest,
  { reading, sharePictures }: Pick<HttpDependencies, "reading" | "sharePictures">,
): Promise<HttpResponse | null> {
  const requested = parseSharePicturePath(request.url.pathname);
  const found = requested === null ? null : reading.resolve(requested.path);
  if (requested === null || found?.kind !== "item") return null;
  const card = buildShareCard(found.item, editionForItemLanguage(reading, found.item.language));
  const id = sharePictureId(card);
  if (id !== requested.id) return redirectToCurrent(sharePicturePath(card, found.item.path));
  const etag = `"${id}"`;
  const cacheHeaders = { ...PUBLIC_HEADERS, "Cache-Control": IMMUTABLE_CACHE_CONTROL, ETag: etag };
  if (matchesEtag(request.header("if-none-match"), etag)) {
    return { status: 304, headers: cacheHeaders, body: null };
  }
  const file = await sharePictures.picture(card);
  const headers = {
    ...cacheHeaders,
    "Content-Type": "image/png",
    "Content-Length": String(file.bytes),
    "Cross-Origin-Resource-Policy": "cross-origin",
  };
  const body = request.method === "HEAD" ? null : file.stream({ start: 0, end: file.bytes - 1 });
  return { status: 200, headers, body };
}

/** Redirects the address of an outdated picture to the item's current picture. */
function redirectToCurrent(location: string): HttpResponse {
  const headers = { ...PUBLIC_HEADERS, Location: location, "Cache-Control": "no-store" };
  return { status: 307, headers, body: null };
}
