import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import type { Scope } from "../../../src/access/actor.ts";
import { sendKeyExpiryReminders } from "../../../src/access/keys/key-reminders.ts";
import { readConfig } from "../../../src/config.ts";
import { type Loose, openApiClient } from "../../support/api-client.ts";
import { openMailServer } from "../../support/mail-server.ts";
import { ORIGIN } from "../../support/open-fixture.ts";
import { sendTo } from "../../support/send-to.ts";
import { until } from "../../support/until.ts";

const ANY = { "If-Match": "*" };
const DAY_MILLISECONDS = 86_400_000;

const api = await openApiClient({ ticks: false });
after(() => api[Symbol.asyncDispose]());

async function callMcp(key: string, method: string, params: object = {}): Promise<Loose> {
  const response = await sendTo(api.app.http, "/mcp", {
    method: "POST",
    headers: {
      Authorization: `Bearer ${key}`,
      Host: "quotations.example",
      "Content-Type": "application/json",
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });
  return await response.json();
}

describe("a key for some tools", () => {
  it("lists and calls these, and no other", async () => {
    const body = { name: "One tool", scopes: ["mcp:read"], tools: ["list_topics"] };
    const { body: issued } = await api.request("POST", "/keys", { body });
    assert.deepEqual(issued.tools, ["list_topics"]);
    // Asked by another key first, so that answers for it are at hand.
    const open = await api.issue("mcp:read");
    const search = { name: "search_content", arguments: { query: "time" } };
    for (let time = 0; time < 3; time += 1) {
      await callMcp(open, "tools/list");
      await callMcp(open, "tools/call", search);
    }
    const { result } = await callMcp(issued.key, "tools/list");
    assert.deepEqual(
      result.tools.map(({ name }: Loose) => name),
      ["list_topics"],
    );
    const called = await callMcp(issued.key, "tools/call", { name: "list_topics", arguments: {} });
    assert.equal(called.result.isError, undefined);
    const refused = await callMcp(issued.key, "tools/call", search);
    assert.equal(
      refused.error.message,
      'Unknown tool "search_content"; the tools of this key are list_topics',
    );
    const all = { body: { tools: null }, headers: ANY };
    assert.deepEqual((await api.request("PATCH", `/keys/${issued.id}`, all)).body.tools, []);
    assert.equal((await callMcp(issued.key, "tools/list")).result.tools.length > 1, true);
    const { body: log } = await api.request("GET", `/audit?target=${issued.id}&action=key.change`);
    assert.equal(log.items[0].detail, "tools: any");
  });

  it("names tools that exist, and may read", async () => {
    const wrong = { name: "A", scopes: ["mcp:read"], tools: ["serch_content"] };
    const { status, body } = await api.request("POST", "/keys", { body: wrong });
    assert.equal(status, 400);
    assert.match(body.detail, /there is no serch_content; the tools are .*\bsearch_content\b/);
    const deaf = { name: "A", scopes: ["content:read"], tools: ["search_content"] };
    const refused = await api.request("POST", "/keys", { body: deaf });
    assert.match(refused.body.detail, /tools: only a key with the scope mcp:read calls tools/);
  });

  it("keeps them when it is rotated", async () => {
    const body = { name: "Turned", scopes: ["mcp:read"], tools: ["list_topics", "list_content"] };
    const { body: old } = await api.request("POST", "/keys", { body });
    const { body: fresh } = await api.request("POST", `/keys/${old.id}/rotate`);
    assert.deepEqual(fresh.tools, ["list_content", "list_topics"]);
  });
});

describe("narrowing a key", () => {
  it("leaves the scopes and tools that it used", async () => {
    const scopes = ["mcp:read", "content:read", "audit:read", "webhooks:manage"] as const;
    const { key, record } = await api.issueWith({ scopes });
    await api.request("GET", "/content", { key });
    await callMcp(key, "tools/list");
    await callMcp(key, "tools/call", { name: "list_topics", arguments: {} });
    await api.app.counting.saveAll();
    const path = `/keys/${record.id}/narrow`;
    assert.equal((await api.request("POST", path)).status, 428);
    const { body, text } = await api.request("POST", path, { headers: ANY });
    assert.deepEqual(
      [body.scopes, body.tools],
      [["mcp:read", "content:read"], ["list_topics"]],
      text,
    );
    assert.equal((await api.request("GET", "/audit", { key })).status, 403);
    const { body: log } = await api.request("GET", `/audit?target=${record.id}&action=key.change`);
    assert.equal(log.items[0].detail, "scopes: mcp:read, content:read; tools: list_topics");
  });

  it("leaves what its use may have needed besides", async () => {
    const scopes = ["content:write", "content:publish", "audit:read", "metrics:read"] as const;
    const writer = await api.issueWith({ scopes });
    const body = { type: "topic", title: "By a narrow key", status: "published" };
    await api.request("POST", "/content", { key: writer.key, body });
    const manager = await api.issueWith({ scopes: ["keys:manage", "audit:read"] });
    await api.request("GET", "/keys", { key: manager.key });
    await api.app.counting.saveAll();
    const narrowed = async (id: string) =>
      (await api.request("POST", `/keys/${id}/narrow`, { headers: ANY })).body.scopes;
    assert.deepEqual(await narrowed(writer.record.id), [
      "content:write",
      "content:publish",
      "metrics:read",
    ]);
    assert.deepEqual(await narrowed(manager.record.id), ["keys:manage", "audit:read"]);
  });

  it("leaves the scopes that an import, a picture or a webhook may have needed besides", async () => {
    const narrowed = async (use: [method: string, path: string], ...scopes: Scope[]) => {
      const { key, record } = await api.issueWith({ scopes: [...scopes, "requests:manage"] });
      await api.request(...use, { key });
      await api.app.counting.saveAll();
      const { body } = await api.request("POST", `/keys/${record.id}/narrow`, { headers: ANY });
      assert.deepEqual(body.scopes, scopes);
    };
    const writing = ["content:write", "content:publish", "media:write"] as const;
    await narrowed(["GET", "/jobs"], ...writing, "transfer:run");
    await narrowed(["DELETE", "/media/none"], ...writing);
    await narrowed(["POST", "/redirects"], "content:write", "content:publish");
    await narrowed(["GET", "/settings"], "content:write", "content:publish", "settings:write");
    await narrowed(["GET", "/webhooks"], "content:read", "audit:read", "webhooks:manage");
  });

  it("does not give back a tool that was taken away", async () => {
    const { key, record } = await api.issueWith({ scopes: ["mcp:read"] });
    const use = async () => {
      await callMcp(key, "tools/call", { name: "list_topics", arguments: {} });
      await api.app.counting.saveAll();
    };
    const narrow = async () =>
      (await api.request("POST", `/keys/${record.id}/narrow`, { headers: ANY })).body.tools;
    await use();
    const body = { tools: ["get_content_by_url"] };
    await api.request("PATCH", `/keys/${record.id}`, { body, headers: ANY });
    await use();
    assert.deepEqual(await narrow(), ["get_content_by_url"]);
  });

  it("is refused for a key that was not used", async () => {
    const { record } = await api.issueWith({ name: "Idle" });
    const { status, body } = await api.request("POST", `/keys/${record.id}/narrow`, {
      headers: ANY,
    });
    assert.equal(status, 409);
    assert.match(
      body.detail,
      /^Cannot narrow "Idle": it was not used from 2026-10-22 to 2026-11-20/,
    );
  });
});

it("all keys of a holder are revoked at once, and no other", async () => {
  const contact = "Ada@Example.org";
  const held = [
    await api.issueWith({ contact }),
    await api.issueWith({ contact: "ada@example.org", name: "Second" }),
    await api.issueWith({ owner: "ADA@example.org" }),
  ];
  const other = await api.issueWith({ contact: "ada@example.org.uk" });
  const body = { holder: " ada@example.ORG ", why: "left" };
  const { body: revoked } = await api.request("POST", "/keys/revoke", { body });
  assert.deepEqual(
    revoked.items.map(({ id }: Loose) => id),
    held.map(({ record }) => record.id),
  );
  for (const { key } of held) assert.equal((await api.request("GET", "/", { key })).status, 401);
  assert.equal((await api.request("GET", "/", { key: other.key })).status, 200);
  const again = await api.request("POST", "/keys/revoke", { body });
  assert.deepEqual(again.body.items, []);
  for (const holder of ["", " "]) {
    const empty = await api.request("POST", "/keys/revoke", { body: { holder } });
    assert.equal(empty.status, 400);
  }
});

it("holders are reminded once, two weeks before their key ends", async () => {
  await using mailServer = await openMailServer();
  const { mail } = readConfig({ SMTP_URL: mailServer.url });
  await using own = await openApiClient({ config: { mail } });
  const endsIn = (days: number) => new Date(own.clock.now.getTime() + days * DAY_MILLISECONDS);
  const contact = "ada@example.org";
  const { record } = await own.issueWith({ name: "Reader", contact, expiresAt: endsIn(20) });
  await own.issueWith({ contact });
  await own.issueWith({ contact: "room 7", expiresAt: endsIn(20) });
  const gone = await own.issueWith({ contact, expiresAt: endsIn(20) });
  await own.request("DELETE", `/keys/${gone.record.id}`, { headers: ANY });
  const rotated = await own.issueWith({ contact, expiresAt: endsIn(200) });
  await own.request("POST", `/keys/${rotated.record.id}/rotate`);
  const remind = async () => await sendKeyExpiryReminders(own.app.record, ORIGIN, own.clock.now);
  await remind();
  own.clock.now = endsIn(7);
  await Promise.all([remind(), remind()]);
  await until(async () => mailServer.caught.length > 0);
  await remind();
  const [sent, ...others] = mailServer.caught;
  assert.deepEqual(others, []);
  assert.deepEqual(sent?.to, [contact]);
  assert.match(sent?.text ?? "", /Your key "Reader" to .* works until 10 December 2026, 12:00 UTC/);
  const { body } = await own.request("GET", `/keys/${record.id}`);
  assert.equal(body.remindedAt, "2026-11-27T12:00:00.000Z");
  const later = { body: { expiresAt: "2027-06-01T00:00:00Z" }, headers: ANY };
  const extended = await own.request("PATCH", `/keys/${record.id}`, later);
  assert.equal(extended.body.remindedAt, null, "it will be reminded of the new end");
});
