import assert from "node:assert/strict";
import { Agent, type IncomingMessage, request } from "node:http";
import { json } from "node:stream/consumers";
import { after, it } from "node:test";
import { z } from "zod";
import { issueKey } from "../../../src/access/keys/keys.ts";
import { ended, listening } from "../../support/listening.ts";
import { NOW, openFixture } from "../../support/open-fixture.ts";

const site = await openFixture();
const port = await listening(site.server);
const agents = { greedy: new Agent({ keepAlive: true }), modest: new Agent({ keepAlive: true }) };
after(async () => {
  for (const agent of Object.values(agents)) agent.destroy();
  await ended(site.server);
  await site.close();
});

/**
 * By the limit, whose queue takes half a second, or by a store that began no transaction in a second
 * and a half, and needs longer until it is worth another attempt; on a busy machine by the limit on
 * requests of all kinds.
 */
const RETRY_AFTER: Readonly<Record<string, string>> = {
  "More changes are asked for than can be made: repeat this one a little later": "1",
  "More requests arrive than can be answered: repeat this one in a second": "1",
  "The store is busy: nothing was changed; try again in 2 seconds": "2",
};

async function editor(name: string): Promise<string> {
  const input = { name, scopes: ["content:write"], ratePerMinute: 100_000 } as const;
  const { key } = await issueKey(site.record.keys, { kind: "operator" }, input, NOW);
  return key;
}

interface Answer {
  status: number | undefined;
  retryAfter: string | undefined;
  /** Of a refusal. */
  detail: string | undefined;
}

async function create(key: string, title: string, agent: Agent): Promise<Answer> {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const options = { host: "127.0.0.1", port, path: "/api/v1/content", method: "POST" };
    request({ ...options, headers, agent }, resolve)
      .on("error", reject)
      .end(JSON.stringify({ type: "topic", title }));
  });
  const { detail } = z.object({ detail: z.string().optional() }).parse(await json(response));
  return { status: response.statusCode, retryAfter: response.headers["retry-after"], detail };
}

it("lets one editor's few changes through while another's hundreds wait or are refused", async () => {
  const [greedy, modest] = [await editor("Greedy"), await editor("Modest")];
  const first = [greedy, modest, modest, modest].map((key, number) =>
    create(key, `First ${number}`, key === greedy ? agents.greedy : agents.modest),
  );
  // Both keys are known now, and the connections of the few are open.
  for (const { status } of await Promise.all(first)) assert.equal(status, 201);
  let finished = 0;
  const flood = Array.from({ length: 300 }, async (_, number) => {
    const response = await create(greedy, `Greedy ${number}`, agents.greedy);
    finished += 1;
    return response;
  });
  await Promise.race(flood);
  const few = await Promise.all(
    [1, 2, 3].map((number) => create(modest, `Modest ${number}`, agents.modest)),
  );
  assert.ok(finished < 250, `${finished} were answered before`);
  assert.deepEqual(
    few.map(({ status }) => status),
    [201, 201, 201],
  );
  const answers = await Promise.all(flood);
  const refused = answers.filter(({ status }) => status !== 201);
  for (const { status, retryAfter, detail = "" } of refused) {
    assert.deepEqual([status, retryAfter], [503, RETRY_AFTER[detail]], detail);
  }
});
