import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { Handler } from "../../src/http/exchange.ts";
import { createHttpServer } from "../../src/http/socket/listener.ts";
import { createLog } from "../../src/log.ts";
import { ended, listening } from "../support/listening.ts";
import { until } from "../support/until.ts";

const LARGE = Buffer.alloc(12 * 1024 * 1024, "x");
const CHECK_MS = 150;
const GET = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";

async function openServer(handle: Handler, options: { allClientsBytesMax?: number } = {}) {
  const cutOff: string[] = [];
  const server = createHttpServer(handle, {
    log: createLog("silent"),
    trustProxy: false,
    progressCheckMilliseconds: CHECK_MS,
    countCutOff: (reason) => cutOff.push(reason),
    ...options,
  });
  const port = await listening(server);
  return { port, cutOff, [Symbol.asyncDispose]: () => ended(server) };
}

const large: Handler = () => ({ status: 200, headers: {}, body: LARGE });
const inPieces: Handler = () => ({
  status: 200,
  headers: {},
  body: new ReadableStream({
    start(controller) {
      for (let at = 0; at < LARGE.length; at += 65_536) {
        controller.enqueue(LARGE.subarray(at, at + 65_536));
      }
      controller.close();
    },
  }),
});

async function asking(port: number, text: string, localAddress = "127.0.0.1"): Promise<Socket> {
  const socket = connect({ port, host: "127.0.0.1", localAddress }).pause();
  socket.on("error", () => {});
  await once(socket, "connect");
  socket.write(text);
  return socket;
}

describe("a client that does not read its answer", () => {
  for (const [name, handle] of Object.entries({ "in one piece": large, streamed: inPieces })) {
    it(`is cut off, ${name}, while one that reads slowly gets everything`, async () => {
      await using server = await openServer(handle);
      await asking(server.port, GET);
      const slow = await asking(server.port, GET);
      let received = 0;
      const started = performance.now();
      // A piece every few milliseconds: the kernel has room for more only every few checks.
      while (received < LARGE.length) {
        const piece: Buffer | null = slow.read();
        received += piece?.length ?? 0;
        if (slow.closed) break;
        await sleep(5);
      }
      slow.destroy();
      assert.ok(received >= LARGE.length, `cut off after ${received} bytes`);
      assert.ok(performance.now() - started > 2 * CHECK_MS, "not slow enough to be a test");
      await until(() => server.cutOff.length > 0);
      assert.deepEqual(server.cutOff, ["stalled"]);
    });
  }
});

describe("pipelined requests", () => {
  it("are answered one at a time, the next when the one before is taken", async () => {
    const order: string[] = [];
    let running = 0;
    let together = 0;
    const handle: Handler = async ({ target }) => {
      running += 1;
      together = Math.max(together, running);
      await sleep(5);
      running -= 1;
      order.push(target);
      return { status: 200, headers: {}, body: target };
    };
    await using server = await openServer(handle);
    const targets = Array.from({ length: 40 }, (_, number) => `/${number}`);
    const requests = targets.map((target) => GET.replace("/", target)).join("");
    const socket = await asking(
      server.port,
      requests.replace(/\r\n$/, "Connection: close\r\n\r\n"),
    );
    let text = "";
    for await (const piece of socket) text += piece;
    assert.equal(together, 1);
    assert.deepEqual(order, targets);
    assert.equal(text.split("HTTP/1.1 200 OK").length, targets.length + 1);
  });

  it("are answered before the fault of what follows them", async () => {
    const handle: Handler = ({ target }) => ({ status: 200, headers: {}, body: target });
    await using server = await openServer(handle);
    const socket = await asking(server.port, `${GET}${GET}${GET}nonsense\r\n\r\n`);
    let text = "";
    for await (const piece of socket) text += piece;
    const statuses = [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
    assert.deepEqual(statuses, ["200", "200", "200", "400"]);
  });

  it("wait, unanswered, while nothing is read", async () => {
    let answered = 0;
    await using server = await openServer(() => {
      answered += 1;
      return { status: 200, headers: {}, body: LARGE };
    });
    await asking(server.port, GET.repeat(1000));
    await until(() => server.cutOff.length > 0);
    assert.equal(answered, 1);
  });
});

describe("the memory that clients hold", () => {
  it("is bounded: the network that holds most loses connections, others do not", async () => {
    const never: Handler = () => new Promise(() => {});
    await using server = await openServer(never, { allClientsBytesMax: 2 * 1024 * 1024 });
    const quiet = await asking(server.port, GET, "127.0.0.3");
    const greedy = await Promise.all(
      Array.from({ length: 20 }, () => asking(server.port, GET.repeat(100), "127.0.0.2")),
    );
    await until(() => server.cutOff.length > 0);
    for (const socket of greedy) socket.resume();
    await until(() => greedy.some(({ closed }) => closed));
    assert.ok(
      greedy.some(({ closed }) => !closed),
      "all lost their connection",
    );
    assert.equal(quiet.closed, false);
    assert.ok(server.cutOff.every((reason) => reason === "memory"));
    for (const socket of [quiet, ...greedy]) socket.destroy();
  });
});
