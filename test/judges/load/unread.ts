import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import type { DemoServer } from "../demo-server.ts";
import type { Verdict } from "../verdict.ts";
import { peakDuring, residentMegabytes, restingMegabytes } from "./process-memory.ts";
import { Answers, Client, sendWithoutPause } from "./traffic.ts";

const LARGEST = "/llms-full.txt";
const MEGABYTES_MAX = 256;
const GONE_AFTER_MS = 30_000;
/** After this long without data, the kernel has delivered what it held. */
const QUIET_MS = 2000;
const SLOW_BYTES_A_SECOND = 10_000;
const SLOW_PIECES_A_SECOND = 5;
const SLOW_AHEAD_MS = 1000;
/** More than the kernel buffers for one connection. */
const SLOW_ANSWERS = 3;
const SILENT_REQUESTS = 2;
const PIPELINES = 10;
const HEADER_CHARACTERS = 15_000;

export interface UnreadSizes {
  silent: number;
  pipelined: number;
  headers: number;
  idle: number;
}

/** Clients that make the server hold memory, together with harmless slow readers. */
export async function judgeUnread(
  server: DemoServer,
  { silent, pipelined, headers, idle }: UnreadSizes,
): Promise<Verdict[]> {
  const whole = await (await fetch(server.origin + LARGEST)).text();
  const rest = await restingMegabytes(server.pid);
  const sockets: Socket[] = [];
  const hold = async (count: number, network: number, text: string) => {
    for (let number = 0; number < count; number += 1) {
      const address = `127.0.${network}.${1 + (number % 200)}`;
      sockets.push(await connectFrom(server.origin, address));
      sockets.at(-1)?.write(text);
    }
  };
  const slow = Array.from({ length: 3 }, (_, number) => new SlowReader(server.origin, number));
  const peak = await peakDuring(server.pid, async () => {
    // Gives the server time to begin the answers to them before the others come.
    await wait(SLOW_AHEAD_MS);
    await hold(silent, 1, requestFor(LARGEST).repeat(SILENT_REQUESTS));
    await hold(PIPELINES, 2, requestFor(LARGEST).repeat(pipelined / PIPELINES));
    await hold(idle, 3, "");
    await sendHeaders(server, headers);
    await wait(GONE_AFTER_MS);
  });
  const left = residentMegabytes(server.pid);
  const askers = sockets.slice(0, silent + PIPELINES).map((socket, at) => {
    return { socket, requests: at < silent ? SILENT_REQUESTS : pipelined / PIPELINES };
  });
  const open = await stillHeld(server.pid, askers);
  const ends = await Promise.all(slow.map((reader) => reader.rest(whole)));
  for (const socket of sockets) socket.destroy();
  const names = `${silent} that never read, ${pipelined} pipelined, ${headers} unlike headers, ${idle} idle`;
  return [
    {
      what: `memory under clients that hold it: ${names}`,
      passed: peak <= rest + MEGABYTES_MAX,
      detail: `${Math.round(peak - rest)} MB above rest at the peak, ${Math.round(rest)} at rest`,
    },
    {
      what: "half a minute later",
      passed: open === 0 && left <= rest + MEGABYTES_MAX / 2,
      detail: `${open} of ${askers.length} still hold an answer, ${Math.round(left - rest)} MB above rest`,
    },
    {
      what: "readers of 10 KB a second meanwhile",
      passed: ends.every((end) => end === "whole" || end === "refused") && ends.includes("whole"),
      detail: ends.join(", "),
    },
  ];
}

interface Asker {
  socket: Socket;
  requests: number;
}

/**
 * Number of clients for which the server still holds an answer. It is suspended meanwhile, so that clients
 * receive only what the kernel holds. That is all of the answer, or the end of a cut connection, unless the
 * server holds the rest.
 */
async function stillHeld(pid: number, askers: readonly Asker[]): Promise<number> {
  const received = new Map<Socket, Buffer[]>(askers.map(({ socket }) => [socket, []]));
  process.kill(pid, "SIGSTOP");
  try {
    let latest = performance.now();
    for (const [socket, pieces] of received) {
      socket.on("data", (piece: Buffer) => {
        pieces.push(piece);
        latest = performance.now();
      });
      socket.resume();
    }
    while (performance.now() - latest < QUIET_MS) await wait(QUIET_MS / 10);
  } finally {
    process.kill(pid, "SIGCONT");
  }
  return askers.filter(({ socket, requests }) => {
    const text = Buffer.concat(received.get(socket) ?? []).toString("latin1");
    return !socket.closed && wholeAnswers(text) < requests;
  }).length;
}

function wholeAnswers(text: string): number {
  let count = 0;
  for (let at = 0; ; count += 1) {
    const bodyAt = text.indexOf("\r\n\r\n", at) + 4;
    const length = /^content-length: (\d+)/im.exec(text.slice(at, bodyAt))?.[1];
    if (length === undefined || bodyAt + Number(length) > text.length) return count;
    at = bodyAt + Number(length);
  }
}

function requestFor(path: string): string {
  return `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
}

function bodyOf(answer: string): string {
  return answer.slice(answer.indexOf("\r\n\r\n") + 4);
}

async function connectFrom(origin: string, localAddress: string): Promise<Socket> {
  const { hostname: host, port } = new URL(origin);
  const socket = connect({ host, port: Number(port), localAddress }).pause();
  // The server ends the connection, as it should.
  socket.on("error", () => {});
  await once(socket, "connect");
  return socket;
}

async function sendHeaders(server: DemoServer, count: number): Promise<void> {
  using client = new Client(server.origin, "127.0.4.1", { forwarded: false });
  const answers = new Answers();
  const padding = "a".repeat(HEADER_CHARACTERS);
  let sent = 0;
  const sendOne = async () => {
    sent += 1;
    const headers = { accept: `text/html;x=${sent}${padding}` };
    await client.send({ path: "/topics", headers }, answers);
  };
  while (sent < count) await sendWithoutPause(16, 0.5, sendOne);
}

/** Requests more than the kernel buffers, and reads it at 10 KB per second. */
class SlowReader {
  readonly #socket: Promise<Socket>;
  readonly #pieces: Buffer[] = [];
  readonly #begun = performance.now();
  #bytes = 0;
  readonly #reading: NodeJS.Timeout;

  constructor(origin: string, number: number) {
    this.#socket = connectFrom(origin, `127.0.5.${1 + number}`);
    void this.#socket.then((socket) => {
      const last = requestFor(LARGEST).replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n");
      socket.write(requestFor(LARGEST).repeat(SLOW_ANSWERS - 1) + last);
    });
    this.#reading = setInterval(() => this.#readSome(), 1000 / SLOW_PIECES_A_SECOND);
  }

  /** Reads the rest without pause. */
  async rest(whole: string): Promise<"whole" | "refused" | "cut off" | "altered"> {
    clearInterval(this.#reading);
    const socket = await this.#socket;
    socket.on("data", (piece: Buffer) => this.#pieces.push(piece)).resume();
    // `once` would reject on an error.
    if (!socket.closed) await new Promise((resolve) => socket.once("close", resolve));
    const answers = Buffer.concat(this.#pieces)
      .toString()
      .split(/(?=HTTP\/1\.1 \d{3} )/);
    const bodies = answers.filter((answer) => answer.startsWith("HTTP/1.1 200")).map(bodyOf);
    if (bodies.some((body) => !whole.startsWith(body))) return "altered";
    if (answers.length < SLOW_ANSWERS || bodies.some((body) => body !== whole)) return "cut off";
    return bodies.length === SLOW_ANSWERS ? "whole" : "refused";
  }

  /** Reads what is due by now, since timers fire late on a busy machine. */
  async #readSome(): Promise<void> {
    const socket = await this.#socket;
    const due = ((performance.now() - this.#begun) / 1000) * SLOW_BYTES_A_SECOND;
    const bytes = Math.round(due - this.#bytes);
    const piece: Buffer | null = bytes > 0 ? (socket.read(bytes) ?? socket.read()) : null;
    if (piece === null) return;
    this.#bytes += piece.length;
    this.#pieces.push(piece);
  }
}
