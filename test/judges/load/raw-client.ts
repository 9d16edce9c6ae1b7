import { connect, type Socket } from "node:net";
import type { Asked } from "../scale/asking.ts";

const HEAD_END = "\r\n\r\n";

export interface RawReply {
  status: number;
  /** Since the request was written. */
  milliseconds: number;
}

/**
 * A pool of connections from one address that costs a tenth of node:http, so that a judge on the same machine
 * can send more than the server can answer. Reads only answers that state their length.
 */
export class RawClient implements Disposable {
  readonly #address: { host: string; port: number; localAddress: string };
  readonly #host: string;
  readonly #idle: RawConnection[] = [];
  readonly #open = new Set<RawConnection>();

  constructor(origin: string, localAddress: string) {
    const { host: name, hostname: host, port } = new URL(origin);
    this.#host = name;
    this.#address = { host, port: Number(port), localAddress };
  }

  /** @throws if the connection ends first. */
  async send({ method = "GET", path, headers = {}, body }: Asked): Promise<RawReply> {
    const connection = this.#takeIdle() ?? (await this.#connected());
    const text = body === undefined ? "" : JSON.stringify(body);
    const lines = Object.entries({ host: this.#host, ...headers }).map(
      ([name, value]) => `${name}: ${value}`,
    );
    if (text !== "") lines.push(`content-length: ${Buffer.byteLength(text)}`);
    const request = `${method} ${path} HTTP/1.1\r\n${lines.join("\r\n")}${HEAD_END}${text}`;
    try {
      const reply = await connection.exchange(request);
      this.#idle.push(connection);
      return reply;
    } catch (error) {
      this.#open.delete(connection);
      throw error;
    }
  }

  [Symbol.dispose](): void {
    for (const connection of this.#open) connection.end();
  }

  /** Drops connections that the server has closed, as it does after a minute without a request. */
  #takeIdle(): RawConnection | undefined {
    let connection = this.#idle.pop();
    while (connection?.isClosed === true) {
      this.#open.delete(connection);
      connection = this.#idle.pop();
    }
    return connection;
  }

  async #connected(): Promise<RawConnection> {
    const connection = new RawConnection(connect(this.#address));
    this.#open.add(connection);
    await connection.opened;
    return connection;
  }
}

interface Exchange {
  writtenAt: number;
  resolve(reply: RawReply): void;
  reject(error: Error): void;
}

class RawConnection {
  readonly opened: Promise<void>;
  readonly #socket: Socket;
  #exchange: Exchange | null = null;
  #head = "";
  #status = 0;
  /** Bytes of the body that are still to come; null: reading the head. */
  #left: number | null = null;

  constructor(socket: Socket) {
    this.#socket = socket.setNoDelay(true);
    this.opened = new Promise((resolve, reject) => {
      socket.once("connect", resolve).once("error", reject);
    });
    socket.on("data", (piece: Buffer) => this.#take(piece));
    socket.on("error", () => {});
    socket.on("close", () => this.#exchange?.reject(new Error("The connection was closed")));
  }

  get isClosed(): boolean {
    return this.#socket.destroyed;
  }

  exchange(request: string): Promise<RawReply> {
    return new Promise((resolve, reject) => {
      if (this.isClosed) return reject(new Error("The connection was closed"));
      this.#exchange = { writtenAt: performance.now(), resolve, reject };
      this.#socket.write(request);
    });
  }

  end(): void {
    this.#socket.destroy();
  }

  #take(piece: Buffer): void {
    if (this.#left === null) {
      this.#head += piece.toString("latin1");
      const end = this.#head.indexOf(HEAD_END);
      if (end < 0) return;
      this.#status = Number(this.#head.slice(9, 12));
      const length = /\r\ncontent-length: (\d+)/i.exec(this.#head)?.[1] ?? "0";
      this.#left = Number(length) - (this.#head.length - end - HEAD_END.length);
    } else {
      this.#left -= piece.length;
    }
    if (this.#left <= 0) this.#finish();
  }

  #finish(): void {
    const exchange = this.#exchange;
    const status = this.#status;
    this.#exchange = null;
    this.#head = "";
    this.#left = null;
    if (exchange === null) return;
    exchange.resolve({ status, milliseconds: performance.now() - exchange.writtenAt });
  }
}
