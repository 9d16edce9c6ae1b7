import assert from "node:assert/strict";
import { it, mock } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { englishOnlyWording } from "../../../src/errors.ts";
import { streamRequestBody } from "../../../src/http/api/arriving-bytes.ts";
import type { HttpRequest } from "../../../src/http/exchange.ts";
import { createInProcessRequest } from "../../../src/http/in-process.ts";

/** A request of which only the body is asked for. */
function sending(pieces: () => AsyncIterable<Uint8Array>): HttpRequest {
  const nothing = { method: "POST", headers: new Headers(), body: null };
  const body = { declaredBytes: null, pieces, countBytes() {} };
  return { ...createInProcessRequest("/api/v1/jobs", nothing), body };
}

const OPTIONS = {
  advice: englishOnlyWording("send it again"),
  draining: new AbortController().signal,
};

it("gives up a body that comes a byte at a time, and none that comes faster", async () => {
  const slowly = (bytes: number) =>
    sending(async function* () {
      for (let sent = 0; sent < 40; sent += 1) {
        await sleep(10);
        yield new Uint8Array(bytes);
      }
    });
  const read = async (bytes: number) => {
    let count = 0;
    const options = { ...OPTIONS, waitMilliseconds: 200 };
    for await (const piece of streamRequestBody(slowly(bytes), options)) count += piece.length;
    return count;
  };
  await assert.rejects(read(1), /too slowly: send at least 256 bytes a second/);
  assert.equal(await read(1000), 40_000);
});

it("ends when the server stops, however long the client is silent", async () => {
  const stopping = new AbortController();
  const silent = sending(async function* () {
    yield new Uint8Array([1]);
    await new Promise(() => {});
  });
  const bytes = streamRequestBody(silent, { ...OPTIONS, draining: stopping.signal });
  await bytes.next();
  const next = bytes.next();
  stopping.abort();
  await assert.rejects(next, /The server is stopping; send it again/);
});

it("gives up a body of which nothing comes for half a minute", async () => {
  mock.timers.enable({ apis: ["setTimeout", "setImmediate"] });
  try {
    const stalled = sending(async function* () {
      yield new Uint8Array([1]);
      await new Promise(() => {});
    });
    const bytes = streamRequestBody(stalled, OPTIONS);
    assert.deepEqual((await bytes.next()).value, new Uint8Array([1]));
    const next = bytes.next();
    await Promise.resolve();
    mock.timers.tick(29_999);
    mock.timers.tick(2);
    await assert.rejects(next, /less than 30 seconds; send it again$/);
  } finally {
    mock.timers.reset();
  }
});

it("says that a body broke off when its sender has gone", async () => {
  const gone = sending(async function* () {
    yield new Uint8Array([1]);
    throw new Error("aborted");
  });
  const bytes = streamRequestBody(gone, OPTIONS);
  await bytes.next();
  await assert.rejects(bytes.next(), /aborted/);
});
