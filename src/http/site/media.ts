import { readMediumFile } from "../../content/media/media-kinds.ts";
import type { HttpAnswer, HttpRequest } from "../exchange.ts";
import type { HttpParts } from "../parts.ts";
import { PUBLIC_HEADERS } from "../public-headers.ts";
import { matches } from "../reply.ts";

const CACHING = "public, max-age=31536000, immutable";

/**
 * Policy for a file opened on its own. An SVG is a document, so it may draw and nothing else; other files
 * are data, which the browser's own viewers load and style.
 */
const SVG_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox";
const DATA_POLICY =
  "default-src 'none'; img-src 'self'; media-src 'self'; object-src 'self'; style-src 'unsafe-inline'";

interface Range {
  start: number;
  end: number;
}

/** Which bytes of a file answer a request; null: none. */
type Part = { status: 200 | 206; range: Range } | { status: 304 | 416; range: null };

/** Answers with a media file or a range of it; null when there is none. */
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
 * RFC 9110, sections 13.2.2 and 14.2. Multiple ranges, or a range of another version, get the whole file.
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
