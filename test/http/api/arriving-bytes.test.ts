import assert from "node:assert/strict";
import { it, mock } from "node:test";
import { AppError } from "../../../src/errors.ts";
import { arrivingBytes } from "../../../src/http/api/arriving-bytes.ts";
import type { ApiRequest } from "../../../src/http/api/exchange.ts";

/** A request of which only the body is asked for. */
function sending(pieces: () => AsyncIterable<Uint8Array>): ApiRequest {
  return {
    method: "POST",
    url: new URL("http://site.test/api/v1/jobs"),
    header: () => null,
    hasBody: true,
    bytes: async () => new Uint8Array(),
    pieces,
    mayTakeLong() {},
  };
}

it("gives up a body of which nothing comes for half a minute", async () => {
  mock.timers.enable({ apis: ["setTimeout", "setImmediate"] });
  try {
    const stalled = sending(async function* () {
      yield new Uint8Array([1]);
      await new Promise(() => {});
    });
    const bytes = arrivingBytes(stalled, "send it once more");
    assert.deepEqual((await bytes.next()).value, new Uint8Array([1]));
    const next = bytes.next();
    await Promise.resolve();
    mock.timers.tick(29_999);
    mock.timers.tick(2);
    const message = "Nothing came for 30 seconds; send it once more";
    await assert.rejects(next, new AppError("invalid", message));
  } finally {
    mock.timers.reset();
  }
});

it("says that a body broke off when its sender has gone", async () => {
  const gone = sending(async function* () {
    yield new Uint8Array([1]);
    throw new Error("aborted");
  });
  const bytes = arrivingBytes(gone, "send it once more");
  await bytes.next();
  await assert.rejects(bytes.next(), /aborted/);
});
