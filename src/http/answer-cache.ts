import type { IncomingMessage, ServerResponse } from "node:http";
import { SeenFilter } from "../caching/seen-filter.ts";
import { VersionedCache } from "../caching/versioned-cache.ts";
import type { PageRequest } from "../content/pages/view.ts";
import type { Encoding } from "./encoding.ts";
import type { HttpAnswer, HttpRequest } from "./exchange.ts";
import { KeptReply, matches, type Reply } from "./reply.ts";

const REPLY_BYTES_MAX = 64 * 1024 * 1024;
const REQUEST_BYTES_MAX = 4 * 1024 * 1024;
/** What an entry takes in addition to its key and bytes, roughly. */
const ENTRY_BYTES = 500;
const BYTES_PER_CHARACTER = 2;
/** Some documents change with the calendar alone, by the month. */
const REQUEST_MILLISECONDS_MAX = 10 * 60 * 1000;
const SEEN_MAX = 20_000;

/** A page or document in one form, with the query it is asked for with. */
export interface Asked {
  address: string;
  query: PageRequest;
}

/** A rendered reply, to be kept. */
interface Rendered {
  reply: Reply;
  /** The version of the reading copy it was made of. */
  version: number;
  /** The parameters that it depends on: no others make another page of the address. */
  parameters: readonly string[];
}

interface AnswerCacheOptions {
  /** Changes whenever anything published changes, also by another process. */
  version: () => number;
  /** Sent with every answer. */
  headers: Readonly<Record<string, string>>;
  /** Called for each answer that `answer` gives. */
  repeated?: (status: number) => void;
}

/**
 * Keeps replies, each in every coding it was asked for, until anything published changes. Requests that
 * were answered from it before are answered straight from the socket.
 */
export class AnswerCache {
  readonly #version: () => number;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #repeated: (status: number) => void;
  readonly #replies: VersionedCache<KeptReply>;
  readonly #parameters: VersionedCache<readonly string[]>;
  /** By what `lineOf` gives. */
  readonly #requests: VersionedCache<{ key: string; encoding: Encoding }>;
  /** Requests with a query: V8 keeps each text that is looked up in a map. */
  readonly #seen = new SeenFilter(SEEN_MAX);
  #expiry: NodeJS.Timeout | undefined;

  constructor({ version, headers, repeated = () => {} }: AnswerCacheOptions) {
    this.#version = version;
    this.#headers = headers;
    this.#repeated = repeated;
    this.#replies = new VersionedCache(REPLY_BYTES_MAX, version);
    this.#parameters = new VersionedCache(REQUEST_BYTES_MAX, version);
    this.#requests = new VersionedCache(REQUEST_BYTES_MAX, version);
  }

  /** Answers a request that was remembered; false: it did nothing. */
  readonly answer = (request: IncomingMessage, response: ServerResponse): boolean => {
    if (request.method !== "GET") return false;
    const { url = "", headers } = request;
    const line = lineOf(url, headers.accept, headers["accept-encoding"]);
    if (url.includes("?") && !this.#seen.has(line)) return false;
    const known = this.#requests.get(line);
    const form = known && this.#replies.get(known.key)?.known(known.encoding);
    if (form === undefined) return false;
    const held = request.headers["if-none-match"];
    if (held !== undefined && matches(held, form.etag)) {
      response.writeHead(304, form.headersUnchanged).end();
    } else {
      response.writeHead(200, form.headers).end(form.bytes);
    }
    this.#repeated(response.statusCode);
    return true;
  };

  /** Has `answer` answer the same request from now on; with a query, from the second time on. */
  remember({ method, target, header }: HttpRequest, { cached }: HttpAnswer): void {
    if (cached === undefined || method !== "GET") return;
    const line = lineOf(target, header("accept"), header("accept-encoding"));
    if (target.includes("?") && !this.#seen.add(line)) return;
    const size = ENTRY_BYTES + line.length * BYTES_PER_CHARACTER;
    this.#requests.set(line, cached, { size, version: this.#version() });
    this.#expiry ??= setTimeout(() => this.#expire(), REQUEST_MILLISECONDS_MAX).unref();
  }

  /** The answer from a cached reply; null: there is none. */
  again(request: HttpRequest, asked: Asked): Promise<HttpAnswer> | null {
    const names = this.#parameters.get(asked.address);
    if (names === undefined) return null;
    const key = keyOf(asked, names);
    const reply = this.#replies.get(key);
    return reply === undefined ? null : this.#respond(request, { key, reply });
  }

  /** Stores a reply and answers with it. */
  async first(request: HttpRequest, asked: Asked, rendered: Rendered): Promise<HttpAnswer> {
    const { address } = asked;
    const { version, parameters } = rendered;
    const size = ENTRY_BYTES + address.length * BYTES_PER_CHARACTER;
    this.#parameters.set(address, parameters, { size, version });
    const key = keyOf(asked, parameters);
    const reply = new KeptReply(rendered.reply, this.#headers);
    this.#keep(key, reply, version);
    return await this.#respond(request, { key, reply });
  }

  async #respond(
    request: HttpRequest,
    { key, reply }: { key: string; reply: KeptReply },
  ): Promise<HttpAnswer> {
    const form = await reply.formFor(request);
    // It may have become larger by this form.
    if (this.#replies.get(key) === reply) this.#keep(key, reply, this.#version());
    const answer = reply.answerIn(form, request);
    if (answer.status !== 200) return answer;
    return { ...answer, cached: { key, encoding: form.encoding } };
  }

  #keep(key: string, reply: KeptReply, version: number): void {
    const size = ENTRY_BYTES + key.length * BYTES_PER_CHARACTER + reply.size;
    this.#replies.set(key, reply, { size, version });
  }

  #expire(): void {
    this.#requests.clear();
    this.#expiry = undefined;
  }
}

function keyOf({ address, query }: Asked, parameters: readonly string[]): string {
  const stated = parameters.map((name) => `${name}=${query.parameter(name) ?? ""}`);
  return [address, ...stated].join("\n");
}

/** The parts of a request that select an answer. */
function lineOf(
  target: string,
  accept: string | undefined,
  acceptEncoding: string | string[] | undefined,
): string {
  return `${target}\n${accept}\n${acceptEncoding}`;
}
