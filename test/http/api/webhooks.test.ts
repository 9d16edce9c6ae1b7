import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { type ApiClient, openApiClient } from "../../support/api-client.ts";
import { isSignedBy, openReceiver } from "../../support/webhook-receiver.ts";

const HOOK = "https://receiver.example/hook";

async function made(client: ApiClient, more: object = {}) {
  const body = { url: HOOK, events: ["content.*"], ...more };
  const answer = await client.request("POST", "/webhooks", { body });
  assert.equal(answer.status, 201, answer.text);
  return answer;
}

describe("webhooks over the interface", () => {
  it("leave no trace of a change that changes nothing", async () => {
    await using client = await openApiClient();
    const { body, headers } = await made(client);
    const same = await client.request("PATCH", `/webhooks/${body.id}`, {
      body: { url: HOOK, state: "enabled" },
      headers: { "If-Match": headers.get("etag") ?? "" },
    });
    assert.equal(same.headers.get("etag"), headers.get("etag"));
    const log = await client.request("GET", "/audit?action=webhook.");
    assert.deepEqual(
      log.body.items.map(({ action }: { action: string }) => action),
      ["webhook.create"],
    );
  });

  it("are listed page by page", async () => {
    await using client = await openApiClient();
    const ids: string[] = [];
    for (const description of ["a", "b", "c"])
      ids.push((await made(client, { description })).body.id);
    const first = await client.request("GET", "/webhooks?limit=2");
    const rest = await client.request("GET", `/webhooks?cursor=${first.body.nextCursor}`);
    const listed = [...first.body.items, ...rest.body.items].map(({ id }) => id);
    assert.deepEqual(listed, ids);
    assert.equal(rest.body.nextCursor, null);
    assert.equal((await client.request("GET", "/webhooks?cursor=x")).status, 400);
  });

  it("are made, shown, changed and deleted", async () => {
    await using client = await openApiClient();
    const created = await made(client, { description: "Rebuild the app" });
    const { id, secret, ...rest } = created.body;
    assert.match(secret, /^whsec_[0-9A-Za-z+/]{43}=$/);
    assert.equal(created.headers.get("location"), `/api/v1/webhooks/${id}`);
    assert.deepEqual(
      { ...rest, createdBy: "key" },
      {
        url: HOOK,
        events: ["content.*"],
        description: "Rebuild the app",
        state: "enabled",
        disabledWhy: null,
        failingSince: null,
        failures: 0,
        createdAt: "2026-11-20T12:00:00.000Z",
        createdBy: "key",
        updatedAt: "2026-11-20T12:00:00.000Z",
      },
    );

    const shown = await client.request("GET", `/webhooks/${id}`);
    assert.deepEqual(shown.body, { id, ...rest });
    assert.equal(shown.headers.get("etag"), created.headers.get("etag"));
    const all = await client.request("GET", "/webhooks");
    assert.deepEqual(all.body, { items: [{ id, ...rest }], nextCursor: null });

    const etag = shown.headers.get("etag") ?? "";
    const changes = {
      events: ["content.publish", "media.*"],
      state: "disabled",
      description: null,
    };
    const missing = await client.request("PATCH", `/webhooks/${id}`, { body: changes });
    assert.equal(missing.status, 428);
    const changed = await client.request("PATCH", `/webhooks/${id}`, {
      body: changes,
      headers: { "If-Match": etag },
    });
    assert.equal(changed.status, 200, changed.text);
    assert.deepEqual(
      [changed.body.events, changed.body.state, changed.body.description, changed.body.url],
      [["content.publish", "media.*"], "disabled", "", HOOK],
    );
    const stale = await client.request("DELETE", `/webhooks/${id}`, {
      headers: { "If-Match": etag },
    });
    assert.equal(stale.status, 412);
    const deleted = await client.request("DELETE", `/webhooks/${id}`, {
      headers: { "If-Match": changed.headers.get("etag") ?? "" },
    });
    assert.equal(deleted.status, 204);
    const gone = await client.request("GET", `/webhooks/${id}`);
    assert.equal(gone.status, 404);
    assert.equal(gone.body.detail, `There is no webhook with the id ${id}`);

    const actions = (await client.app.record.audit.entries({ limit: 3 })).map((entry) => [
      entry.action,
      entry.target,
      entry.requestId === null,
    ]);
    assert.deepEqual(actions, [
      ["webhook.delete", id, false],
      ["webhook.disable", id, false],
      ["webhook.create", id, false],
    ]);
  });

  it("show a secret when it is made or rotated, and never again", async () => {
    await using client = await openApiClient();
    const { id, secret } = (await made(client)).body;
    const rotated = await client.request("POST", `/webhooks/${id}/rotate-secret`);
    assert.equal(rotated.status, 200);
    assert.match(rotated.body.secret, /^whsec_/);
    assert.notEqual(rotated.body.secret, secret);
    assert.equal(rotated.body.formerSecretUntil, "2026-11-21T12:00:00.000Z");
    for (const path of [`/webhooks/${id}`, "/webhooks", `/webhooks/${id}/deliveries`, "/audit"]) {
      const { text } = await client.request("GET", path);
      assert.equal(text.includes("whsec_"), false, path);
    }
    assert.equal(client.app.logged.join("").includes(secret), false);
  });

  it("are told of what happens, by the clock of the running service", async () => {
    await using client = await openApiClient({ config: { webhookPrivateNetworks: true } });
    await using receiver = await openReceiver();
    const { id, secret } = (await made(client, { url: receiver.url })).body;
    const tested = await client.request("POST", `/webhooks/${id}/test`);
    assert.equal(tested.status, 202, tested.text);
    assert.deepEqual([tested.body.event, tested.body.state], ["ping", "waiting"]);
    await receiver.until(1);
    const [ping] = receiver.received;
    assert(ping !== undefined && isSignedBy(secret, ping));
    assert.deepEqual(ping.body, {
      type: "ping",
      timestamp: "2026-11-20T12:00:00.000Z",
      data: { webhookId: id },
    });
    const retried = await client.request(
      "POST",
      `/webhooks/${id}/deliveries/${tested.body.number}/retry`,
    );
    assert.equal(retried.status, 202, retried.text);
    await receiver.until(2);
    assert.equal(receiver.received[1]?.headers["webhook-id"], ping.headers["webhook-id"]);
  });

  it("list their deliveries, latest first, a page at a time", async () => {
    await using client = await openApiClient();
    const { id } = (await made(client)).body;
    for (let n = 0; n < 5; n += 1) await client.request("POST", `/webhooks/${id}/test`);
    const path = `/webhooks/${id}/deliveries?limit=2`;
    const numbers: number[] = [];
    let cursor: string | null = null;
    do {
      const page = await client.request("GET", cursor === null ? path : `${path}&cursor=${cursor}`);
      assert.equal(page.status, 200, page.text);
      numbers.push(...page.body.items.map((item: { number: number }) => item.number));
      cursor = page.body.nextCursor;
    } while (cursor !== null);
    assert.equal(numbers.length, 5);
    assert.deepEqual(
      numbers,
      numbers.toSorted((a, b) => b - a),
    );
  });

  it("send nothing their creator may not read", async () => {
    await using client = await openApiClient();
    const blind = await client.issue("webhooks:manage");
    const reader = await client.issue("webhooks:manage", "content:read");
    const auditor = await client.issue("webhooks:manage", "audit:read");
    const make = async (key: string, ...events: string[]) =>
      await client.request("POST", "/webhooks", { key, body: { url: HOOK, events } });

    const refused = await make(blind, "content.publish");
    assert.equal(refused.status, 403);
    assert.equal(
      refused.body.detail,
      'This key lacks the scope content:read, which the events "content.publish" need',
    );
    for (const events of ["key.issue", "*", "webhook.*", "request.*"]) {
      const answer = await make(reader, "content.*", events);
      assert.equal(answer.status, 403, events);
      assert.match(answer.body.detail, /lacks the scope audit:read, which the events/);
    }
    assert.equal((await make(reader, "content.*", "media.add")).status, 201);
    assert.equal((await make(auditor, "key.issue")).status, 201);
    for (const events of ["content.*", "*"]) {
      const answer = await make(auditor, events);
      assert.match(answer.body.detail, /lacks the scope content:read, which the events/, events);
    }
    const all = await make(
      await client.issue("webhooks:manage", "audit:read", "content:read"),
      "*",
    );
    assert.equal(all.status, 201);

    const path = `/webhooks/${all.body.id}`;
    assert.equal((await client.request("GET", path, { key: blind })).status, 200);
    const log = await client.request("GET", `${path}/deliveries`, { key: blind });
    assert.equal(log.status, 403);
    const elsewhere = { url: "https://elsewhere.example/" };
    for (const body of [elsewhere, { ...elsewhere, events: ["content.*"] }]) {
      const stolen = await client.request("PATCH", path, {
        key: reader,
        body,
        headers: { "If-Match": "*" },
      });
      assert.equal(stolen.status, 403, "nor lead elsewhere what others may read");
    }
  });

  const REFUSALS: [body: unknown, detail: RegExp][] = [
    [{}, /url: is missing; events: is missing/],
    [{ url: HOOK, events: [] }, /events: is empty/],
    [{ url: HOOK, events: ["publish"] }, /events\.0: is not an event; write content\.publish/],
    [{ url: HOOK, events: ["content.publish "] }, /events\.0: is not an event/],
    [{ url: HOOK, events: ["content.**"] }, /events\.0: is not an event/],
    [{ url: HOOK, events: Array(51).fill("*") }, /events: is longer than 50 entries/],
    [{ url: HOOK, events: ["*"], secret: "whsec_mine" }, /keys that mean nothing here: secret/],
    [{ url: 5, events: ["*"] }, /url: must be a text/],
    [{ url: "http://receiver.example", events: ["*"] }, /url must start with https:\/\//],
    [{ url: "https://169.254.169.254/", events: ["*"] }, /url leads into a private network/],
    [{ url: "https://a:b@receiver.example", events: ["*"] }, /url must have no name and password/],
    [[], /must be a group of keys and values/],
  ];

  for (const [body, detail] of REFUSALS) {
    it(`refuse ${JSON.stringify(body).slice(0, 60)}`, async () => {
      const answer = await shared.request("POST", "/webhooks", { body });
      assert.equal(answer.status, 400, answer.text);
      assert.match(answer.body.detail, detail);
    });
  }

  it("are at most fifty", async () => {
    await using client = await openApiClient();
    for (let n = 0; n < 50; n += 1) await made(client);
    const answer = await client.request("POST", "/webhooks", {
      body: { url: HOOK, events: ["*"] },
    });
    assert.equal(answer.status, 409);
    assert.match(answer.body.detail, /there are 50 already; delete one first/);
  });

  it("that do not exist are not found, whatever is asked of them", async () => {
    for (const [method, path] of [
      ["GET", "/webhooks/x"],
      ["PATCH", "/webhooks/x"],
      ["DELETE", "/webhooks/x"],
      ["GET", "/webhooks/x/deliveries"],
      ["POST", "/webhooks/x/test"],
      ["POST", "/webhooks/x/rotate-secret"],
      ["POST", "/webhooks/x/deliveries/1/retry"],
      ["POST", "/webhooks/x/deliveries/one/retry"],
    ] as const) {
      const answer = await shared.request(method, path, {
        headers: { "If-Match": "*" },
        ...(method === "PATCH" ? { body: {} } : {}),
      });
      assert.equal(answer.status, 404, `${method} ${path} ${answer.text}`);
    }
  });
});

const shared = await openApiClient();
after(() => shared[Symbol.asyncDispose]());
