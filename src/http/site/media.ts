import type { PublicMediaFile } from "../../content/library.ts";
import type { StoredFile } from "../../content/media/media.ts";
import { mediaFileName, mediaKindOf, parseMediaFileName } from "../../content/media/media-kinds.ts";
import { parseSizeFileName } from "../../content/media/picture-sizes.ts";
import type { HttpDependencies } from "../dependencies.ts";
import { matchesEtag } from "../encodable-response.ts";
import type { HttpRequest, HttpResponse } from "../exchange.ts";
import { IMMUTABLE_CACHE_CONTROL, PUBLIC_HEADERS } from "../public-headers.ts";

const MEDIA_FOLDER = "/media/";

/**
 * Content security policy of SVG files that are opened directly. An SVG is a document, so its policy
 * forbids scripts and requests. `DATA_POLICY` is for other files: the browser's own viewers load and style
 * them.
 */
const SVG_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox";
const DATA_POLICY =
  "default-src 'none'; img-src 'self'; media-src 'self'; object-src 'self'; style-src 'unsafe-inline'";
/**
 * Policy for documents that browsers download. If a browser opens the document instead, it can load
 * and run nothing.
 */
const DOCUMENT_POLICY = "default-src 'none'; sandbox";

interface Range {
  start: number;
  end: number;
}

/** The status of an answer with a file, and which bytes of the file are sent; null: none. */
type ResponsePart = { status: 200 | 206; range: Range } | { status: 304 | 416; range: null };

/** Answers with a media file or a range of it; null when there is none. */
export async function mediaResponse(
  request: HttpRequest,
  {
    reading,
    mediaFiles,
    pictureSizes,
  }: Pick<HttpDependencies, "reading" | "mediaFiles" | "pictureSizes">,
): Promise<HttpResponse | null> {
  const name = request.url.pathname.slice(MEDIA_FOLDER.length);
  const id = parseMediaFileName(name)?.id ?? parseSizeFileName(name)?.id;
  const medium = id === undefined ? null : reading.medium(id);
  return medium === null
    ? null
    : await mediaFileResponse(request, name, {
        medium,
        mediaFiles,
        pictureSizes,
        folder: MEDIA_FOLDER,
      });
}

/** Answers with a file, public or not. The caller must have checked the permission. */
export async function mediaFileResponse(
  request: Pick<HttpRequest, "method" | "header">,
  name: string,
  { medium, mediaFiles, pictureSizes, folder }: FileParts,
): Promise<HttpResponse | null> {
  const size = parseSizeFileName(name);
  if (size !== null) {
    const file = await pictureSizes.find(name);
    if (file === null) return redirectToOriginal(medium, folder);
    const { width, format } = size.size;
    const type = `image/${format}`;
    return streamResponse(request, file, { ...medium, etag: `"${medium.id}-${width}"`, type });
  }
  const known = parseMediaFileName(name);
  if (known?.kind.type !== medium.type) return null;
  const file = (await pictureSizes.findClean(medium.id)) ?? (await mediaFiles.find(name));
  if (file === null) return null;
  return streamResponse(request, file, { etag: `"${medium.id}"`, ...medium });
}

interface FileParts extends Pick<HttpDependencies, "mediaFiles" | "pictureSizes"> {
  medium: PublicMediaFile;
  /** Path prefix of the files, such as `/media/`. */
  folder: string;
}

/** Redirects to the original picture while its smaller versions are being made. */
function redirectToOriginal(medium: PublicMediaFile, folder: string): HttpResponse {
  const headers = {
    ...PUBLIC_HEADERS,
    Location: folder + mediaFileName(medium),
    "Cache-Control": "no-store",
  };
  return { status: 307, headers, body: null };
}

function streamResponse(
  request: Pick<HttpRequest, "method" | "header">,
  file: StoredFile,
  { etag, type, name }: { etag: string; type: string; name: string },
): HttpResponse {
  const { bytes } = file;
  const { status, range } = answerPartFor(request, { etag, bytes });
  const headers = {
    ...PUBLIC_HEADERS,
    "Content-Security-Policy": securityPolicy(type),
    "Cross-Origin-Resource-Policy": "cross-origin",
    ...(status === 416
      ? { "Cache-Control": "no-store", "Content-Range": `bytes */${bytes}` }
      : { "Cache-Control": IMMUTABLE_CACHE_CONTROL, "Accept-Ranges": "bytes", ETag: etag }),
    ...(range === null ? {} : bodyHeaders(range, { type, name })),
    ...(status === 206 ? { "Content-Range": `bytes ${range.start}-${range.end}/${bytes}` } : {}),
  };
  const sendsBody = range !== null && request.method !== "HEAD";
  return { status, headers, body: sendsBody ? file.stream(range) : null };
}

function securityPolicy(type: string): string {
  if (type === "image/svg+xml") return SVG_POLICY;
  return isDownloaded(type) ? DOCUMENT_POLICY : DATA_POLICY;
}

/** Whether browsers download a file instead of showing it: every document except a PDF. */
function isDownloaded(type: string): boolean {
  return mediaKindOf(type).use === "document" && type !== "application/pdf";
}

function bodyHeaders(
  { start, end }: Range,
  { type, name }: { type: string; name: string },
): Record<string, string> {
  return {
    "Content-Type": type,
    "Content-Length": String(end - start + 1),
    "Content-Disposition": disposition(name, type),
  };
}

/**
 * Content-Disposition (RFC 6266). The extension follows from the type, not from the file's name.
 */
function disposition(name: string, type: string): string {
  const { extension, use } = mediaKindOf(type);
  if (use !== "document") return "inline";
  const stem = name
    .replace(new RegExp(`\\.${extension}$`, "i"), "")
    .replaceAll(/[\p{C}/\\:*?"<>|%\s]+/gu, " ")
    .trim();
  const file = `${stem === "" ? "file" : stem}.${extension}`;
  const plain = file.replaceAll(/[^ -~]/g, "_");
  const encoded = encodeURIComponent(file.toWellFormed()).replaceAll(/['()*]/g, percentEncoded);
  return `${isDownloaded(type) ? "attachment" : "inline"}; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

function percentEncoded(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

/**
 * Evaluates preconditions and range (RFC 9110, sections 13.2.2 and 14.2). Requests for several
 * ranges, for a range of another version, or by another method than GET get the whole file.
 */
function answerPartFor(
  { method, header }: Pick<HttpRequest, "method" | "header">,
  { etag, bytes }: { etag: string; bytes: number },
): ResponsePart {
  if (matchesEtag(header("if-none-match"), etag)) return { status: 304, range: null };
  const whole: ResponsePart = { status: 200, range: { start: 0, end: bytes - 1 } };
  const ifRange = header("if-range");
  if (method !== "GET" || (ifRange !== undefined && ifRange !== etag)) return whole;
  const [, first = "", last = ""] =
    /^bytes=\s*(\d{0,15})-(\d{0,15})\s*$/i.exec(header("range") ?? "") ?? [];
  if (first === "" && last === "") return whole;
  const isSuffix = first === "";
  const start = isSuffix ? Math.max(0, bytes - Number(last)) : Number(first);
  const end = isSuffix || last === "" ? bytes - 1 : Math.min(Number(last), bytes - 1);
  if (!isSuffix && last !== "" && Number(last) < start) return whole;
  return start >= bytes ? { status: 416, range: null } : { status: 206, range: { start, end } };
}
