import { crc32 } from "node:zlib";
import { type Coding, chooseEncoding, compress, type Encoding } from "./encoding.ts";
import type { HttpAnswer, HttpRequest } from "./exchange.ts";

/** An answer independent of the request: status, headers and uncompressed body. */
export interface Reply {
  status: number;
  /** Headers except Content-Length, Content-Encoding and ETag; `Vary` omits Accept-Encoding. */
  headers: Readonly<Record<string, string>>;
  body: string | Uint8Array;
}

/** A reply in one content coding, ready to be written. */
export interface Form {
  encoding: Encoding;
  bytes: Uint8Array;
  etag: string;
  /** Alternating names and values, as `writeHead` takes them. */
  headers: string[];
  /** Headers of a 304. */
  headersUnchanged: string[];
}

/** A reply in the requested codings, each compressed once. */
export class CachedReply {
  readonly status: number;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #contentType: string;
  readonly #bytes: Uint8Array;
  readonly #hash: string;
  readonly #forms = new Map<Encoding, Form | Promise<Form>>();
  #size: number;

  /** `common`: headers added to every answer. */
  constructor({ status, headers, body }: Reply, common: Readonly<Record<string, string>> = {}) {
    this.status = status;
    this.#bytes = typeof body === "string" ? Buffer.from(body) : body;
    this.#size = this.#bytes.length;
    this.#hash = tagOf(this.#bytes);
    const { "Content-Type": contentType = "", ...others } = headers;
    this.#contentType = contentType;
    this.#headers = { ...common, ...others, Vary: varyOf(headers) };
  }

  /** Bytes of all codings so far. */
  get size(): number {
    return this.#size;
  }

  /** Answers a GET or HEAD, with 304 if the client already has the reply in this coding. */
  async respond(request: HttpRequest): Promise<HttpAnswer> {
    return this.answerIn(await this.formFor(request), request);
  }

  /** The reply in the coding that the client prefers. */
  formFor(request: HttpRequest): Form | Promise<Form> {
    const encoding = chooseEncoding(request.header("accept-encoding"), this.#bytes.length);
    const known = this.#forms.get(encoding);
    if (known !== undefined) return known;
    const form =
      encoding === "identity" ? this.#form(encoding, this.#bytes) : this.#compressed(encoding);
    this.#forms.set(encoding, form);
    return form;
  }

  /** The reply in a coding, if it is already compressed in it. */
  known(encoding: Encoding): Form | undefined {
    const form = this.#forms.get(encoding);
    return form instanceof Promise ? undefined : form;
  }

  answerIn(form: Form, { header }: HttpRequest): HttpAnswer {
    const { status } = this;
    if (status === 200 && matches(header("if-none-match"), form.etag)) {
      return { status: 304, headers: headerRecord(form.headersUnchanged), body: null };
    }
    return { status, headers: headerRecord(form.headers), body: form.bytes };
  }

  #compressed(coding: Coding): Form | Promise<Form> {
    const bytes = compress(this.#bytes, coding);
    if (!(bytes instanceof Promise)) return this.#counted(this.#form(coding, bytes));
    return bytes.then((later) => {
      const form = this.#counted(this.#form(coding, later));
      this.#forms.set(coding, form);
      return form;
    });
  }

  #counted(form: Form): Form {
    this.#size += form.bytes.length;
    return form;
  }

  #form(encoding: Encoding, bytes: Uint8Array): Form {
    const etag = encoding === "identity" ? `"${this.#hash}"` : `"${this.#hash}-${encoding}"`;
    const validated = this.status === 200 ? { ...this.#headers, ETag: etag } : this.#headers;
    const whole = {
      ...validated,
      "Content-Type": this.#contentType,
      "Content-Length": String(bytes.length),
      ...(encoding === "identity" ? {} : { "Content-Encoding": encoding }),
    };
    const headersUnchanged = Object.entries(validated).flat();
    return { encoding, bytes, etag, headers: Object.entries(whole).flat(), headersUnchanged };
  }
}

/** Alternating names and values as a record. */
function headerRecord(headers: readonly string[]): Record<string, string> {
  const record: Record<string, string> = {};
  for (let at = 0; at < headers.length; at += 2) record[headers[at] ?? ""] = headers[at + 1] ?? "";
  return record;
}

/** Adds Accept-Encoding to `Vary`. */
function varyOf(headers: Reply["headers"]): string {
  const vary = headers["Vary"];
  return vary === undefined ? "Accept-Encoding" : `${vary}, Accept-Encoding`;
}

/**
 * The validator of an uncompressed body, equal on every instance. A change of the same length goes
 * undetected with a probability of one in four billion; SHA-256 would take four times as long.
 */
function tagOf(bytes: Uint8Array): string {
  return `${bytes.length.toString(36)}.${crc32(bytes).toString(36)}`;
}

/** Whether `If-None-Match` lists the ETag, by weak comparison (RFC 9110, section 13.1.2). */
export function matches(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch === etag || ifNoneMatch === "*") return true;
  const listed = ifNoneMatch.split(",").map((value) => opaqueTag(value.trim()));
  return listed.includes("*") || listed.includes(opaqueTag(etag));
}

function opaqueTag(etag: string): string {
  return etag.replace(/^W\//, "");
}
