import { crc32 } from "node:zlib";
import { KeptOfVersion } from "../kept.ts";
import { type Coding, chooseEncoding, compress, type Encoding } from "./encoding.ts";

/** An answer before it is fitted to a request: status, headers and all bytes of its identity form. */
export interface Reply {
  status: number;
  /** Everything but Content-Length, Content-Encoding and ETag; `Vary` without Accept-Encoding. */
  headers: Readonly<Record<string, string>>;
  body: string | Uint8Array;
}

/** The bytes of a reply in one content coding, with their validator. */
interface Form {
  encoding: Encoding;
  bytes: Uint8Array;
  etag: string;
}

/** A form of what was published at a version of the reading copy. */
export interface KeptForm extends Form {
  version: number;
}

/**
 * A reply kept for more than one request: its bytes, its validator, and its compressed forms, each made
 * when first asked for.
 */
export class KeptReply {
  readonly status: number;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #bytes: Uint8Array;
  readonly #hash: string;
  readonly #encoded = new Map<Coding, Uint8Array | Promise<Uint8Array>>();

  constructor({ status, headers, body }: Reply) {
    this.status = status;
    this.#bytes = typeof body === "string" ? Buffer.from(body) : body;
    this.#hash = tagOf(this.#bytes);
    this.#headers = { ...headers, Vary: varyOf(headers) };
  }

  /** How much memory it holds to, in bytes, with room for compressed forms. */
  get size(): number {
    return this.#bytes.length * 2;
  }

  /** The response to a GET or HEAD; 304 when the client holds this very form. */
  async respond(request: Request): Promise<Response> {
    return this.responseIn(await this.formFor(request), request);
  }

  /** The bytes in the coding the client likes best. */
  async formFor(request: Request): Promise<Form> {
    const accepted = request.headers.get("accept-encoding") ?? undefined;
    const encoding = chooseEncoding(accepted, this.#bytes.length);
    if (encoding === "identity") return { encoding, bytes: this.#bytes, etag: `"${this.#hash}"` };
    return { encoding, bytes: await this.#form(encoding), etag: `"${this.#hash}-${encoding}"` };
  }

  responseIn({ encoding, bytes, etag }: Form, request: Request): Response {
    const isValidated = this.status === 200;
    const headers = new Headers(this.#headers);
    if (isValidated) headers.set("ETag", etag);
    if (isValidated && matches(request.headers.get("if-none-match"), etag)) {
      headers.delete("Content-Type");
      return new Response(null, { status: 304, headers });
    }
    if (encoding !== "identity") headers.set("Content-Encoding", encoding);
    headers.set("Content-Length", String(bytes.length));
    const body = request.method === "HEAD" ? null : new Uint8Array(bytes);
    return new Response(body, { status: this.status, headers });
  }

  async #form(coding: Coding): Promise<Uint8Array> {
    const made = this.#encoded.get(coding) ?? compress(this.#bytes, coding);
    this.#encoded.set(coding, made);
    return await made;
  }
}

/** What a reply varies by of which there are compressed forms, too. */
function varyOf(headers: Reply["headers"]): string {
  const vary = headers["Vary"];
  return vary === undefined ? "Accept-Encoding" : `${vary}, Accept-Encoding`;
}

/**
 * What a validator says of bytes in their identity form: the same on every instance. Of changes that
 * keep the length, one in four thousand million keeps it, too; SHA-256 takes four times as long.
 */
function tagOf(bytes: Uint8Array): string {
  return `${bytes.length.toString(36)}.${crc32(bytes).toString(36)}`;
}

/** RFC 9110, section 13.1.2: weak comparison against every validator the client lists. */
export function matches(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) return false;
  if (ifNoneMatch === etag || ifNoneMatch === "*") return true;
  const listed = ifNoneMatch.split(",").map((value) => opaqueTag(value.trim()));
  return listed.includes("*") || listed.includes(opaqueTag(etag));
}

function opaqueTag(etag: string): string {
  return etag.replace(/^W\//, "");
}

const KEPT_BYTES_MAX = 64 * 1024 * 1024;

/** A reply with the version of the reading copy it was made of. */
interface MadeReply {
  reply: KeptReply;
  version: number;
}

/** Replies by key; all of them let go when what they show has changed. */
export class ReplyCache {
  readonly #replies: KeptOfVersion<MadeReply>;
  readonly #forms = new WeakMap<Response, KeptForm>();

  /** `version` changes whenever anything published changes. */
  constructor(version: () => number) {
    this.#replies = new KeptOfVersion(KEPT_BYTES_MAX, version);
  }

  /** The response from a reply that is kept; null: there is none. */
  again(request: Request, key: string): Promise<Response> | null {
    const made = this.#replies.get(key);
    return made === undefined ? null : this.#respond(request, made);
  }

  /** Keeps a reply made at a version of the reading copy, and responds with it. */
  async first(
    request: Request,
    page: Reply,
    { key, version }: { key: string; version: number },
  ): Promise<Response> {
    const reply = new KeptReply(page);
    this.#replies.keep(key, { reply, version }, { size: reply.size, version });
    return await this.#respond(request, { reply, version });
  }

  /** What a whole response of this cache consists of. */
  formOf(response: Response): KeptForm | undefined {
    return this.#forms.get(response);
  }

  async #respond(request: Request, { reply, version }: MadeReply): Promise<Response> {
    const form = await reply.formFor(request);
    const response = reply.responseIn(form, request);
    if (response.status === 200) this.#forms.set(response, { ...form, version });
    return response;
  }
}
