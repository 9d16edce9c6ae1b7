import type { IncomingMessage, ServerResponse } from "node:http";
import { Kept } from "../kept.ts";
import { type KeptForm, matches } from "./reply.ts";

const KEPT_BYTES_MAX = 64 * 1024 * 1024;
/** What an answer takes beside its bytes, roughly. */
const ANSWER_BYTES = 2000;
/** Some documents change with the calendar alone, by the month. */
const KEPT_MILLISECONDS_MAX = 10 * 60 * 1000;

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
  readonly #version: () => number;
  readonly #answers = new Kept<Answer>(KEPT_BYTES_MAX);
  #shown = -1;
  #keptUntil = 0;

  /** `version` changes whenever anything published changes, also by another process. */
  constructor(version: () => number) {
    this.#version = version;
  }

  /** Answers the request if it can; otherwise does nothing. */
  answer(request: IncomingMessage, response: ServerResponse): boolean {
    if (request.method !== "GET") return false;
    this.#forgetOutdated();
    const answer = this.#answers.get(keyOf(request));
    if (answer === undefined) return false;
    const held = request.headers["if-none-match"];
    if (held !== undefined && (held === answer.etag || matches(held, answer.etag))) {
      response.writeHead(304, answer.headersUnchanged).end();
    } else {
      response.writeHead(200, answer.headers).end(answer.bytes);
    }
    return true;
  }

  /** Keeps the form in which a page was just sent, with the headers it was sent with. */
  remember(request: IncomingMessage, { bytes, etag, version }: KeptForm, headers: Headers): void {
    const all = [...headers].filter(([name]) => name !== "x-request-id");
    const unchanged = all.filter(([name]) => !/^content-(?:type|length|encoding)$/.test(name));
    const answer = { bytes, etag, headers: all.flat(), headersUnchanged: unchanged.flat() };
    this.keep(request, answer, version);
  }

  /** Keeps an answer made of what was published at a version of the reading copy. */
  keep(request: IncomingMessage, answer: Answer, version: number): void {
    this.#forgetOutdated();
    // The page may have been made before a change that has been noticed since.
    if (request.method !== "GET" || version !== this.#shown) return;
    this.#answers.keep(keyOf(request), answer, answer.bytes.length + ANSWER_BYTES);
  }

  #forgetOutdated(): void {
    const version = this.#version();
    const now = Date.now();
    if (version === this.#shown && now < this.#keptUntil) return;
    this.#answers.clear();
    this.#shown = version;
    this.#keptUntil = now + KEPT_MILLISECONDS_MAX;
  }
}

/** What decides between answers. */
export function keyOf({ url, headers }: IncomingMessage): string {
  return `${url}\n${headers.accept}\n${headers["accept-encoding"]}`;
}
