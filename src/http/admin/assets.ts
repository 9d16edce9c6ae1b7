import { brotliCompressSync, constants, gzipSync, zstdCompressSync } from "node:zlib";
import { type CompressionCoding, chooseEncoding } from "../encoding.ts";
import type { HttpRequest, HttpResponse } from "../exchange.ts";
import { IMMUTABLE_CACHE_CONTROL } from "../public-headers.ts";
import { SCRIPT_SOURCES_BY_PATH } from "./screens/frame/scripts.ts";
import { ADMIN_STYLE_SHEET, ADMIN_STYLE_SHEET_PATH } from "./screens/frame/style.ts";

/**
 * Compressed assets, keyed by content coding and path. The cache has no limit, because assets are
 * few and never change.
 */
const COMPRESSED_ASSETS = new Map<string, Uint8Array>();

/** Compresses at a high level, which would be too slow for pages. */
const COMPRESSORS: Readonly<Record<CompressionCoding, (bytes: Uint8Array) => Uint8Array>> = {
  zstd: (bytes) => zstdCompressSync(bytes, { params: { [constants.ZSTD_c_compressionLevel]: 19 } }),
  br: (bytes) => brotliCompressSync(bytes),
  gzip: (bytes) => gzipSync(bytes, { level: 9 }),
};

/** Serves the screens' style sheet and scripts, which are public. Null: any other path. */
export function assetResponse(request: HttpRequest): HttpResponse | null {
  const { pathname } = request.url;
  const isStyle = pathname === ADMIN_STYLE_SHEET_PATH;
  const text = isStyle ? ADMIN_STYLE_SHEET : SCRIPT_SOURCES_BY_PATH.get(pathname);
  if (text === undefined) return null;
  const bytes = Buffer.from(text);
  const coding = chooseEncoding(request.header("accept-encoding"), bytes.length);
  const body = coding === "identity" ? bytes : compressedAsset(pathname, bytes, coding);
  const headers = {
    "Content-Type": `${isStyle ? "text/css" : "text/javascript"}; charset=utf-8`,
    "Cache-Control": IMMUTABLE_CACHE_CONTROL,
    "Content-Length": String(body.length),
    Vary: "Accept-Encoding",
    ...(coding === "identity" ? {} : { "Content-Encoding": coding }),
  };
  return { status: 200, headers, body };
}

function compressedAsset(path: string, bytes: Uint8Array, coding: CompressionCoding): Uint8Array {
  const key = `${coding} ${path}`;
  const cached = COMPRESSED_ASSETS.get(key);
  if (cached !== undefined) return cached;
  const asset = COMPRESSORS[coding](bytes);
  COMPRESSED_ASSETS.set(key, asset);
  return asset;
}
