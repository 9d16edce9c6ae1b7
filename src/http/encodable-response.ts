import { crc32 } from "node:zlib";
import { type CompressionCoding, chooseEncoding, compress, type Encoding } from "./encoding.ts";
import type { HttpRequest, HttpResponse } from "./exchange.ts";

/** An answer independent of the request: status, headers and uncompressed body. */
export interface RenderedResponse {
  status: number;
  /**
   * The headers, before {@link EncodableResponse} adds Content-Length, Content-Encoding and ETag, and completes
   * `Vary` with Accept-Encoding.
   */
  headers: Readonly<Record<string, string>>;
  body: string | Uint8Array;
}

/** A response in one content coding, ready to be written. */
export interface EncodedResponse {
  encoding: Encoding;
  bytes: Uint8Array;
  etag: string;
  /** Header names and values in alternation, the format of `writeHead`. */
  headers: string[];
  /** Headers of a 304. */
  headersUnchanged: string[];
}

/** A response in the requested codings. It is compressed only once for each coding. */
export class EncodableResponse {
  readonly status: number;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #contentType: string;
  readonly #bytes: Uint8Array;
  readonly #hash: string;
  readonly #encodedResponses = new Map<Encoding, EncodedResponse | Promise<EncodedResponse>>();
  #size: number;

  /** `common` has the headers that are added to every answer. */
  constructor(
    { status, headers, body }: RenderedResponse,
    common: Readonly<Record<string, string>> = {},
  ) {
    this.status = status;
    this.#bytes = typeof body === "string" ? Buffer.from(body) : body;
    this.#size = this.#bytes.length;
    this.#hash = tagOf(this.#bytes);
    const { "Content-Type": contentType = "", ...others } = headers;
    this.#contentType = contentType;
    this.#headers = { ...common, ...others, Vary: varyOf(headers) };
  }

  /** Total size of the codings encoded so far, in bytes. */
  get size(): number {
    return this.#size;
  }

  /** Answers a GET or HEAD, with 304 if the client already has the response in this coding. */
  async respond(request: HttpRequest): Promise<HttpResponse> {
    return this.answerIn(await this.encodedFor(request), request);
  }

  /** The response in the coding that the client prefers. */
  encodedFor(request: HttpRequest): EncodedResponse | Promise<EncodedResponse> {
    const encoding = chooseEncoding(request.header("accept-encoding"), this.#bytes.length);
    const cached = this.#encodedResponses.get(encoding);
    if (cached !== undefined) return cached;
    const encoded =
      encoding === "identity" ? this.#encode(encoding, this.#bytes) : this.#compress(encoding);
    this.#encodedResponses.set(encoding, encoded);
    return encoded;
  }

  /** The encoded response; undefined: compression in this coding has not finished. */
  encodedIfReady(encoding: Encoding): EncodedResponse | undefined {
    const encoded = this.#encodedResponses.get(encoding);
    return encoded instanceof Promise ? undefined : encoded;
  }

  answerIn(encoded: EncodedResponse, { header }: HttpRequest): HttpResponse {
    const { status } = this;
    if (status === 200 && matchesEtag(header("if-none-match"), encoded.etag)) {
      return { status: 304, headers: headerRecord(encoded.headersUnchanged), body: null };
    }
    return { status, headers: headerRecord(encoded.headers), body: encoded.bytes };
  }

  #compress(coding: CompressionCoding): EncodedResponse | Promise<EncodedResponse> {
    const bytes = compress(this.#bytes, coding);
    if (!(bytes instanceof Promise)) return this.#count(this.#encode(coding, bytes));
    return bytes.then((later) => {
      const encoded = this.#count(this.#encode(coding, later));
      this.#encodedResponses.set(coding, encoded);
      return encoded;
    });
  }

  #count(encoded: EncodedResponse): EncodedResponse {
    this.#size += encoded.bytes.length;
    return encoded;
  }

  #encode(encoding: Encoding, bytes: Uint8Array): EncodedResponse {
    const etag = encoding === "identity" ? `"${this.#hash}"` : `"${this.#hash}-${encoding}"`;
    const validated = this.status === 200 ? { ...this.#headers, ETag: etag } : this.#headers;
    const allHeaders = {
      ...validated,
      "Content-Type": this.#contentType,
      "Content-Length": String(bytes.length),
      ...(encoding === "identity" ? {} : { "Content-Encoding": encoding }),
    };
    const headersUnchanged = Object.entries(validated).flat();
    return { encoding, bytes, etag, headers: Object.entries(allHeaders).flat(), headersUnchanged };
  }
}

/** Converts alternating names and values to a record. */
function headerRecord(headers: readonly string[]): Record<string, string> {
  const record: Record<string, string> = {};
  for (let at = 0; at < headers.length; at += 2) record[headers[at] ?? ""] = headers[at + 1] ?? "";
  return record;
}

/** Adds Accept-Encoding to `Vary`. */
function varyOf(headers: RenderedResponse["headers"]): string {
  const vary = headers["Vary"];
  return vary === undefined ? "Accept-Encoding" : `${vary}, Accept-Encoding`;
}

/**
 * The ETag of an uncompressed body, the same on every instance. A change that keeps the length goes
 * undetected with a probability of one in four billion; SHA-256 would take four times as long.
 */
function tagOf(bytes: Uint8Array): string {
  return `${bytes.length.toString(36)}.${crc32(bytes).toString(36)}`;
}

/** Whether `If-None-Match` lists the ETag, by weak comparison (RFC 9110, section 13.1.2). */
export function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch === etag || ifNoneMatch === "*") return true;
  const listed = ifNoneMatch.split(",").map((value) => opaqueTag(value.trim()));
  return listed.includes("*") || listed.includes(opaqueTag(etag));
}

function opaqueTag(etag: string): string {
  return etag.replace(/^W\//, "");
}
