import { brotliCompressSync, constants, gzipSync, zstdCompressSync } from "node:zlib";
import { type Coding, chooseEncoding } from "../encoding.ts";
import type { HttpAnswer, HttpRequest } from "../exchange.ts";
import { SCRIPTS } from "./screens/frame/scripts.ts";
import { ADMIN_STYLE, ADMIN_STYLE_PATH } from "./screens/frame/style.ts";

/** Compressed assets by path and coding; kept forever, as they are few and never change. */
const COMPRESSED_ASSETS = new Map<string, Uint8Array>();

/** Maximum compression, too slow for dynamic pages. */
const COMPRESS_DENSELY: Readonly<Record<Coding, (bytes: Uint8Array) => Uint8Array>> = {
  zstd: (bytes) => zstdCompressSync(bytes, { params: { [constants.ZSTD_c_compressionLevel]: 19 } }),
  br: (bytes) => brotliCompressSync(bytes),
  gzip: (bytes) => gzipSync(bytes, { level: 9 }),
};

/** The style sheet and the scripts of the screens, which are public; null: anything else. */
export function assetAnswer(request: HttpRequest): HttpAnswer | null {
  const { pathname } = request.url;
  const isStyle = pathname === ADMIN_STYLE_PATH;
  const text = isStyle ? ADMIN_STYLE : SCRIPTS.get(pathname);
  if (text === undefined) return null;
  const bytes = Buffer.from(text);
  const coding = chooseEncoding(request.header("accept-encoding"), bytes.length);
  const body = coding === "identity" ? bytes : compressed(pathname, bytes, coding);
  const headers = {
    "Content-Type": `${isStyle ? "text/css" : "text/javascript"}; charset=utf-8`,
    "Cache-Control": "public, max-age=31536000, immutable",
    "Content-Length": String(body.length),
    Vary: "Accept-Encoding",
    ...(coding === "identity" ? {} : { "Content-Encoding": coding }),
  };
  return { status: 200, headers, body };
}

function compressed(path: string, bytes: Uint8Array, coding: Coding): Uint8Array {
  const name = `${coding} ${path}`;
  const known = COMPRESSED_ASSETS.get(name);
  if (known !== undefined) return known;
  const made = COMPRESS_DENSELY[coding](bytes);
  COMPRESSED_ASSETS.set(name, made);
  return made;
}
