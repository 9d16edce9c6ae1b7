import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { AskedBefore } from "../asked-before.ts";
import { KeptOfVersion } from "../kept.ts";
import { type KeptForm, matches } from "./reply.ts";

const KEPT_BYTES_MAX = 64 * 1024 * 1024;
/** What an answer takes beside its bytes, roughly. */
const ANSWER_BYTES = 2000;
/** Some documents change with the calendar alone, by the month. */
const KEPT_MILLISECONDS_MAX = 10 * 60 * 1000;
const ASKED_MAX = 20_000;

/** An answer ready to be written again. */
export interface Answer {
  bytes: Uint8Array;
  etag: string;
  /** Names and values in turn, as `writeHead` takes them. */
  headers: string[];
  headersUnchanged: string[];
}

/**
 * Whole answers to reads that came before, found by the request line and the two headers that decide
 * between forms of a page, and written without going through the app again. All are let go as soon
 * as anything published changes.
 */
export class HotPath {
  readonly #answered: (status: number) => void;
  readonly #answers: KeptOfVersion<Answer>;
  /** With a query. V8 keeps each text that is looked for in a map, so what was not asked is not. */
  readonly #asked = new AskedBefore(ASKED_MAX);
  #letGoLater: NodeJS.Timeout | undefined;

  /** `version` changes whenever anything published changes, also by another process. */
  constructor(version: () => number, answered: (status: number) => void = () => {}) {
    this.#answers = new KeptOfVersion(KEPT_BYTES_MAX, version);
    this.#answered = answered;
  }

  /** Answers the request if it can; otherwise does nothing. */
  readonly answer = (request: IncomingMessage, response: ServerResponse): boolean => {
    if (request.method !== "GET") return false;
    const { url, headers } = request;
    const key = keyOf(url, headers);
    if (hasQuery(url) && !this.#asked.has(key)) return false;
    const answer = this.#answers.get(key);
    if (answer === undefined) return false;
    const held = headers["if-none-match"];
    if (held !== undefined && matches(held, answer.etag)) {
      response.writeHead(304, answer.headersUnchanged).end();
    } else {
      response.writeHead(200, answer.headers).end(answer.bytes);
    }
    this.#answered(response.statusCode);
    return true;
  };

  /** Keeps the form in which a page was just sent, with the headers it was sent with. */
  remember(request: IncomingMessage, { bytes, etag, version }: KeptForm, headers: Headers): void {
    const all = [...headers].filter(([name]) => name !== "x-request-id");
    const unchanged = all.filter(([name]) => !/^content-(?:type|length|encoding)$/.test(name));
    const answer = { bytes, etag, headers: all.flat(), headersUnchanged: unchanged.flat() };
    this.keep(request, answer, version);
  }

  /**
   * Is an answer to be kept? Whoever asks with ever other queries fills no memory with what nobody asks
   * for again.
   */
  isKept({ url, headers }: IncomingMessage): boolean {
    return !hasQuery(url) || this.#asked.note(keyOf(url, headers));
  }

  /** Keeps an answer made of what was published at a version of the reading copy. */
  keep(request: IncomingMessage, answer: Answer, version: number): void {
    if (request.method !== "GET") return;
    const { url, headers } = request;
    const key = keyOf(url, headers);
    if (hasQuery(url)) this.#asked.note(key);
    this.#answers.keep(key, answer, { size: answer.bytes.length + ANSWER_BYTES, version });
    this.#letGoLater ??= setTimeout(() => this.#letGo(), KEPT_MILLISECONDS_MAX).unref();
  }

  #letGo(): void {
    this.#answers.clear();
    this.#letGoLater = undefined;
  }
}

function hasQuery(url: string | undefined): boolean {
  return url?.includes("?") === true;
}

/** What decides between answers. */
function keyOf(url: string | undefined, headers: IncomingHttpHeaders): string {
  return `${url}\n${headers.accept}\n${headers["accept-encoding"]}`;
}
