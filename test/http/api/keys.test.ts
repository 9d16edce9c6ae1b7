import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { SCOPES } from "../../../src/access/actor.ts";
import { KEY_PATTERN } from "../../../src/access/credentials.ts";
import type { NewKeyInput } from "../../../src/access/keys/keys.ts";
import { openApiClient } from "../../support/api-client.ts";
import { onlyOnSqlite } from "../../support/engine.ts";
import { NOW } from "../../support/open-fixture.ts";

const api = await openApiClient({ ticks: false });
after(() => api[Symbol.asyncDispose]());

const DAY_MILLISECONDS = 86_400_000;
const inDays = (days: number) => new Date(NOW.getTime() + days * DAY_MILLISECONDS).toISOString();
const ANY = { "If-Match": "*" };

/** A key that may do what it says, as an administrator's program would have it. */
async function holder(input: Partial<NewKeyInput>) {
  const { key, record } = await api.issueWith({ name: "Holder", ...input });
  return { id: record.id, key };
}

async function opens(key: string): Promise<boolean> {
  return (await api.request("GET", "/", { key })).status !== 401;
}

describe("a key in the administrative interface", () => {
  it("is issued with all that is said of it, shown once, and kept without itself", async () => {
    const stated = {
      name: " Reading group ",
      scopes: ["content:read", "mcp:read", "mcp:read"],
      owner: "Ada",
      contact: "ada@example.org",
      purpose: "Citations",
      ratePerMinute: 120,
      networks: ["192.0.2.0/24"],
      expiresAt: "2027-01-01T01:00:00+01:00",
    };
    const { status, body, headers, text } = await api.request("POST", "/keys", { body: stated });
    assert.equal(status, 201, text);
    assert.match(body.key, new RegExp(`^${KEY_PATTERN.source}$`));
    assert.equal(headers.get("location"), `/api/v1/keys/${body.id}`);
    const { key, ...record } = body;
    assert.partialDeepStrictEqual(record, {
      ...stated,
      name: "Reading group",
      scopes: ["mcp:read", "content:read"],
      expiresAt: "2027-01-01T00:00:00.000Z",
      createdAt: NOW.toISOString(),
      lastUsedAt: null,
      status: "active",
    });
    const seen = await api.request("GET", `/keys/${body.id}`);
    assert.deepEqual(seen.body, record);
    assert.equal(seen.headers.get("etag"), headers.get("etag"));
    assert(!seen.text.includes(key.slice(4, 20)));
    const { body: log } = await api.request("GET", `/audit?target=${body.id}`);
    assert.deepEqual(
      log.items.map(({ action, detail }: Record<string, unknown>) => [action, detail]),
      [["key.issue", "scopes: mcp:read, content:read"]],
    );
    assert.equal(log.items[0].requestId, headers.get("x-request-id"));
  });

  it("needs no more than a name and scopes", async () => {
    const body = { name: "Plain", scopes: ["mcp:read"] };
    const issued = await api.request("POST", "/keys", { body });
    assert.partialDeepStrictEqual(issued.body, {
      owner: "",
      ratePerMinute: 60,
      networks: [],
      expiresAt: null,
    });
  });

  it("is refused with everything that is wrong about it", async () => {
    const cases: [fault: RegExp, body: object][] = [
      [/name: is missing; scopes: is missing/, {}],
      [/name: is empty; scopes: a key without a scope opens nothing/, { name: " ", scopes: [] }],
      [/scopes\.0: must be one of mcp:read, /, { name: "A", scopes: ["all"] }],
      [/ratePerMinute: give a whole number from 1 to 100000/, { ratePerMinute: 0 }],
      [/ratePerMinute: must be a whole number/, { ratePerMinute: 1.5 }],
      [/networks\[0\]: "10\.0\.0\.0\/33" is not a network/, { networks: ["10.0.0.0/33"] }],
      [/networks: has more than 100 entries/, { networks: Array(101).fill("10.0.0.0/8") }],
      [/expiresAt: lies in the past/, { expiresAt: "2020-01-01T00:00:00Z" }],
      [/expiresAt: lies after the year 9999/, { expiresAt: "9999-12-31T23:00:00-02:00" }],
      [/expiresAt: is not a date and time/, { expiresAt: "tomorrow" }],
      [/expiresAt: is not a date and time/, { expiresAt: "2027-02-31T00:00:00Z" }],
      [/name: is longer than 200 characters/, { name: "x".repeat(201) }],
      [/owner: holds a secret: leave that out/, { owner: `Mine is ${api.key}` }],
      [/owner: has control characters/, { owner: "\u001b[31mred" }],
      [/purpose: is longer than 2000 characters/, { purpose: "x".repeat(2001) }],
      [/keys that mean nothing here: key/, { key: "cpl_mine" }],
      [/name: must be a text/, { name: { toString: 1 } }],
    ];
    for (const [fault, more] of cases) {
      const stated =
        Object.keys(more).length === 0 ? {} : { name: "A", scopes: ["mcp:read"], ...more };
      const { status, body } = await api.request("POST", "/keys", { body: stated });
      assert.equal(status, 400, JSON.stringify(body));
      assert.match(body.detail, fault);
      assert(body.problems.length > 0);
      assert.doesNotMatch(body.detail, KEY_PATTERN);
    }
  });

  it("answers a repeated request with the same key, and makes no second one", async () => {
    const options = {
      body: { name: "Repeated", scopes: ["mcp:read"] },
      headers: { "Idempotency-Key": "one" },
    };
    const first = await api.request("POST", "/keys", options);
    const second = await api.request("POST", "/keys", options);
    assert.equal(second.body.key, first.body.key);
    const { body } = await api.request("GET", "/keys?text=repeated");
    assert.equal(body.items.length, 1);
  });
});

describe("the list of keys", () => {
  it("is leafed through and searched by status, scope and text", async () => {
    await using own = await openApiClient();
    const issue = async (input: object) =>
      (await own.request("POST", "/keys", { body: { scopes: ["mcp:read"], ...input } })).body.id;
    const ids = [];
    for (const name of ["Österreich", "Bern", "Chur", "Davos"]) ids.push(await issue({ name }));
    await issue({ name: "Editor", scopes: ["content:write"], contact: "ed@example.org" });
    await own.request("DELETE", `/keys/${ids[1]}`, { headers: ANY });
    const names = async (query: string) => {
      const { body } = await own.request("GET", `/keys?${query}`);
      return body.items.map(({ name }: { name: string }) => name);
    };
    assert.deepEqual(await names("text=oster"), ["Österreich"]);
    assert.deepEqual(await names("text=ED%40EXAMPLE"), ["Editor"]);
    assert.deepEqual(await names("status=revoked"), ["Bern"]);
    assert.deepEqual(await names("scope=content:write&status=active"), ["test", "Editor"]);
    assert.deepEqual(await names("text=%25"), []);
    const all: string[] = [];
    let cursor: string | null = null;
    do {
      const place: string = cursor === null ? "" : `&cursor=${cursor}`;
      const { body } = await own.request("GET", `/keys?scope=mcp:read&limit=3${place}`);
      assert(body.items.length <= 3);
      all.push(...body.items.map(({ name }: { name: string }) => name));
      cursor = body.nextCursor;
    } while (cursor !== null);
    assert.deepEqual(all, ["Österreich", "Bern", "Chur", "Davos"]);
    const first = await own.request("GET", "/keys?scope=mcp:read&limit=3");
    const wrong = await own.request("GET", `/keys?limit=3&cursor=${first.body.nextCursor}`);
    assert.equal(wrong.status, 400);
    assert.match(wrong.body.detail, /This cursor belongs to another query/);
  });

  it("reports an invalid query", async () => {
    const cases: [query: string, fault: RegExp][] = [
      ["limit=0", /limit: must be at least 1/],
      ["limit=101", /limit: /],
      ["limit=many", /limit: must be a number/],
      ["status=lost", /status: must be one of active, expired, revoked/],
      ["scope=all", /scope: must be one of/],
      ["cursor=x", /This cursor is damaged/],
      ["colour=red", /keys that mean nothing here: colour/],
      ["text=a&text=b", /text: must be a text/],
    ];
    for (const [query, fault] of cases) {
      const { status, body } = await api.request("GET", `/keys?${query}`);
      assert.equal(status, 400, query);
      assert.match(body.detail, fault);
    }
  });
});

describe("a change of a key", () => {
  it("counts from the next request on, and stands in the audit log without names", async () => {
    const { id, key } = await holder({ scopes: ["content:read"] });
    assert.equal((await api.request("GET", "/content", { key })).status, 200);
    const { headers } = await api.request("GET", `/keys/${id}`);
    const change = {
      name: "Renamed",
      contact: "secret@example.org",
      scopes: ["audit:read"],
      ratePerMinute: 7,
      networks: [],
      expiresAt: inDays(3),
    };
    const changed = await api.request("PATCH", `/keys/${id}`, {
      body: change,
      headers: { "If-Match": headers.get("etag") ?? "" },
    });
    assert.equal(changed.status, 200, changed.text);
    assert.partialDeepStrictEqual(changed.body, change);
    assert.equal((await api.request("GET", "/content", { key })).status, 403);
    assert.equal((await api.request("GET", "/audit", { key })).status, 200);
    const { body: log } = await api.request("GET", `/audit?target=${id}&action=key.change`);
    assert.equal(
      log.items[0].detail,
      `name; contact; scopes: audit:read; ratePerMinute: 7; expiresAt: ${inDays(3)}`,
    );
    const cleared = await api.request("PATCH", `/keys/${id}`, {
      body: { contact: null, networks: null, ratePerMinute: null, expiresAt: null },
      headers: ANY,
    });
    const nothing = { contact: "", networks: [], ratePerMinute: 60, expiresAt: null };
    assert.partialDeepStrictEqual(cleared.body, nothing);
  });

  it("is no news when it changes nothing", async () => {
    const { id } = await holder({ scopes: ["content:read"] });
    const before = await api.request("GET", `/keys/${id}`);
    const body = { name: " Holder", scopes: ["content:read", "content:read"] };
    const after = await api.request("PATCH", `/keys/${id}`, { body, headers: ANY });
    assert.equal(after.headers.get("etag"), before.headers.get("etag"));
    const { body: log } = await api.request("GET", `/audit?target=${id}`);
    assert.equal(log.items.length, 1);
  });

  it("asks for the state it is made from", async () => {
    const { id } = await holder({});
    const path = `/keys/${id}`;
    assert.equal((await api.request("PATCH", path, { body: { name: "A" } })).status, 428);
    const headers = { "If-Match": (await api.request("GET", path)).headers.get("etag") ?? "" };
    assert.equal((await api.request("PATCH", path, { body: { name: "A" }, headers })).status, 200);
    const stale = await api.request("PATCH", path, { body: { name: "B" }, headers });
    assert.equal(stale.status, 412);
    assert.equal((await api.request("DELETE", path, { headers })).status, 412);
    assert.equal((await api.request("DELETE", path)).status, 428);
    assert.equal((await api.request("GET", path)).body.name, "A");
  });

  it("is not stale because the key was used meanwhile", async () => {
    const { id, key } = await holder({ scopes: ["content:read"] });
    const { headers } = await api.request("GET", `/keys/${id}`);
    await api.request("GET", "/", { key });
    await api.app.record.keys.saveUse();
    const seen = await api.request("GET", `/keys/${id}`);
    assert.notEqual(seen.body.lastUsedAt, null);
    assert.equal(seen.headers.get("etag"), headers.get("etag"));
  });

  it("is refused for a revoked key, and for nonsense", async () => {
    const { id } = await holder({});
    const wrong = await api.request("PATCH", `/keys/${id}`, {
      body: { scopes: [], expiresAt: "2020-01-01T00:00:00Z" },
      headers: ANY,
    });
    assert.equal(wrong.status, 400);
    assert.match(
      wrong.body.detail,
      /Cannot change "Holder": scopes: .*; expiresAt: lies in the past/,
    );
    await api.request("DELETE", `/keys/${id}?why=lost`, { headers: ANY });
    const { status, body } = await api.request("PATCH", `/keys/${id}`, {
      body: { name: "Alive" },
      headers: ANY,
    });
    assert.equal(status, 409);
    assert.equal(
      body.detail,
      'Cannot change "Holder": this key was revoked, and stays so; issue another',
    );
    for (const field of ["revokedAt", "createdBy", "id", "lastUsedAt"]) {
      const told = await api.request("PATCH", `/keys/${id}`, {
        body: { [field]: null },
        headers: ANY,
      });
      assert.equal(told.status, 400, field);
    }
  });

  it("may give an expired key another name, and another end", async () => {
    await using own = await openApiClient();
    const { record, key } = await own.issueWith({ expiresAt: new Date(inDays(1)) });
    own.clock.now = new Date(inDays(2));
    const path = `/keys/${record.id}`;
    const named = await own.request("PATCH", path, { body: { name: "Old" }, headers: ANY });
    assert.deepEqual([named.status, named.body.status], [200, "expired"]);
    await own.request("PATCH", path, { body: { expiresAt: inDays(3) }, headers: ANY });
    assert.equal((await own.request("GET", "/", { key })).status, 200);
  });
});

describe("the end of a key", () => {
  it("is at once when it is revoked, with the reason", async () => {
    const { id, key } = await holder({});
    const revoked = await api.request("DELETE", `/keys/${id}?why=left%20us`, { headers: ANY });
    assert.equal(revoked.status, 200);
    assert.partialDeepStrictEqual(revoked.body, { status: "revoked", revokedWhy: "left us" });
    assert.equal(await opens(key), false);
    const again = await api.request("DELETE", `/keys/${id}?why=again`, { headers: ANY });
    assert.equal(again.body.revokedWhy, "left us");
    const long = await api.request("DELETE", `/keys/${id}?why=${"x".repeat(501)}`, {
      headers: ANY,
    });
    assert.equal(long.status, 400);
    assert.match(long.body.detail, /the reason is longer than 500 characters/);
  });

  it("is after the grace period when it is rotated", async () => {
    await using own = await openApiClient();
    const old = await own.issueWith({ networks: ["0.0.0.0/0", "::/0"], scopes: ["content:read"] });
    const path = `/keys/${old.record.id}/rotate`;
    await own.request("PATCH", `/keys/${old.record.id}`, { body: { networks: [] }, headers: ANY });
    const next = await own.request("POST", path, { body: { graceSeconds: 60 } });
    assert.equal(next.status, 201, next.text);
    assert.partialDeepStrictEqual(next.body, {
      rotatedFrom: old.record.id,
      scopes: ["content:read"],
      expiresAt: null,
    });
    assert.notEqual(next.body.key, old.key);
    const works = async (key: string) => (await own.request("GET", "/", { key })).status === 200;
    assert.deepEqual([await works(old.key), await works(next.body.key)], [true, true]);
    own.clock.now = new Date(NOW.getTime() + 60_000);
    assert.deepEqual([await works(old.key), await works(next.body.key)], [false, true]);
    const tooLate = await own.request("POST", path);
    assert.deepEqual([tooLate.status, tooLate.body.title], [409, "Conflict"]);
  });

  it("is a day after a rotation that names no grace period", async () => {
    const { id } = await holder({});
    assert.equal((await api.request("POST", `/keys/${id}/rotate`)).status, 201);
    const { body } = await api.request("GET", `/keys/${id}`);
    assert.equal(body.expiresAt, inDays(1));
    for (const graceSeconds of [-1, 1.5, 90 * 86_400 + 1, "1"]) {
      const told = await api.request("POST", `/keys/${id}/rotate`, { body: { graceSeconds } });
      assert.equal(told.status, 400, String(graceSeconds));
      assert.match(told.body.detail, /graceSeconds: /);
    }
  });
});

describe("nobody grants what they do not have", () => {
  it("when issuing", async () => {
    const { key } = await holder({ scopes: ["keys:manage", "content:read"] });
    const issue = async (...scopes: string[]) =>
      await api.request("POST", "/keys", { key, body: { name: "Granted", scopes } });
    for (const scope of SCOPES) {
      const { status, body } = await issue(scope, "mcp:read");
      const isHeld = ["keys:manage", "content:read", "mcp:read"].includes(scope);
      assert.equal(status, isHeld ? 201 : 403, scope);
      if (!isHeld) {
        assert.equal(
          body.detail,
          `This key cannot grant ${scope}: it lacks that itself. Use a key that has it, or ask the operator`,
        );
      }
    }
    const many = await issue("admins:manage", "content:read", "audit:read");
    assert.match(many.body.detail, /cannot grant admins:manage, audit:read:/);
  });

  it("when changing: neither the own key, nor one that can do more", async () => {
    const own = await holder({ scopes: ["keys:manage"] });
    const more = await holder({ scopes: ["admins:manage"] });
    const reader = await holder({ scopes: ["mcp:read"] });
    const change = async (id: string, body: object) =>
      (await api.request("PATCH", `/keys/${id}`, { key: own.key, body, headers: ANY })).status;
    assert.equal(await change(own.id, { scopes: ["keys:manage", "admins:manage"] }), 403);
    assert.equal(await change(reader.id, { scopes: ["content:read"] }), 403);
    assert.equal(await change(more.id, { networks: ["192.0.2.0/24"] }), 403);
    assert.equal(await change(more.id, { scopes: ["mcp:read"] }), 403);
    assert.equal(await change(reader.id, { scopes: ["mcp:read", "keys:manage"] }), 200);
    assert.equal(await change(reader.id, { ratePerMinute: 600 }), 200);
  });

  it("when rotating: the answer would hand over the other's rights", async () => {
    const { key } = await holder({ scopes: ["keys:manage"] });
    const more = await holder({ scopes: ["keys:manage", "settings:write"] });
    const { status, text } = await api.request("POST", `/keys/${more.id}/rotate`, { key });
    assert.equal(status, 403);
    assert.doesNotMatch(text, KEY_PATTERN);
    assert.equal(await opens(more.key), true);
    const { body } = await api.request("GET", `/keys/${more.id}`);
    assert.equal(body.expiresAt, null, "nothing has changed");
  });

  it("but may revoke any key, which gives nobody anything", async () => {
    const { key } = await holder({ scopes: ["keys:manage"] });
    const more = await holder({ scopes: ["admins:manage"] });
    const { status } = await api.request("DELETE", `/keys/${more.id}?why=stolen`, {
      key,
      headers: ANY,
    });
    assert.equal(status, 200);
    assert.equal(await opens(more.key), false);
  });

  it("for no longer than they have it themselves", async () => {
    const { id, key } = await holder({
      scopes: ["keys:manage", "content:read"],
      expiresAt: new Date(inDays(10)),
    });
    const issue = async (scopes: string[], expiresAt?: string) =>
      await api.request("POST", "/keys", {
        key,
        body: { name: "Later", scopes, ...(expiresAt && { expiresAt }) },
      });
    const endless = await issue(["content:read"]);
    assert.equal(endless.status, 403);
    assert.equal(
      endless.body.detail,
      `This key cannot grant that: it expires at ${inDays(10)} itself; let the other expire no later`,
    );
    assert.equal((await issue(["keys:manage"], inDays(11))).status, 403);
    assert.equal((await issue(["keys:manage"], inDays(10))).status, 201);
    assert.equal((await issue(["mcp:read"])).status, 201, "reading may be given for ever");
    const own = { key, headers: ANY };
    const longer = await api.request("PATCH", `/keys/${id}`, { body: { expiresAt: null }, ...own });
    assert.equal(longer.status, 403);
    const endlessOne = await holder({ scopes: ["content:read"] });
    assert.equal((await api.request("POST", `/keys/${endlessOne.id}/rotate`, { key })).status, 403);
    const rotated = await api.request("POST", `/keys/${id}/rotate`, { key });
    assert.deepEqual([rotated.status, rotated.body.expiresAt], [201, inDays(10)]);
  });

  it("and from no more networks", async () => {
    await using bound = await openApiClient({ config: { trustProxy: true } });
    const { key } = await bound.issueWith({
      scopes: ["keys:manage"],
      networks: ["192.0.2.0/24", "2001:db8::/32"],
    });
    const headers = { "X-Forwarded-For": "192.0.2.9" };
    const issue = async (networks: string[]) =>
      await bound.request("POST", "/keys", {
        key,
        headers,
        body: { name: "Near", scopes: ["keys:manage"], networks },
      });
    const anywhere = await issue([]);
    assert.equal(anywhere.status, 403);
    assert.match(anywhere.body.detail, /it may be used from 192\.0\.2\.0\/24, 2001:db8::\/32 only/);
    for (const networks of [["192.0.2.0/23"], ["192.0.2.1", "198.51.100.1"], ["::/0"]]) {
      assert.equal((await issue(networks)).status, 403, networks.join());
    }
    for (const networks of [["192.0.2.0/24"], ["192.0.2.7", "2001:db8:1::/48"]]) {
      assert.equal((await issue(networks)).status, 201, networks.join());
    }
  });
});

it("no key stands anywhere but in the answer that shows it", onlyOnSqlite(), async () => {
  await using own = await openApiClient({ ticks: false });
  const secrets: string[] = [own.key];
  const note = ({ body }: { body: { key: string } }) => secrets.push(body.key);
  const input = { name: "Secret", scopes: ["keys:manage", "audit:read"] };
  const made = await own.request("POST", "/keys", {
    body: input,
    headers: { "Idempotency-Key": "kept" },
  });
  note(made);
  note(await own.request("POST", `/keys/${made.body.id}/rotate`));
  const key = made.body.key;
  const texts = [
    await own.request("PATCH", `/keys/${made.body.id}`, { key, body: { name: 1 }, headers: ANY }),
    await own.request("POST", "/keys", { key, body: { name: key, scopes: ["admins:manage"] } }),
    await own.request("GET", `/keys?text=${"nothing"}`, { key }),
    await own.request("DELETE", `/keys/${made.body.id}?why=leaked`, { key, headers: ANY }),
    await own.request("GET", "/keys"),
    await own.request("GET", "/audit/export"),
    await own.request("GET", "/stats"),
  ].map(({ text }) => text);
  await own.app.counting.saveAll();
  const files = ["commonplace.db", "commonplace.db-wal"].map((name) =>
    readFileSync(join(own.app.dataDir, name)).toString("latin1"),
  );
  for (const secret of secrets) {
    for (const text of [...texts, ...files, ...own.app.logged]) {
      assert(!text.includes(secret.slice(4, 30)), text.slice(0, 200));
    }
  }
});
