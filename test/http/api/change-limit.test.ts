import assert from "node:assert/strict";
import { after, it } from "node:test";
import { z } from "zod";
import { issueKey } from "../../../src/access/keys/keys.ts";
import { runForClient } from "../../../src/search/current-client.ts";
import { NOW, openFixture } from "../../support/open-fixture.ts";
import { sendTo } from "../../support/send-to.ts";

const site = await openFixture();
after(() => site.close());

const QUEUE_FULL = "More changes are asked for than can be made: repeat this one a little later";
/** Of a store that began no transaction in a second and a half, and needs as long to be worth a new attempt. */
const STORE_BUSY = "The store is busy: nothing was changed; try again in 2 seconds";
const RETRY_AFTER: Readonly<Record<string, string>> = { [QUEUE_FULL]: "1", [STORE_BUSY]: "2" };
/** More than run at once and wait together. */
const FLOOD = 1000;
/** Changes that run at once. */
const RUNNING_MAX = 64;
/** How long a change waits before it is refused, where it is not refused for its editor's many. */
const WAIT_MILLISECONDS: Readonly<Record<string, number>> = {
  [QUEUE_FULL]: 500,
  [STORE_BUSY]: 1500,
};

async function editor(name: string): Promise<string> {
  const input = { name, scopes: ["content:write"], ratePerMinute: 100_000 } as const;
  const { key } = await issueKey(site.record.keys, { kind: "operator" }, input, NOW);
  return key;
}

interface Answer {
  status: number;
  retryAfter: string | null;
  /** Of a refusal. */
  detail: string;
}

async function create(key: string, title: string): Promise<Answer> {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const body = JSON.stringify({ type: "topic", title });
  const response = await runForClient(
    () => key,
    () => sendTo(site.http, "/api/v1/content", { method: "POST", headers, body }),
  );
  const { detail } = z.object({ detail: z.string().default("") }).parse(await response.json());
  return { status: response.status, retryAfter: response.headers.get("retry-after"), detail };
}

it("lets one editor's few changes through while another's hundreds wait or are refused", async () => {
  const [greedy, modest] = [await editor("Greedy"), await editor("Modest")];
  for (const key of [greedy, modest]) {
    assert.equal((await create(key, `First of ${key.length}`)).status, 201);
  }
  let made = 0;
  const queueFull = Promise.withResolvers<void>();
  const flood = Array.from({ length: FLOOD }, async (_, number) => {
    const answer = await create(greedy, `Greedy ${number}`);
    if (answer.status === 201) made += 1;
    if (answer.detail === QUEUE_FULL) queueFull.resolve();
    return answer;
  });
  await queueFull.promise;
  const few = await Promise.all(
    [1, 2, 3].map(async (number) => {
      const [start, before] = [performance.now(), made];
      const answer = await create(modest, `Modest ${number}`);
      return { ...answer, waited: performance.now() - start, madeMeanwhile: made - before };
    }),
  );
  for (const { status, detail, waited, madeMeanwhile } of few) {
    const told = `${status} after ${waited} ms and ${madeMeanwhile} changes of others: ${detail}`;
    // Those that run already, and as many that take turns with the few or end at the same time.
    assert.ok(madeMeanwhile <= 2 * RUNNING_MAX, told);
    // A machine that stands still makes nobody's changes, which is no preference.
    assert.ok(status === 201 || waited >= (WAIT_MILLISECONDS[detail] ?? Infinity), told);
  }
  const refused = (await Promise.all(flood)).filter(({ status }) => status !== 201);
  for (const { status, retryAfter, detail } of refused) {
    assert.deepEqual([status, retryAfter], [503, RETRY_AFTER[detail]], detail);
  }
});
