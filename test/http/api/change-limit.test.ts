import assert from "node:assert/strict";
import { Agent, type IncomingMessage, request } from "node:http";
import { after, it } from "node:test";
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

async function editor(name: string): Promise<string> {
  const input = { name, scopes: ["content:write"], ratePerMinute: 100_000 } as const;
  const { key } = await issueKey(site.record.keys, { kind: "operator" }, input, NOW);
  return key;
}

async function create(key: string, title: string, agent: Agent): Promise<IncomingMessage> {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const options = { host: "127.0.0.1", port, path: "/api/v1/content", method: "POST" };
    request({ ...options, headers, agent }, resolve)
      .on("error", reject)
      .end(JSON.stringify({ type: "topic", title }));
  });
  response.resume();
  return response;
}

it("lets one editor's few changes through while another's hundreds wait or are refused", async () => {
  const [greedy, modest] = [await editor("Greedy"), await editor("Modest")];
  const first = [greedy, modest, modest, modest].map((key, number) =>
    create(key, `First ${number}`, key === greedy ? agents.greedy : agents.modest),
  );
  // Both keys are known now, and the connections of the few are open.
  for (const { statusCode } of await Promise.all(first)) assert.equal(statusCode, 201);
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
    few.map(({ statusCode }) => statusCode),
    [201, 201, 201],
  );
  const answers = await Promise.all(flood);
  const refused = answers.filter(({ statusCode }) => statusCode !== 201);
  for (const { statusCode, headers } of refused) {
    assert.deepEqual([statusCode, headers["retry-after"]], [503, "1"]);
  }
});
