import assert from "node:assert/strict";
import { after, it } from "node:test";
import { renewAdminCode } from "../../../src/access/people/admin-codes.ts";
import { generateTotpCode, verifyTotpCode } from "../../../src/access/people/totp.ts";
import { openAuthenticator } from "../../support/authenticator.ts";
import { ORIGIN } from "../../support/open-fixture.ts";
import { openPeopleSite, PASSWORD } from "../../support/people.ts";
import { OPERATOR } from "../../support/record-store.ts";

const PASSKEYS = "/admin/account/passkeys";
const FACTOR = "/admin/account/second-factor";
/** Refuses connections, so that mails wait. */
const MAIL = { host: "127.0.0.1", port: 9, isSecure: false, login: null, from: null };

const site = await openPeopleSite({ config: { mail: MAIL } });
after(() => site[Symbol.asyncDispose]());

const owner = await site.person("olga@example.org", "owner");

it("a person is mailed what was changed about their account, and by whomever", async () => {
  const ada = await site.person("ada@example.org");
  assert.deepEqual(await mails(), [], "an accepted invitation is no change");

  const { text } = await ada.send(`${PASSKEYS}/challenge`);
  await ada.send(PASSKEYS, { response: openAuthenticator().create(text), name: "Phone" });
  assert.deepEqual(await mails(), ["ada: a passkey was added to your account"]);
  const [, id = ""] =
    /name="id" value="([^"]+)"/.exec((await ada.get("/admin/account")).text) ?? [];
  await ada.send(`${PASSKEYS}/remove`, { id });
  assert.deepEqual(await mails(), ["ada: a passkey was removed from your account"]);

  await ada.send("/admin/account/password", {
    password: PASSWORD,
    "new-password": "other words, in a row",
  });
  assert.deepEqual(await mails(), ["ada: your password was changed"]);
  await ada.send(FACTOR);
  const [, secret = ""] = /class="code"><code>([A-Z2-7]+)/.exec((await ada.get(FACTOR)).text) ?? [];
  await ada.send(`${FACTOR}/confirm`, { code: codeNow(secret) });
  assert.deepEqual(await mails(), ["ada: the second factor of your account was turned on"]);

  assert.equal((await owner.send(`/admin/people/${ada.id}/second-factor`)).status, 303);
  assert.deepEqual(await mails(), ["ada: the second factor of your account was turned off"]);
  assert.equal((await ada.get("/admin/account")).location, "/admin/sign-in", "its sessions end");

  await owner.send(`/admin/people/${ada.id}`, { role: "manager" });
  assert.deepEqual(await mails(), ["ada: your role was changed"]);
  await owner.send(`/admin/people/${ada.id}`, { role: "manager" });
  assert.deepEqual(await mails(), [], "nothing changed");

  const delivery = { now: site.clock.now, origin: ORIGIN, sendsMail: false };
  const { code } = await site.app.record.atomically((stores) =>
    renewAdminCode(stores, OPERATOR, ada.id, delivery),
  );
  await site.browser().send("/admin/claim", { code: code ?? "", "new-password": PASSWORD });
  assert.deepEqual(await mails(), ["ada: your password was changed"]);
});

it("the mail is in the language of the last sign-in", async () => {
  const { id, code } = await site.invite("emil@example.org");
  const german = { "Accept-Language": "de" };
  await site.browser().send("/admin/claim", { code, "new-password": PASSWORD }, german);
  await owner.send(`/admin/people/${id}`, { role: "manager" });
  const [mail] = await site.app.sql(
    "SELECT subject, text FROM mails WHERE kind = 'account-changed'",
  );
  assert.match(String(mail?.["subject"]), /^Ihr Konto bei .+ wurde geändert$/);
  assert.match(String(mail?.["text"]), /wurde Ihre Rolle geändert/);
  assert(String(mail?.["text"]).includes(`${ORIGIN}/admin/account`));
});

it("a code that no longer works is not mailed", async () => {
  const codeMails = async (id: string) =>
    (await site.app.record.outbox.statesAbout(id))
      .filter(({ kind }) => kind === "admin-code")
      .map(({ state }) => state);
  const rob = await site.person("rob@example.org");
  await owner.send(`/admin/people/${rob.id}/code`);
  assert.deepEqual(await codeMails(rob.id), ["waiting"]);
  const passwords = { password: PASSWORD, "new-password": "other words, in a row" };
  await rob.send("/admin/account/password", passwords);
  assert.deepEqual(await codeMails(rob.id), ["withdrawn"]);
  const { id } = await site.invite("ivy@example.org");
  await owner.send(`/admin/people/${id}/code`);
  assert.deepEqual(await codeMails(id), ["waiting"]);
  await owner.send(`/admin/people/${id}`, { state: "disabled" });
  assert.deepEqual(await codeMails(id), ["withdrawn"]);
});

/** To whom and about what, since the last look. */
async function mails(): Promise<string[]> {
  const rows = await site.app.sql(
    "SELECT recipient, text FROM mails WHERE kind = 'account-changed' ORDER BY id",
  );
  await site.app.sql("DELETE FROM mails");
  return rows.map(({ recipient, text }) => {
    const [, change] =
      /, ([^,.]+?)(?:\.|, and| and no)/.exec(String(text).split("\n\n")[1] ?? "") ?? [];
    return `${String(recipient).split("@")[0]}: ${change}`;
  });
}

function codeNow(secret: string): string {
  const step = Math.floor(site.clock.now.getTime() / 30_000);
  const code = generateTotpCode(secret, step);
  assert.notEqual(verifyTotpCode(secret, code, { now: site.clock.now, lastStep: 0 }), null);
  return code;
}
