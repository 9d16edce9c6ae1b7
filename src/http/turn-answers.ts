import type { ServerResponse } from "node:http";
import type { PagePiece } from "../render/page-pieces.ts";
import { ReusedBytes } from "./reused-bytes.ts";

const ROOM_BYTES = 256 * 1024;

interface MadeAnswer {
  status: number;
  /** Names and values in turn. */
  headers: string[];
  /** None for 304. */
  bytes: Buffer | undefined;
}

/** Answers to requests that `TurnRequests` took up together, sent when all of them are made. */
export class TurnAnswers {
  readonly #bytes = new ReusedBytes(ROOM_BYTES);
  #waiting: { response: ServerResponse; answer: MadeAnswer }[] = [];

  /** The bytes of an answer, to be sent or copied in the same turn of the event loop. */
  readonly join = (pieces: readonly PagePiece[]): Buffer => {
    if (!this.#bytes.hasRoomFor(pieces)) this.#sendAll();
    return this.#bytes.joined(pieces);
  };

  /** Before anything more is read. */
  send(response: ServerResponse, answer: MadeAnswer): void {
    this.#waiting.push({ response, answer });
    if (this.#waiting.length === 1) process.nextTick(this.#sendAll);
  }

  readonly #sendAll = (): void => {
    const answers = this.#waiting;
    this.#waiting = [];
    for (const { response, answer } of answers) {
      response.writeHead(answer.status, answer.headers).end(answer.bytes);
    }
    const isAllSent = answers.every(({ response }) => response.writableLength === 0);
    if (isAllSent) this.#bytes.useAgain();
    else this.#bytes.giveAway();
  };
}
