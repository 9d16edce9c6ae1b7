import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import type { Scope } from "../../src/access/actor.ts";
import { issueKey } from "../../src/access/keys/keys.ts";
import { type ContactSite, MESSAGE, openContactSite } from "../support/contact.ts";
import { ORIGIN } from "../support/open-fixture.ts";
import { createDatabase, onPostgres, type TestDatabase } from "../support/postgres-store.ts";
import { NOW, OPERATOR } from "../support/record-store.ts";
import { sendTo } from "../support/send-to.ts";
import { until } from "../support/until.ts";
import { openWay } from "../support/way-to-database.ts";

onPostgres("access to two instances", () => {
  let database: TestDatabase;
  let one: ContactSite;
  let other: ContactSite;

  before(async () => {
    database = await createDatabase();
    const options = { config: { databaseUrl: database.url } };
    one = await openContactSite(options);
    other = await openContactSite(options);
  });

  after(async () => {
    await one[Symbol.asyncDispose]();
    await other[Symbol.asyncDispose]();
    await database[Symbol.asyncDispose]();
  });

  it("is exactly 60 tool calls of 200 that one key makes at both at once", async () => {
    const key = await issue("mcp:read");
    const call = JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "list_topics", arguments: { limit: 1 } },
    });
    const answers = await Promise.all(
      Array.from({ length: 200 }, async (_, at) => {
        return await post(at % 2 === 0 ? one : other, "/mcp", key, call);
      }),
    );
    const accepted = answers.filter(({ status }) => status === 200);
    assert.equal(accepted.length, 60);
    assert.equal(answers.filter(({ status }) => status === 429).length, 140);
    const left = accepted.map((answer) => answer.headers.get("ratelimit"));
    assert.equal(new Set(left).size, 60, "each is told another rest");
    assert.equal((await post(one, "/mcp", await issue("mcp:read"), call)).status, 200);
  });

  it("counts what a key asks of the interface apart, ten times as much, also at both", async () => {
    const key = await issue("mcp:read", "content:read");
    const answers = await Promise.all(
      Array.from({ length: 700 }, async (_, at) => {
        const headers = { authorization: `Bearer ${key}` };
        const { app } = at % 2 === 0 ? one : other;
        return (await sendTo(app.http, "/api/v1/", { headers })).status;
      }),
    );
    assert.equal(answers.filter((status) => status === 200).length, 600);
    const ping = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" });
    assert.equal((await post(one, "/mcp", key, ping)).status, 200);
  });

  it("has one effect and one answer for repeats of a request that reach both at once", async () => {
    const key = await issue("keys:manage", "mcp:read");
    const body = JSON.stringify({ name: "Made once", scopes: ["mcp:read"] });
    const answers = await Promise.all(
      Array.from({ length: 12 }, async (_, at) => {
        const instance = at % 2 === 0 ? one : other;
        return await post(instance, "/api/v1/keys", key, body, { "idempotency-key": "once" });
      }),
    );
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201]));
    assert.equal(new Set(await Promise.all(answers.map((answer) => answer.text()))).size, 1);
    const keys = await one.app.record.keys.page({ after: null, limit: 100 });
    assert.equal(keys.filter(({ name }) => name === "Made once").length, 1);
  });

  it("keeps a form once whose clicks reach both", async () => {
    const { opened } = await one.open();
    one.wait(10);
    other.wait(10);
    const form = new URLSearchParams({ form: "message", opened, ...MESSAGE, text: "Only once" });
    const clicks = await Promise.all([one, other, one].map((site) => site.post("/contact", form)));
    assert.deepEqual(
      clicks.map(({ status }) => status),
      [303, 303, 303],
    );
    const { messages } = one.app.record;
    const kept = await messages.list({ state: null, before: null, limit: 100 });
    assert.equal(kept.filter(({ text }) => text === "Only once").length, 1);
  });

  it("goes on with keys it knows while the database is away, and asks others to come back", async () => {
    await using way = await openWay(database.url);
    await using away = await openContactSite({ config: { databaseUrl: way.url } });
    const [known, unseen] = [await issue("mcp:read"), await issue("mcp:read", "content:read")];
    const ping = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" });
    assert.equal((await post(away, "/mcp", known, ping)).status, 200);
    await way.cut();
    for (let call = 0; call < 5; call += 1) {
      assert.equal((await post(away, "/mcp", known, ping)).status, 200);
    }
    const inMcp = await post(away, "/mcp", unseen, ping);
    assert.deepEqual([inMcp.status, inMcp.headers.get("retry-after")], [503, "5"]);
    assert.match(await inMcp.text(), /"message":"Keys cannot be checked for the moment, as the/);
    const headers = { authorization: `Bearer ${unseen}` };
    const inApi = await sendTo(away.app.http, "/api/v1/", { headers });
    assert.deepEqual([inApi.status, inApi.headers.get("retry-after")], [503, "5"]);
    assert.match(await inApi.text(), /"detail": "Keys cannot be checked for the moment, as the/);
    await way.mend();
    await until(async () => (await post(away, "/mcp", unseen, ping)).status === 200);
  });

  async function issue(...scopes: Scope[]): Promise<string> {
    const { keys } = one.app.record;
    return (await issueKey(keys, OPERATOR, { name: "Agent", scopes }, NOW)).key;
  }
});

async function post(
  { app }: ContactSite,
  path: string,
  key: string,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const sent = {
    ...headers,
    host: new URL(ORIGIN).host,
    "content-type": "application/json",
    authorization: `Bearer ${key}`,
  };
  return await sendTo(app.http, path, { method: "POST", headers: sent, body });
}
