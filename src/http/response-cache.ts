import type { IncomingMessage } from "node:http";
import { SeenFilter } from "../caching/seen-filter.ts";
import { SingleFlight } from "../caching/single-flight.ts";
import { VersionedCache } from "../caching/versioned-cache.ts";
import type { PageRequest } from "../content/pages/view.ts";
import { EncodableResponse, matchesEtag, type RenderedResponse } from "./encodable-response.ts";
import type { CacheReference, HttpRequest, HttpResponse } from "./exchange.ts";

const RESPONSE_BYTES_MAX = 64 * 1024 * 1024;
const REQUEST_BYTES_MAX = 4 * 1024 * 1024;
/** Approximate memory overhead of a cache entry, without its key and its content. */
const ENTRY_BYTES = 500;
const BYTES_PER_CHARACTER = 2;
/**
 * Maximum time for which an answer is reused while nothing is published. The limit is needed because some
 * documents depend on the current month.
 */
const REQUEST_MILLISECONDS_MAX = 10 * 60 * 1000;
const SEEN_MAX = 20_000;
/**
 * Maximum length of a request key. Requests with a longer key are not cached, because clients could fill
 * the cache with keys that are never used again. Keys of browsers have about 400 characters.
 */
const REQUEST_KEY_CHARACTERS_MAX = 1000;

/**
 * Identifies an answer in the cache. `address` is the representation and the path, as in `html /topics`.
 * The parameters of `query` count only if the answer depends on them.
 */
export interface CachedResponseSelection {
  address: string;
  query: PageRequest;
}

/** A rendered response to be cached. */
export interface VersionedResponse {
  response: RenderedResponse;
  /** Version of the reading copy that the response was rendered from. */
  version: number;
  /** Names of the query parameters that the page depends on. The cache key omits all others. */
  parameters: readonly string[];
}

/** An answer from the cache, ready to be written. */
export interface CachedResponse {
  status: number;
  /** Header names and values in alternation, the format of `writeHead`. */
  headers: string[];
  /** Null in a 304. */
  body: Uint8Array | null;
}

interface StoredResponse {
  address: string;
  key: string;
  response: EncodableResponse;
}

interface ResponseCacheOptions {
  /** Returns a number that changes whenever this or another process publishes anything. */
  version: () => number;
  /** Headers of every answer. */
  headers: Readonly<Record<string, string>>;
  /** Number of milliseconds until the content of pages can change even if nothing is published. */
  untilChange?: () => number;
  /** Called for each answer of `ResponseCache.answer`. */
  onRepeat?: (status: number, address: string) => void;
}

/**
 * Caches responses in each requested content coding until something is published. A repeated request
 * is answered at the socket, without parsing or routing.
 */
export class ResponseCache {
  readonly #version: () => number;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #onRepeat: (status: number, address: string) => void;
  readonly #untilChange: () => number;
  readonly #responses: VersionedCache<EncodableResponse>;
  readonly #parameters: VersionedCache<readonly string[]>;
  /** References to cached responses, keyed by request target, `Accept` and `Accept-Encoding`. */
  readonly #requests: VersionedCache<CacheReference>;
  /**
   * Records which requests with a query have occurred before. Only repeated requests are looked up in
   * `#requests`, to save memory: V8 retains strings used for map lookups.
   */
  readonly #seen = new SeenFilter(SEEN_MAX);
  readonly #rendering = new SingleFlight<StoredResponse>();
  /**
   * Documents are rendered one after another, because each rendering has a whole document in
   * memory.
   */
  #lastRendering: Promise<unknown> = Promise.resolve();
  #expiry: NodeJS.Timeout | undefined;

  constructor({
    version,
    headers,
    onRepeat = () => {},
    untilChange = () => Number.POSITIVE_INFINITY,
  }: ResponseCacheOptions) {
    this.#version = version;
    this.#headers = headers;
    this.#onRepeat = onRepeat;
    this.#untilChange = untilChange;
    this.#responses = new VersionedCache(RESPONSE_BYTES_MAX, version);
    this.#parameters = new VersionedCache(REQUEST_BYTES_MAX, version);
    this.#requests = new VersionedCache(REQUEST_BYTES_MAX, version);
  }

  /** The answer to a request that `cacheRequest` has cached; null: the request is not cached. */
  readonly answer = (request: IncomingMessage): CachedResponse | null => {
    if (request.method !== "GET") return null;
    const { url = "", headers } = request;
    const key = requestKey(url, headers.accept, headers["accept-encoding"]);
    if (key.length > REQUEST_KEY_CHARACTERS_MAX) return null;
    if (url.includes("?") && !this.#seen.has(key)) return null;
    const reference = this.#requests.get(key);
    if (reference === undefined) return null;
    const encoded = this.#responses.get(reference.key)?.encodedIfReady(reference.encoding);
    if (encoded === undefined) return null;
    const answer: CachedResponse = matchesEtag(headers["if-none-match"], encoded.etag)
      ? { status: 304, headers: encoded.headersUnchanged, body: null }
      : { status: 200, headers: encoded.headers, body: encoded.bytes };
    this.#onRepeat(answer.status, reference.address);
    return answer;
  };

  /**
   * Caches a request, so that `answer` handles its repeats. Requests with a query are cached from
   * their second occurrence on.
   */
  cacheRequest({ method, target, header }: HttpRequest, { cached }: HttpResponse): void {
    if (cached === undefined || method !== "GET") return;
    const key = requestKey(target, header("accept"), header("accept-encoding"));
    if (key.length > REQUEST_KEY_CHARACTERS_MAX) return;
    if (target.includes("?") && !this.#seen.add(key)) return;
    const size = ENTRY_BYTES + key.length * BYTES_PER_CHARACTER;
    this.#requests.set(key, cached, { size, version: this.#version() });
    if (this.#expiry !== undefined) return;
    const milliseconds = Math.min(REQUEST_MILLISECONDS_MAX, this.#untilChange());
    this.#expiry = setTimeout(() => this.#expire(), milliseconds).unref();
  }

  /** The answer from a cached response; null: not cached. */
  answerCached(
    request: HttpRequest,
    selection: CachedResponseSelection,
  ): Promise<HttpResponse> | null {
    const names = this.#parameters.get(selection.address);
    if (names === undefined) return null;
    const key = answerKey(selection, names);
    const response = this.#responses.get(key);
    return response === undefined
      ? null
      : this.#respond(request, { address: selection.address, key, response });
  }

  /** Caches a response and answers with it. */
  storeAndAnswer(
    request: HttpRequest,
    selection: CachedResponseSelection,
    rendered: VersionedResponse,
  ): Promise<HttpResponse> {
    return this.#respond(request, this.#storeRendered(selection, rendered));
  }

  /**
   * Renders a response, caches it and answers with it. Identical requests that arrive during rendering
   * share the result.
   */
  async renderAndAnswer(
    request: HttpRequest,
    selection: CachedResponseSelection,
    render: () => Promise<VersionedResponse>,
  ): Promise<HttpResponse> {
    const stored = await this.#rendering.run(`${selection.address} ${this.#version()}`, () => {
      const rendering = this.#lastRendering.then(render);
      this.#lastRendering = rendering.catch(() => {});
      return rendering.then((rendered) => this.#storeRendered(selection, rendered));
    });
    return await this.#respond(request, stored);
  }

  #storeRendered(
    selection: CachedResponseSelection,
    { response: rendered, version, parameters }: VersionedResponse,
  ): StoredResponse {
    const { address } = selection;
    const size = ENTRY_BYTES + address.length * BYTES_PER_CHARACTER;
    this.#parameters.set(address, parameters, { size, version });
    const key = answerKey(selection, parameters);
    const response = new EncodableResponse(rendered, this.#headers);
    this.#store(key, response, version);
    return { address, key, response };
  }

  async #respond(
    request: HttpRequest,
    { address, key, response }: StoredResponse,
  ): Promise<HttpResponse> {
    const encoded = await response.encodedFor(request);
    // Stores the response again, because its size grows with each new content coding.
    if (this.#responses.get(key) === response) this.#store(key, response, this.#version());
    const answer = response.answerIn(encoded, request);
    if (answer.status !== 200) return answer;
    return { ...answer, cached: { address, key, encoding: encoded.encoding } };
  }

  #store(key: string, response: EncodableResponse, version: number): void {
    const size = ENTRY_BYTES + key.length * BYTES_PER_CHARACTER + response.size;
    this.#responses.set(key, response, { size, version });
  }

  #expire(): void {
    this.#requests.clear();
    this.#expiry = undefined;
  }
}

function answerKey(
  { address, query }: CachedResponseSelection,
  parameters: readonly string[],
): string {
  const values = parameters.map((name) => `${name}=${query.parameter(name) ?? ""}`);
  return [address, ...values].join("\n");
}

/** Builds the cache key from the parts of a request that select the answer. */
function requestKey(
  target: string,
  accept: string | undefined,
  acceptEncoding: string | string[] | undefined,
): string {
  return `${target}\n${accept}\n${acceptEncoding}`;
}
