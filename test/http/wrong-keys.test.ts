import assert from "node:assert/strict";
import { get, type IncomingMessage } from "node:http";
import { after, describe, it } from "node:test";
import { issueKey } from "../../src/access/keys/keys.ts";
import { ended, listening } from "../support/listening.ts";
import { NOW, openFixture } from "../support/open-fixture.ts";

const site = await openFixture();
const input = { name: "Reader", scopes: ["content:read"] } as const;
const { key } = await issueKey(site.record.keys, { kind: "operator" }, input, NOW);
const port = await listening(site.server);
after(async () => {
  await ended(site.server);
  await site.close();
});

async function ask(authorization: string, localAddress: string) {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const options = { host: "127.0.0.1", port, path: "/api/v1/", agent: false, localAddress };
    get({ ...options, headers: { authorization } }, resolve).on("error", reject);
  });
  response.resume();
  return {
    status: response.statusCode,
    retryAfter: response.headers["retry-after"],
  };
}

describe("wrong keys from one network", () => {
  it("are slowed and then refused, while a right key and other networks are answered at once", async () => {
    let answered = 0;
    const wrong = Array.from({ length: 60 }, async (_, number) => {
      const answer = await ask(`Bearer no-${number}`, "127.0.0.2");
      answered += 1;
      return answer;
    });
    const fast = await Promise.race(wrong);
    assert.equal(fast.status, 401);
    const right = await ask(`Bearer ${key}`, "127.0.0.2");
    const elsewhere = await ask("Bearer no", "127.0.0.3");
    assert.deepEqual([right.status, elsewhere.status], [200, 401]);
    assert.ok(answered < wrong.length, "those that are slowed still wait");
    const answers = await Promise.all(wrong);
    const refused = answers.filter(({ status }) => status === 429);
    // One more of them is let through for each quarter of a second in which they arrive.
    assert.ok(refused.length > 0 && refused.length <= 60 - 28, `${refused.length} refused`);
    assert.ok(refused.every(({ retryAfter }) => retryAfter === "60"));
  });
});
