import { readMediumFile } from "../../content/media/media-kinds.ts";
import type { HttpAnswer, HttpRequest } from "../exchange.ts";
import type { HttpParts } from "../parts.ts";
import { PUBLIC_HEADERS } from "../public-headers.ts";
import { matches } from "../reply.ts";

const CACHING = "public, max-age=31536000, immutable";

/**
 * What a file may do when it is opened by itself, not in a page. An SVG is a document, hence draws and
 * nothing else; the others are data, and the browser's own viewers want to load and style them.
 */
const SVG_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox";
const DATA_POLICY =
  "default-src 'none'; img-src 'self'; media-src 'self'; object-src 'self'; style-src 'unsafe-inline'";

interface Range {
  start: number;
  end: number;
}

/** Which part of a file answers a request; null: none of its bytes. */
type Part = { status: 200 | 206; range: Range } | { status: 304 | 416; range: null };

/** One of the site's files by its name, or a part of it; null when there is none. */
export async function mediaAnswer(
  request: HttpRequest,
  { mediaFiles }: Pick<HttpParts, "mediaFiles">,
): Promise<HttpAnswer | null> {
  const name = request.url.pathname.slice("/media/".length);
  const known = readMediumFile(name);
  const file = known === null ? null : await mediaFiles.find(name);
  if (known === null || file === null) return null;
  const { bytes } = file;
  const etag = `"${known.id}"`;
  const { status, range } = partFor(request, { etag, bytes });
  const headers = {
    ...PUBLIC_HEADERS,
    "Content-Security-Policy": known.kind.extension === "svg" ? SVG_POLICY : DATA_POLICY,
    "Cross-Origin-Resource-Policy": "cross-origin",
    ...(status === 416
      ? { "Cache-Control": "no-store", "Content-Range": `bytes */${bytes}` }
      : { "Cache-Control": CACHING, "Accept-Ranges": "bytes", ETag: etag }),
    ...(range === null ? {} : bodyHeaders(range, known.kind.type)),
    ...(status === 206 ? { "Content-Range": `bytes ${range.start}-${range.end}/${bytes}` } : {}),
  };
  const isRead = range !== null && request.method !== "HEAD";
  return { status, headers, body: isRead ? file.stream(range) : null };
}

function bodyHeaders({ start, end }: Range, type: string): Record<string, string> {
  return {
    "Content-Type": type,
    "Content-Length": String(end - start + 1),
    "Content-Disposition": "inline",
  };
}

/**
 * RFC 9110, sections 13.2.2 and 14.2: the whole file, too, for several ranges at once and for a part
 * of another state of the file.
 */
function partFor({ header }: HttpRequest, { etag, bytes }: { etag: string; bytes: number }): Part {
  if (matches(header("if-none-match"), etag)) return { status: 304, range: null };
  const whole: Part = { status: 200, range: { start: 0, end: bytes - 1 } };
  const ifRange = header("if-range");
  if (ifRange !== undefined && ifRange !== etag) return whole;
  const [, first = "", last = ""] =
    /^bytes=\s*(\d{0,15})-(\d{0,15})\s*$/i.exec(header("range") ?? "") ?? [];
  if (first === "" && last === "") return whole;
  const isTail = first === "";
  const start = isTail ? Math.max(0, bytes - Number(last)) : Number(first);
  const end = isTail || last === "" ? bytes - 1 : Math.min(Number(last), bytes - 1);
  if (!isTail && last !== "" && Number(last) < start) return whole;
  return start >= bytes ? { status: 416, range: null } : { status: 206, range: { start, end } };
}
