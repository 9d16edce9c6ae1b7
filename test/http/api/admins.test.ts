import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { ROLE_SCOPES } from "../../../src/access/admins.ts";
import { isPassword } from "../../../src/access/passwords.ts";
import { type ApiClient, openApiClient } from "../../support/api-client.ts";

const api = await openApiClient();
after(() => api[Symbol.asyncDispose]());

const ANY = { "If-Match": "*" };
const PASSWORD = "a few words in a row";
const HASH = /\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}/;

async function create(client: ApiClient, more: object = {}, key = client.key) {
  const body = { email: "a@example.org", name: "A", role: "editor", password: PASSWORD, ...more };
  return await client.request("POST", "/admins", { key, body });
}

async function storedHash(client: ApiClient, email: string): Promise<string> {
  const rows = await client.app.sql(`SELECT password_hash FROM admins WHERE email = '${email}'`);
  return String(rows[0]?.["password_hash"]);
}

describe("an account of an administrator", () => {
  it("is created, found again, and never shown with its password", async () => {
    const made = await create(api, { email: " Ada@Example.ORG ", name: " Ada ", role: "owner" });
    assert.equal(made.status, 201, made.text);
    assert.equal(made.headers.get("location"), `/api/v1/admins/${made.body.id}`);
    assert.partialDeepStrictEqual(made.body, {
      email: "ada@example.org",
      name: "Ada",
      role: "owner",
      state: "active",
      lastLoginAt: null,
    });
    const seen = await api.request("GET", `/admins/${made.body.id}`);
    assert.deepEqual(seen.body, made.body);
    assert.equal(seen.headers.get("etag"), made.headers.get("etag"));
    const listed = await api.request("GET", "/admins");
    assert.deepEqual(listed.body.items, [made.body]);
    for (const { text } of [made, seen, listed]) assert.doesNotMatch(text, /argon2|password/);
    const { body: log } = await api.request("GET", `/audit?target=${made.body.id}`);
    assert.partialDeepStrictEqual(log.items, [
      {
        action: "admin.create",
        detail: "role: owner",
        requestId: made.headers.get("x-request-id"),
      },
    ]);
  });

  it("keeps its password as Argon2id with a salt of its own, whatever keyboard typed it", async () => {
    const composed = "Caf\u00e9 am See, 12 Uhr";
    await create(api, { email: "one@example.org", password: composed });
    await create(api, { email: "two@example.org", password: composed });
    const [one, two] = [
      await storedHash(api, "one@example.org"),
      await storedHash(api, "two@example.org"),
    ];
    assert.match(one, new RegExp(`^${HASH.source}$`));
    assert.notEqual(one, two);
    assert.equal(await isPassword(composed, { phc: one }), true);
    assert.equal(await isPassword(composed.normalize("NFD"), { phc: one }), true);
    assert.equal(await isPassword(`${composed} `, { phc: one }), false);
    assert.equal(
      await isPassword(composed, { phc: one.replace(/.$/, one.endsWith("A") ? "E" : "A") }),
      false,
    );
    for (const phc of ["", "x", "$argon2id$v=19$m=1,t=1,p=1$AAAA$AAAA"]) {
      assert.equal(await isPassword(composed, { phc }), false, phc);
    }
  });

  it("has an address of its own", async () => {
    const first = await create(api, { email: "unique@example.org" });
    const second = await create(api, { email: "UNIQUE@example.org" });
    assert.equal(second.status, 409);
    assert.equal(
      second.body.detail,
      `unique@example.org has an account already (${first.body.id}): change that`,
    );
    await api.request("DELETE", `/admins/${first.body.id}`, { headers: ANY });
    const third = await create(api, { email: "unique@example.org" });
    assert.match(third.body.detail, /, which is disabled: enable it$/);
  });

  it("is refused with everything that is wrong about it", async () => {
    const cases: [fault: RegExp, more: object][] = [
      [/email: Give an e-mail address, as name@example\.org/, { email: "nobody" }],
      [/name: is empty/, { name: " " }],
      [/name: Give at most 100 characters/, { name: "x".repeat(101) }],
      [/role: must be one of owner, editor, viewer/, { role: "boss" }],
      [/password: must have at least 12 characters/, { password: "short" }],
      [/password: is longer than 200 characters/, { password: "long words ".repeat(20) }],
      [/password: is too easy to guess/, { password: "abababababab" }],
      [/password: must be a text/, { password: 123456789012 }],
      [/email: .*; password: must have at least/, { email: "x", password: "x" }],
      [/keys that mean nothing here: passwordHash/, { passwordHash: "$argon2id$" }],
    ];
    for (const [fault, more] of cases) {
      const { status, body, text } = await create(api, more);
      assert.equal(status, 400, text);
      assert.match(body.detail, fault);
    }
    assert.doesNotMatch((await create(api, { password: "short" })).text, /"short"/);
  });

  it("is changed: name, role, state and password", async () => {
    const { body } = await create(api, { email: "changing@example.org" });
    const path = `/admins/${body.id}`;
    const hash = await storedHash(api, body.email);
    assert.equal((await api.request("PATCH", path, { body: { name: "B" } })).status, 428);
    const changed = await api.request("PATCH", path, {
      body: { name: "B", role: "viewer" },
      headers: ANY,
    });
    assert.partialDeepStrictEqual(changed.body, { name: "B", role: "viewer", state: "active" });
    assert.equal(await storedHash(api, body.email), hash);
    const renewed = await api.request("PATCH", path, {
      body: { password: "quite another password" },
      headers: ANY,
    });
    assert.equal(renewed.status, 200);
    assert.equal(
      await isPassword("quite another password", { phc: await storedHash(api, body.email) }),
      true,
    );
    const disabled = await api.request("DELETE", path, { headers: ANY });
    assert.deepEqual([disabled.status, disabled.body.state], [200, "disabled"]);
    await api.request("PATCH", path, { body: { state: "active" }, headers: ANY });
    const { body: log } = await api.request("GET", `/audit?target=${body.id}`);
    assert.deepEqual(
      log.items.map(({ action, detail }: Record<string, string>) => `${action} ${detail}`),
      [
        "admin.enable state: active",
        "admin.disable null",
        "admin.change password",
        "admin.change name; role: viewer",
        "admin.create role: editor",
      ],
    );
    const wrong = await api.request("PATCH", path, {
      body: { email: "b@example.org" },
      headers: ANY,
    });
    assert.match(wrong.body.detail, /keys that mean nothing here: email/);
  });

  it("is listed in pages", async () => {
    await using own = await openApiClient();
    for (const name of ["a", "b", "c"]) await create(own, { email: `${name}@example.org` });
    const first = await own.request("GET", "/admins?limit=2");
    const second = await own.request("GET", `/admins?limit=2&cursor=${first.body.nextCursor}`);
    assert.deepEqual(
      [...first.body.items, ...second.body.items].map(({ email }) => email),
      ["a@example.org", "b@example.org", "c@example.org"],
    );
    assert.equal(second.body.nextCursor, null);
  });
});

describe("the last active owner", () => {
  it("can be neither disabled nor demoted", async () => {
    await using own = await openApiClient();
    const owner = (await create(own, { email: "first@example.org", role: "owner" })).body;
    const path = `/admins/${owner.id}`;
    const message =
      "Cannot disable or demote first@example.org: no other owner is active. Make somebody else an owner first";
    const attempts = [
      await own.request("DELETE", path, { headers: ANY }),
      await own.request("PATCH", path, { body: { role: "editor" }, headers: ANY }),
      await own.request("PATCH", path, { body: { state: "disabled" }, headers: ANY }),
    ];
    for (const { status, body } of attempts)
      assert.deepEqual([status, body.detail], [409, message]);
    const second = (await create(own, { email: "second@example.org", role: "owner" })).body;
    assert.equal((await own.request("DELETE", path, { headers: ANY })).status, 200);
    const rest = await own.request("DELETE", `/admins/${second.id}`, { headers: ANY });
    assert.equal(rest.status, 409, "the other is disabled by now");
  });

  it("is left when two are disabled at the same moment", async () => {
    await using own = await openApiClient();
    const ids: string[] = [];
    for (const name of ["one", "two"]) {
      ids.push((await create(own, { email: `${name}@example.org`, role: "owner" })).body.id);
    }
    const answers = await Promise.all(
      ids.map((id) => own.request("DELETE", `/admins/${id}`, { headers: ANY })),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409]);
  });
});

describe("nobody creates an administrator with more rights than their own", () => {
  it("by creating, promoting, enabling or setting a password", async () => {
    await using own = await openApiClient();
    const key = await own.issue("admins:manage", ...ROLE_SCOPES.viewer);
    assert.equal((await create(own, { role: "viewer" }, key)).status, 201);
    const refused = await create(own, { email: "o@example.org", role: "editor" }, key);
    assert.equal(refused.status, 403);
    assert.match(
      refused.body.detail,
      /^This key cannot grant content:write, content:publish, media:write: it lacks that itself/,
    );
    const viewer = (await own.request("GET", "/admins", { key })).body.items[0];
    const editor = (await create(own, { email: "e@example.org", role: "editor" })).body;
    const change = async ({ id }: { id: string }, body: object) =>
      (await own.request("PATCH", `/admins/${id}`, { key, body, headers: ANY })).status;
    assert.equal(await change(viewer, { role: "owner" }), 403);
    assert.equal(await change(editor, { password: "mine from now on" }), 403);
    assert.equal(await change(editor, { role: "viewer" }), 403);
    assert.equal(await change(viewer, { name: "Vera" }), 200);
    const disabled = await own.request("DELETE", `/admins/${editor.id}`, { key, headers: ANY });
    assert.equal(disabled.status, 200, "taking away gives nobody anything");
    assert.equal(await change(editor, { state: "active" }), 403);
  });
});

it("hashing blocks neither other writers nor the process", async () => {
  const body = { name: "Quick", scopes: ["mcp:read"] };
  const started = performance.now();
  await api.request("POST", "/keys", { body });
  const alone = performance.now() - started;
  const hashing = [1, 2, 3, 4, 5, 6].map((n) => create(api, { email: `h${n}@example.org` }));
  const begun = performance.now();
  await api.request("POST", "/keys", { body });
  const beside = performance.now() - begun;
  const all = performance.now();
  for (const { status } of await Promise.all(hashing)) assert.equal(status, 201);
  const rest = performance.now() - all;
  assert(beside < alone + rest / 2, `${beside} ms beside, ${alone} ms alone, then ${rest} ms`);
});
