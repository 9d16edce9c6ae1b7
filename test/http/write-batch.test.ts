import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setImmediate } from "node:timers/promises";
import { WriteBatch } from "../../src/http/socket/write-batch.ts";

describe("Answers of one event-loop turn", () => {
  it("are written first at once, then together and in order at the end of the turn", async () => {
    const writes = new WriteBatch();
    const written: number[] = [];
    for (const turn of [0, 10]) {
      for (const number of [1, 2, 3]) writes.run(() => written.push(turn + number));
      assert.deepEqual(written.splice(0), [turn + 1]);
      await setImmediate();
      assert.deepEqual(written.splice(0), [turn + 2, turn + 3]);
    }
  });
});
