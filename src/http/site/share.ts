import { shareCard } from "../../content/media/share-card.ts";
import { readSharePath, shareId, sharePath } from "../../content/media/share-pictures.ts";
import { editionFor } from "../../content/site/editions.ts";
import type { HttpAnswer, HttpRequest } from "../exchange.ts";
import type { HttpParts } from "../parts.ts";
import { PUBLIC_HEADERS } from "../public-headers.ts";
import { matches } from "../reply.ts";

const CACHE_FOREVER = "public, max-age=31536000, immutable";

/** Answers with the picture of a published item for link previews; null when there is none. */
export async function shareAnswer(
  request: HttpRequest,
  { reading, sharePictures }: Pick<HttpParts, "reading" | "sharePictures">,
): Promise<HttpAnswer | null> {
  const named = readSharePath(request.url.pathname);
  const found = named === null ? null : reading.resolve(named.path);
  if (named === null || found?.kind !== "item") return null;
  const card = shareCard(found.item, editionFor(reading, found.item.language));
  const id = shareId(card);
  if (id !== named.id) return moved(sharePath(card, found.item.path));
  const etag = `"${id}"`;
  const kept = { ...PUBLIC_HEADERS, "Cache-Control": CACHE_FOREVER, ETag: etag };
  if (matches(request.header("if-none-match"), etag)) {
    return { status: 304, headers: kept, body: null };
  }
  const file = await sharePictures.picture(card);
  const headers = {
    ...kept,
    "Content-Type": "image/png",
    "Content-Length": String(file.bytes),
    "Cross-Origin-Resource-Policy": "cross-origin",
  };
  const body = request.method === "HEAD" ? null : file.stream({ start: 0, end: file.bytes - 1 });
  return { status: 200, headers, body };
}

/** Redirects a former picture's address to the current one, since the item has changed. */
function moved(location: string): HttpAnswer {
  const headers = { ...PUBLIC_HEADERS, Location: location, "Cache-Control": "no-store" };
  return { status: 307, headers, body: null };
}
