import assert from "node:assert/strict";
import { it } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { SentTogether, TurnRequests } from "../../src/http/turn-requests.ts";

/** Notes what happens to each request. */
function noting() {
  const happened: string[] = [];
  const requests = new TurnRequests(() => void happened.push("ended"));
  const sent = new SentTogether();
  const ask = (name: string, waiting: Promise<unknown> = Promise.resolve()) => {
    happened.push(`read ${name}`);
    requests.take(() => {
      happened.push(`answer ${name}`);
      void waiting.then(() => sent.add(() => void happened.push(`send ${name}`)));
    });
  };
  return { happened, ask };
}

it("answers what was read in one turn together, and sends it before anything more is read", async () => {
  const { happened, ask } = noting();
  ask("one");
  ask("two");
  const more = new Promise<void>((resolve) => {
    setImmediate(() => {
      ask("three");
      resolve();
    });
  });
  await more;
  await nextTurn();
  await nextTurn();
  assert.deepEqual(happened, [
    ...["read one", "read two", "answer one", "answer two", "ended", "send one", "send two"],
    ...["read three", "answer three", "ended", "send three"],
  ]);
});

it("lets nobody wait for an answer that takes longer, and sends that as well", async () => {
  const { happened, ask } = noting();
  const search = Promise.withResolvers<void>();
  ask("search", search.promise);
  ask("other");
  await nextTurn();
  await nextTurn();
  assert.deepEqual(happened.slice(-2), ["ended", "send other"]);
  search.resolve();
  await nextTurn();
  assert.equal(happened.at(-1), "send search");
});

it("sends the first answers before all of very many are made", async () => {
  const { happened, ask } = noting();
  for (let number = 0; number < 100; number += 1) ask(String(number));
  while (!happened.includes("send 99")) await nextTurn();
  assert(happened.indexOf("send 0") < happened.indexOf("answer 50"));
  const sent = happened.filter((what) => what.startsWith("send"));
  assert.deepEqual(
    sent,
    Array.from({ length: 100 }, (_, number) => `send ${number}`),
  );
});
