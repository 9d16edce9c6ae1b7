import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { ROLE_SCOPES } from "../../../src/access/people/roles.ts";
import { type ApiClient, openApiClient } from "../../support/api-client.ts";
import { openBrowser, PASSWORD } from "../../support/people.ts";

const api = await openApiClient();
after(() => api[Symbol.asyncDispose]());

const ANY = { "If-Match": "*" };

async function invite(client: ApiClient, more: object = {}, key = client.key) {
  const body = { email: "a@example.org", name: "A", role: "editor", ...more };
  return await client.request("POST", "/admins", { key, body });
}

/** Invites somebody who then chooses a password. */
async function join(client: ApiClient, email: string, role: string) {
  const { body } = await invite(client, { email, role });
  const browser = openBrowser(client.app);
  const form = { code: body.code, "new-password": PASSWORD };
  assert.equal((await browser.send("/admin/claim", form)).status, 303);
  return { ...browser, id: String(body.id) };
}

describe("an account of an administrator", () => {
  it("is invited with a code that is shown once, and found again without it", async () => {
    const made = await invite(api, { email: " Ada@Example.ORG ", name: " Ada ", role: "owner" });
    assert.equal(made.status, 201, made.text);
    const { code, codeExpiresAt, ...account } = made.body;
    assert.match(code, /^cplc_[0-9A-Za-z]{38}$/);
    assert.equal(codeExpiresAt, "2026-11-27T12:00:00.000Z");
    assert.equal(made.headers.get("location"), `/api/v1/admins/${account.id}`);
    assert.partialDeepStrictEqual(account, {
      email: "ada@example.org",
      name: "Ada",
      role: "owner",
      state: "invited",
      lastLoginAt: null,
    });
    const seen = await api.request("GET", `/admins/${account.id}`);
    assert.deepEqual(seen.body, { ...account, hasSecondFactor: false, passkeys: 0, mails: [] });
    assert.equal(seen.headers.get("etag"), made.headers.get("etag"));
    const listed = await api.request("GET", "/admins");
    assert.deepEqual(listed.body.items, [account]);
    for (const { text } of [seen, listed]) assert.doesNotMatch(text, /cplc_|password/);
    const { body: log } = await api.request("GET", `/audit?target=${account.id}`);
    assert.deepEqual(
      log.items.map(({ action, detail }: Record<string, string>) => `${action} ${detail}`),
      ["admin.make-code invitation", "admin.invite role: owner"],
    );
    assert.equal(log.items[1].requestId, made.headers.get("x-request-id"));
    const stored = JSON.stringify(await api.app.sql("SELECT * FROM admin_codes"));
    assert(!stored.includes(code));
  });

  it("has an address of its own", async () => {
    const first = await invite(api, { email: "unique@example.org" });
    const second = await invite(api, { email: "UNIQUE@example.org" });
    assert.equal(second.status, 409);
    assert.equal(
      second.body.detail,
      `unique@example.org has an account already (${first.body.id}): change that`,
    );
    await api.request("DELETE", `/admins/${first.body.id}`, { headers: ANY });
    const third = await invite(api, { email: "unique@example.org" });
    assert.match(third.body.detail, /, which is disabled: enable it$/);
  });

  it("is refused with everything that is wrong about it", async () => {
    const cases: [fault: RegExp, more: object][] = [
      [/email: Give an e-mail address, as name@example\.org/, { email: "nobody" }],
      [/name: is empty/, { name: " " }],
      [/name: Give at most 100 characters/, { name: "x".repeat(101) }],
      [/role: must be one of owner, manager, editor, contributor, viewer/, { role: "boss" }],
      [/email: .*; role: must be/, { email: "x", role: "x" }],
      [/keys that mean nothing here: password/, { password: PASSWORD }],
    ];
    for (const [fault, more] of cases) {
      const { status, body, text } = await invite(api, more);
      assert.equal(status, 400, text);
      assert.match(body.detail, fault);
    }
  });

  it("is changed: name, role and state", async () => {
    const { id } = await join(api, "changing@example.org", "editor");
    const path = `/admins/${id}`;
    assert.equal((await api.request("PATCH", path, { body: { name: "B" } })).status, 428);
    const changed = await api.request("PATCH", path, {
      body: { name: "B", role: "viewer" },
      headers: ANY,
    });
    assert.partialDeepStrictEqual(changed.body, { name: "B", role: "viewer", state: "active" });
    const disabled = await api.request("DELETE", path, { headers: ANY });
    assert.deepEqual([disabled.status, disabled.body.state], [200, "disabled"]);
    const noCode = await api.request("POST", `${path}/code`);
    assert.deepEqual(
      [noCode.status, noCode.body.detail],
      [409, "Cannot make a code for changing@example.org: enable the account first"],
    );
    await api.request("PATCH", path, { body: { state: "active" }, headers: ANY });
    const { body: log } = await api.request("GET", `/audit?target=${id}&action=admin.`);
    assert.deepEqual(
      log.items.map(({ action, detail }: Record<string, string>) => `${action} ${detail}`),
      [
        "admin.enable state: active",
        "admin.disable null",
        "admin.change name; role: viewer",
        "admin.accept null",
        "admin.make-code invitation",
        "admin.invite role: editor",
      ],
    );
    const wrong = { body: { email: "b@example.org" }, headers: ANY };
    assert.match(
      (await api.request("PATCH", path, wrong)).body.detail,
      /keys that mean nothing here: email/,
    );
    const { body: invited } = await invite(api, { email: "invited@example.org" });
    const early = await api.request("PATCH", `/admins/${invited.id}`, {
      body: { state: "active" },
      headers: ANY,
    });
    assert.match(early.body.detail, /^Cannot enable invited@example\.org: the invitation is not/);
  });

  it("is listed in pages", async () => {
    await using own = await openApiClient();
    for (const name of ["a", "b", "c"]) await invite(own, { email: `${name}@example.org` });
    const first = await own.request("GET", "/admins?limit=2");
    const second = await own.request("GET", `/admins?limit=2&cursor=${first.body.nextCursor}`);
    assert.deepEqual(
      [...first.body.items, ...second.body.items].map(({ email }) => email),
      ["a@example.org", "b@example.org", "c@example.org"],
    );
    assert.equal(second.body.nextCursor, null);
  });

  it("has sessions, which are listed without their tokens and ended from here", async () => {
    const vera = await join(api, "vera@example.org", "viewer");
    const path = `/admins/${vera.id}/sessions`;
    const { body } = await api.request("GET", path);
    assert.partialDeepStrictEqual(body.items, [{ device: "Test Browser", network: vera.address }]);
    assert.doesNotMatch(JSON.stringify(body), /cpls_|hash/);
    assert.equal((await vera.get("/admin/account")).status, 200);
    assert.deepEqual((await api.request("DELETE", path)).body, { ended: 1 });
    assert.equal((await vera.get("/admin/account")).location, "/admin/sign-in");
    assert.equal((await api.request("GET", "/admins/nobody/sessions")).status, 404);
    const factor = await api.request("DELETE", `/admins/${vera.id}/second-factor`);
    assert.deepEqual(
      [factor.status, factor.body.detail],
      [404, "This account has no second factor"],
    );
  });
});

describe("the last active owner", () => {
  it("can be neither disabled nor demoted", async () => {
    await using own = await openApiClient();
    const { id } = await join(own, "first@example.org", "owner");
    const path = `/admins/${id}`;
    const message =
      "Cannot disable or demote first@example.org: no other owner is active. Make somebody else an owner first";
    await invite(own, { email: "invited@example.org", role: "owner" });
    const attempts = [
      await own.request("DELETE", path, { headers: ANY }),
      await own.request("PATCH", path, { body: { role: "editor" }, headers: ANY }),
      await own.request("PATCH", path, { body: { state: "disabled" }, headers: ANY }),
    ];
    for (const { status, body } of attempts)
      assert.deepEqual([status, body.detail], [409, message]);
    const second = await join(own, "second@example.org", "owner");
    assert.equal((await own.request("DELETE", path, { headers: ANY })).status, 200);
    const rest = await own.request("DELETE", `/admins/${second.id}`, { headers: ANY });
    assert.equal(rest.status, 409, "the other is disabled by now");
  });

  it("is not one who never signed in, although somebody disabled and enabled the account", async () => {
    await using own = await openApiClient();
    const { id } = await join(own, "first@example.org", "owner");
    const { body: invited } = await invite(own, { email: "invited@example.org", role: "owner" });
    const path = `/admins/${invited.id}`;
    await own.request("DELETE", path, { headers: ANY });
    const enabled = await own.request("PATCH", path, { body: { state: "active" }, headers: ANY });
    assert.deepEqual([enabled.status, enabled.body.state], [200, "invited"]);
    assert.equal((await own.request("DELETE", `/admins/${id}`, { headers: ANY })).status, 409);
    const { status, body } = await own.request("POST", `${path}/code`);
    assert.equal(status, 200, "the person is invited again");
    const form = { code: body.code, "new-password": PASSWORD };
    assert.equal((await openBrowser(own.app).send("/admin/claim", form)).status, 303);
  });

  it("is left when two are disabled at the same moment", async () => {
    await using own = await openApiClient();
    const ids: string[] = [];
    for (const name of ["one", "two"]) {
      ids.push((await join(own, `${name}@example.org`, "owner")).id);
    }
    const answers = await Promise.all(
      ids.map((id) => own.request("DELETE", `/admins/${id}`, { headers: ANY })),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409]);
  });
});

describe("nobody creates an administrator with more rights than their own", () => {
  it("by inviting, promoting, enabling or making a code", async () => {
    await using own = await openApiClient();
    const key = await own.issue("admins:manage", ...ROLE_SCOPES.viewer);
    const { status, body: viewer } = await invite(own, { role: "viewer" }, key);
    assert.equal(status, 201);
    const refused = await invite(own, { email: "o@example.org", role: "editor" }, key);
    assert.equal(refused.status, 403);
    assert.match(
      refused.body.detail,
      /^This key cannot grant content:write, content:publish, media:write: it lacks that itself/,
    );
    const editor = (await invite(own, { email: "e@example.org", role: "editor" })).body;
    const ask = async (method: string, path: string, body?: object) =>
      (await own.request(method, `/admins/${path}`, { key, body, headers: ANY })).status;
    assert.equal(await ask("PATCH", viewer.id, { role: "owner" }), 403);
    assert.equal(await ask("PATCH", editor.id, { role: "viewer" }), 403);
    assert.equal(await ask("POST", `${editor.id}/code`, {}), 403, "a code is the account");
    assert.equal(await ask("DELETE", `${editor.id}/second-factor`), 403);
    assert.equal(await ask("PATCH", viewer.id, { name: "Vera" }), 200);
    assert.equal(await ask("POST", `${viewer.id}/code`, {}), 200);
    assert.equal(await ask("DELETE", editor.id), 200, "taking away gives nobody anything");
    assert.equal(await ask("PATCH", editor.id, { state: "active" }), 403);
  });
});

it("hashing blocks neither other writers nor the process", async () => {
  const body = { name: "Quick", scopes: ["mcp:read"] };
  const answered: string[] = [];
  const signingIn = Array.from({ length: 12 }, async (_, number) => {
    const { status } = await openBrowser(api.app).signIn(`h${number}@example.org`);
    answered.push("sign-in");
    return status;
  });
  await api.request("POST", "/keys", { body });
  answered.push("key");
  assert.deepEqual(new Set(await Promise.all(signingIn)), new Set([401]));
  assert.notEqual(answered.at(-1), "key", "a key is not kept until all passwords are hashed");
});
