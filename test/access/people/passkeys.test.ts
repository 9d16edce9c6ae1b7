import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { exportAuditLog } from "../../../src/access/audit.ts";
import { disableAdmin } from "../../../src/access/people/admins.ts";
import type { Role } from "../../../src/access/people/roles.ts";
import { type Authenticator, openAuthenticator } from "../../support/authenticator.ts";
import { type Browser, openPeopleSite, type Shown } from "../../support/people.ts";
import { OPERATOR } from "../../support/record-store.ts";

const PASSKEYS = "/admin/account/passkeys";
const SIGN_IN = "/admin/sign-in/passkey";
const REFUSED =
  "This passkey does not sign in here: it is not known, was removed, or took longer than five minutes. Try again, or use your password";
const NOT_ADDED =
  "The passkey was not added: it took longer than five minutes or was not made on this page; try again";

const site = await openPeopleSite();
after(() => site[Symbol.asyncDispose]());

describe("a passkey", () => {
  it("signs its person in, and the session, the log and the account show it", async () => {
    const { browser, id, device } = await withPasskey("ida@example.org");
    assert.match((await browser.get("/admin/account")).text, /<strong>Phone<\/strong>/);
    const other = site.browser();
    const before = new Map(other.cookies);
    const entered = await signIn(other, device);
    assert.deepEqual([entered.status, entered.location], [303, "/admin/desk"]);
    assert.notDeepEqual(other.cookies, before);
    const { text } = await other.get("/admin/account");
    assert.match(text, /ida, ida@example\.org/);
    assert.doesNotMatch(text, /last used: Never/);
    const entries = await entriesOf(id);
    assert.deepEqual(
      entries.map(({ action, detail, actor }) => [action, detail, actor]).slice(-2),
      [
        ["admin.passkey-add", null, `person:${id}`],
        ["session.start", "with a passkey", `person:${id}`],
      ],
    );
  });

  it("replaces the token of the session that the browser had", async () => {
    const { browser, device } = await withPasskey("rot@example.org");
    const before = browser.cookies.get("__Host-session");
    await signIn(browser, device);
    assert.notEqual(browser.cookies.get("__Host-session"), before);
    const stolen = site.browser();
    stolen.cookies.set("__Host-session", before ?? "");
    assert.equal((await stolen.get("/admin/account")).location, "/admin/sign-in");
  });

  it("of a device that does not count works again and again", async () => {
    const { device } = await withPasskey("sync@example.org", { counts: false });
    for (let times = 0; times < 3; times += 1) {
      assert.equal((await signIn(site.browser(), device)).status, 303);
    }
  });

  it("is added once the password was entered, has a name, and there are ten at most", async () => {
    const pat = await site.person("pat@example.org");
    site.wait(16 * 60);
    const asked = await pat.send(`${PASSKEYS}/challenge`);
    assert.equal(asked.status, 403);
    assert.match(decodeURIComponent(asked.headers.get("x-fault") ?? ""), /password/);
    await pat.send("/admin/confirm", { password: "a few words in a row" });
    assert.equal((await add(pat, openAuthenticator(), " ")).status, 422);
    for (let count = 0; count < 10; count += 1) {
      assert.equal((await add(pat, openAuthenticator())).location, "/admin/account?saved=true");
    }
    const full = await pat.send(`${PASSKEYS}/challenge`);
    assert.equal(full.fault, "There are 10 passkeys already: remove one first");
  });

  it("no longer signs in when it is removed, and others cannot remove it", async () => {
    const { browser, device } = await withPasskey("rem@example.org");
    const [, id = ""] =
      /name="id" value="([^"]+)"/.exec((await browser.get("/admin/account")).text) ?? [];
    const eve = await site.person("eve@example.org");
    assert.equal((await eve.send(`${PASSKEYS}/remove`, { id })).status, 404);
    assert.equal((await browser.send(`${PASSKEYS}/remove`, { id })).status, 303);
    assert.equal((await signIn(site.browser(), device)).fault, REFUSED);
  });

  it("signs in nobody whose account is disabled", async () => {
    const { id, device } = await withPasskey("dis@example.org");
    await site.app.record.atomically((stores) =>
      disableAdmin(stores, OPERATOR, id, { now: site.clock.now }),
    );
    const refused = await signIn(site.browser(), device);
    assert.deepEqual([refused.status, refused.fault], [401, REFUSED]);
  });

  it("says that it was made for another address of the site", async () => {
    const { browser, id } = await withPasskey("old@example.org");
    const stored = await site.app.record.passkeys.ofAdmin(id);
    assert.deepEqual(
      stored.map(({ host }) => host),
      ["quotations.example"],
    );
    await site.app.sql(`UPDATE passkeys SET host = 'old.example' WHERE admin_id = '${id}'`);
    assert.match((await browser.get("/admin/account")).text, /It was made for old\.example/);
  });

  it("of another person is removed by an owner, which ends the sessions", async () => {
    const owner = await site.person("boss@example.org", "owner");
    const { browser, id, device } = await withPasskey("lost@example.org");
    assert.match((await owner.get("/admin/people")).text, /Remove all passkeys/);
    assert.equal((await owner.send(`/admin/people/${id}/passkeys`)).status, 303);
    assert.equal((await browser.get("/admin/account")).location, "/admin/sign-in");
    assert.equal((await signIn(site.browser(), device)).fault, REFUSED);
    assert.equal((await owner.send(`/admin/people/${id}/passkeys`)).status, 404);
  });
});

describe("an attack on a passkey", () => {
  it("by a response for something else is refused with one message", async () => {
    const { device } = await withPasskey("att@example.org");
    const { id: otherId } = await withPasskey("vic@example.org");
    const deviations: Parameters<Authenticator["get"]>[1][] = [
      { origin: "https://quotations.evil.example" },
      { origin: "http://quotations.example" },
      { rpId: "evil.example" },
      { challenge: Buffer.alloc(32).toString("base64url") },
      { userHandle: Buffer.from(otherId).toString("base64url") },
      { type: "webauthn.create" },
      { isVerified: false },
      { breaksSignature: true },
      { counter: 1 },
    ];
    for (const deviation of deviations) {
      const refused = await signIn(site.browser(), device, deviation);
      const { status, fault, location } = refused;
      assert.deepEqual([status, fault, location], [401, REFUSED, null], JSON.stringify(deviation));
    }
    assert.equal((await signIn(site.browser(), device, { counter: 9 })).status, 303);
    const stranger = openAuthenticator();
    stranger.create(JSON.stringify({ challenge: "AAAA", rp: { id: "x" }, user: { id: "AAAA" } }));
    assert.equal((await signIn(site.browser(), stranger)).fault, REFUSED);
  });

  it("by a response that is not one is refused", async () => {
    for (const response of ["", "{}", "null", "[", JSON.stringify({ id: "A".repeat(9000) })]) {
      const browser = site.browser();
      await browser.send(`${SIGN_IN}/challenge`);
      assert.equal(
        (await browser.send(SIGN_IN, { response })).fault,
        REFUSED,
        response.slice(0, 9),
      );
    }
  });

  it("by a replay, in another browser, or too late is refused", async () => {
    const { device } = await withPasskey("rep@example.org");
    const browser = site.browser();
    const options = (await browser.send(`${SIGN_IN}/challenge`)).text;
    const kept = new Map(browser.cookies);
    const response = device.get(options);
    const thief = site.browser();
    assert.equal((await thief.send(SIGN_IN, { response })).fault, REFUSED, "without the cookie");
    await thief.send(`${SIGN_IN}/challenge`);
    assert.equal(
      (await thief.send(SIGN_IN, { response })).fault,
      REFUSED,
      "with a cookie of its own",
    );
    assert.equal((await browser.send(SIGN_IN, { response })).status, 303);
    for (const [name, value] of kept) thief.cookies.set(name, value);
    assert.equal((await thief.send(SIGN_IN, { response })).fault, REFUSED, "replayed");

    const slow = site.browser();
    const late = device.get((await slow.send(`${SIGN_IN}/challenge`)).text);
    site.wait(300);
    assert.equal((await slow.send(SIGN_IN, { response: late })).fault, REFUSED, "late");
  });

  it("lets one of two through who send the same response in the same moment", async () => {
    const { device } = await withPasskey("race@example.org");
    const browser = site.browser();
    const response = device.get((await browser.send(`${SIGN_IN}/challenge`)).text);
    const twin = site.browser();
    for (const [name, value] of browser.cookies) twin.cookies.set(name, value);
    const token = "none";
    const answers = await Promise.all(
      [browser, twin].map((each) => each.send(SIGN_IN, { response, token })),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [303, 401]);
  });

  it("by adding one with the challenge of another person, of a sign-in or of another site is refused", async () => {
    const mia = await site.person("mia@example.org");
    const eve = await site.person("eva@example.org");
    const device = openAuthenticator();
    const options = (await mia.send(`${PASSKEYS}/challenge`)).text;
    const response = device.create(options);
    const secret = mia.cookies.get("__Host-passkey") ?? "";
    eve.cookies.set("__Host-passkey", secret);
    assert.equal((await eve.send(PASSKEYS, { response, name: "Mine" })).fault, NOT_ADDED);
    assert.equal((await mia.send(PASSKEYS, { response, name: "Used up" })).fault, NOT_ADDED);
    for (const deviation of [
      { origin: "https://evil.example" },
      { rpId: "evil.example" },
      { isVerified: false },
      { type: "webauthn.get" },
    ]) {
      assert.equal((await add(mia, openAuthenticator(), "Phone", deviation)).fault, NOT_ADDED);
    }
    await mia.send(`${SIGN_IN}/challenge`);
    const own = device.create(options);
    assert.equal((await mia.send(PASSKEYS, { response: own, name: "Sign-in" })).fault, NOT_ADDED);
    assert.equal((await add(mia, device)).status, 303);
    assert.equal((await add(eve, device)).fault, NOT_ADDED, "a credential of another person");
  });

  it("by certificates, which name addresses to ask, is refused; a device may vouch for itself", async () => {
    const cer = await site.person("cer@example.org");
    const attested = (attestation: "packed" | "fido-u2f") =>
      add(cer, openAuthenticator(), "Phone", { attestation });
    assert.equal((await attested("fido-u2f")).fault, NOT_ADDED);
    assert.equal((await attested("packed")).status, 303);
  });

  it("by many attempts is limited by network, and other networks sign in meanwhile", async () => {
    const { device } = await withPasskey("many@example.org");
    const busy = site.browser();
    for (let tried = 0; tried < 10; tried += 1) {
      assert.equal((await busy.send(`${SIGN_IN}/challenge`)).status, 200);
    }
    const limited = await busy.send(`${SIGN_IN}/challenge`);
    assert.equal(limited.status, 429);
    assert(Number(limited.headers.get("retry-after")) > 0);
    assert.equal((await signIn(site.browser(), device)).status, 303);
  });

  it("finds no challenge and no key of a session in the store", async () => {
    const browser = site.browser();
    const { text } = await browser.send(`${SIGN_IN}/challenge`);
    const secret = browser.cookies.get("__Host-passkey") ?? "";
    const stored = JSON.stringify(await site.app.sql("SELECT * FROM passkey_challenges"));
    const { challenge } = JSON.parse(text);
    assert(secret.length > 40 && !stored.includes(secret) && !stored.includes(challenge));
    assert(!text.includes(secret));
  });
});

interface WithPasskey {
  browser: Browser;
  id: string;
  device: Authenticator;
}

async function withPasskey(
  email: string,
  options: { counts?: boolean; role?: Role } = {},
): Promise<WithPasskey> {
  const browser = await site.person(email, options.role);
  const device = openAuthenticator(options);
  assert.equal((await add(browser, device)).status, 303);
  return { browser, id: browser.id, device };
}

async function add(
  browser: Browser,
  device: Authenticator,
  name = "Phone",
  deviation: Parameters<Authenticator["create"]>[1] = {},
): Promise<Shown> {
  const { text } = await browser.send(`${PASSKEYS}/challenge`);
  return await browser.send(PASSKEYS, { response: device.create(text, deviation), name });
}

async function signIn(
  browser: Browser,
  device: Authenticator,
  deviation: Parameters<Authenticator["get"]>[1] = {},
): Promise<Shown> {
  const { text } = await browser.send(`${SIGN_IN}/challenge`);
  return await browser.send(SIGN_IN, { response: device.get(text, deviation) });
}

async function entriesOf(id: string) {
  const entries = [];
  for await (const entry of exportAuditLog(site.app.record.audit, OPERATOR, {})) {
    if (entry.target === id) entries.push(entry);
  }
  return entries;
}
