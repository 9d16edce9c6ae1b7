import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { exportAuditLog } from "../../../src/access/audit.ts";
import {
  changeAdmin,
  disableAdmin,
  requireExistingAdmin,
} from "../../../src/access/people/admins.ts";
import { createSession, endSessionsOfAccount } from "../../../src/access/people/sessions.ts";
import { openRecordForCommand } from "../../../src/app/store.ts";
import { readConfig } from "../../../src/config.ts";
import { onlyOnSqlite } from "../../support/engine.ts";
import { ORIGIN } from "../../support/open-fixture.ts";
import { openPeopleSite, PASSWORD } from "../../support/people.ts";
import { OPERATOR } from "../../support/record-store.ts";

const HOUR = 3600;
const SIGN_IN = "/admin/sign-in";

const NO_MAIL = { origin: ORIGIN, sendsMail: false };

const site = await openPeopleSite();
after(() => site[Symbol.asyncDispose]());

describe("a session", () => {
  it("begins with a code and a password, and is kept in a cookie that scripts cannot read", async () => {
    const ada = await site.person("ada@example.org");
    const { status, text, headers } = await ada.get("/admin/account");
    assert.equal(status, 200);
    assert.match(text, /ada, ada@example\.org, Editor/);
    assert.equal(headers.get("cache-control"), "no-store");
    assert.equal(headers.get("referrer-policy"), "same-origin");
    const [token = ""] = ada.cookies.values();
    assert.match(token, /^cpls_[\w-]{43}$/);
    const stored = JSON.stringify(await site.app.sql("SELECT * FROM sessions"));
    assert(!stored.includes(token.slice(5)), "only the hash is stored");
  });

  it("goes on while it is used, and ends after 12 hours without use", async () => {
    const ida = await site.person("ida@example.org");
    for (let used = 0; used < 3; used += 1) {
      site.wait(11 * HOUR);
      assert.equal((await ida.get("/admin/account")).status, 200);
    }
    site.wait(12 * HOUR);
    const ended = await ida.get("/admin/account");
    assert.deepEqual([ended.status, ended.location], [303, SIGN_IN]);
    assert.equal(ida.cookies.size, 0, "the browser forgets it");
  });

  it("ends after a week, however much it is used, and is cleared away", async () => {
    const max = await site.person("max@example.org");
    for (let hours = 0; hours < 7 * 24 - 8; hours += 8) {
      site.wait(8 * HOUR);
      assert.equal((await max.get("/admin/account")).status, 200);
    }
    site.wait(8 * HOUR);
    assert.equal((await max.get("/admin/account")).location, SIGN_IN);
  });

  it("that was begun while the clock was years ahead ends once it is right", async () => {
    const years = 10 * 365 * 24 * HOUR;
    site.jump(years);
    const kim = await site.person("kim@example.org");
    site.jump(-years);
    assert.equal((await kim.get("/admin/account")).location, SIGN_IN);
  });

  it("ends with signing out, also for who kept the cookie", async () => {
    const eve = await site.person("eve@example.org");
    const kept = new Map(eve.cookies);
    const out = await eve.send("/admin/sign-out");
    assert.deepEqual([out.status, out.location, eve.cookies.size], [303, SIGN_IN, 0]);
    for (const [name, value] of kept) eve.cookies.set(name, value);
    assert.equal((await eve.get("/admin/account")).location, SIGN_IN);
  });

  it("is listed with the others, which end one by one or all at once", async () => {
    const liv = await site.person("liv@example.org");
    const others = [1, 2, 3].map(() => site.browser());
    for (const other of others) await other.signIn("liv@example.org");
    const { text } = await liv.get("/admin/account");
    assert.equal(text.match(/<li>Test Browser/g)?.length, 4);
    assert.equal(text.match(/this browser</g)?.length, 1);
    const [, newest = ""] = /name="id" value="([^"]+)"/.exec(text) ?? [];
    assert.equal((await liv.send("/admin/account/sessions", { id: newest })).status, 303);
    const open = async () => {
      const statuses = [];
      for (const each of [liv, ...others]) statuses.push((await each.get("/admin/account")).status);
      return statuses;
    };
    assert.deepEqual(await open(), [200, 200, 200, 303]);
    await liv.send("/admin/account/sessions");
    assert.deepEqual(await open(), [200, 303, 303, 303]);
  });

  it("of somebody else cannot be ended, nor found out", async () => {
    const one = await site.person("one@example.org");
    const other = await site.person("other@example.org");
    const [row] = await site.app.sql(`SELECT id FROM sessions WHERE admin_id = '${one.id}'`);
    const tried = await other.send("/admin/account/sessions", { id: String(row?.["id"]) });
    assert.equal(tried.status, 404);
    assert.equal((await one.get("/admin/account")).status, 200);
  });

  it("ends once, and without a fault, when a person leaves or signs in again by a double click", async () => {
    const una = await site.person("una@example.org");
    const signIns = [1, 2].map(() => una.signIn("una@example.org"));
    for (const { status, fault } of await Promise.all(signIns)) {
      assert.deepEqual([status, fault], [303, ""]);
    }
    await una.get("/admin/account");
    const leaving = [1, 2].map(() => una.send("/admin/sign-out"));
    for (const { status, fault } of await Promise.all(leaving)) {
      assert.deepEqual([status, fault], [303, ""]);
    }
    assert.equal((await una.send("/admin/sign-out")).location, SIGN_IN);
    assert.equal((await una.get("/admin/account")).location, SIGN_IN);
  });

  it("that ends while it changes the password does not change it", async () => {
    const one = await site.person("rita@example.org");
    const other = site.browser();
    await other.signIn("rita@example.org");
    const answers = await Promise.all(
      [one, other].map(async (browser, at) => {
        const next = `new words of browser ${at}`;
        const form = { password: PASSWORD, "new-password": next };
        const { status, fault } = await browser.send("/admin/account/password", form);
        const works = (await site.browser().signIn("rita@example.org", next)).status === 303;
        return { status, fault, works };
      }),
    );
    const [saved, refused] = answers.sort((a, b) => a.status - b.status);
    assert.deepEqual(saved, { status: 303, fault: "", works: true });
    assert.deepEqual([refused?.status, refused?.works], [401, false]);
    assert.match(
      refused?.fault ?? "",
      /not changed here, because this session has ended meanwhile/,
    );
  });

  it("ends when the account is disabled or has a new password, but not in the browser that changed it", async () => {
    const uma = await site.person("uma@example.org");
    const elsewhere = site.browser();
    await elsewhere.signIn("uma@example.org");
    const passwords = { password: PASSWORD, "new-password": "quite other words by now" };
    assert.equal((await uma.send("/admin/account/password", passwords)).status, 303);
    assert.equal((await uma.get("/admin/account")).status, 200);
    assert.equal((await elsewhere.get("/admin/account")).location, SIGN_IN);
    assert.equal((await elsewhere.signIn("uma@example.org")).status, 401);
    assert.equal(
      (await elsewhere.signIn("uma@example.org", "quite other words by now")).status,
      303,
    );
    const kept = new Map(uma.cookies);
    await site.app.record.atomically((stores) =>
      disableAdmin(stores, OPERATOR, uma.id, { now: site.clock.now }),
    );
    assert.equal((await uma.get("/admin/account")).location, SIGN_IN);
    assert.equal(
      (await elsewhere.signIn("uma@example.org", "quite other words by now")).status,
      401,
    );
    const change = { state: "active" as const };
    await site.app.record.atomically((stores) =>
      changeAdmin(stores, OPERATOR, uma.id, { change, now: site.clock.now, ...NO_MAIL }),
    );
    for (const [name, value] of kept) uma.cookies.set(name, value);
    assert.equal((await uma.get("/admin/account")).location, SIGN_IN, "also when enabled again");
  });

  it("shows a change of the role at once", async () => {
    const rae = await site.person("rae@example.org", "viewer");
    await site.app.record.atomically((stores) =>
      changeAdmin(stores, OPERATOR, rae.id, {
        change: { role: "manager" },
        now: site.clock.now,
        ...NO_MAIL,
      }),
    );
    assert.match((await rae.get("/admin/account")).text, /rae@example\.org, Manager/);
  });

  it("is one of at most 20 of an account: the oldest ends", async () => {
    const first = await site.person("many@example.org");
    const client = { address: "192.0.2.1", device: "Other" };
    await site.app.record.atomically(async (stores) => {
      const admin = await requireExistingAdmin(stores.admins, first.id);
      for (let count = 0; count < 20; count += 1) {
        await createSession(stores, admin, { stage: "open", client, now: site.clock.now });
      }
    });
    assert.equal((await first.get("/admin/account")).location, SIGN_IN);
    const [row] = await site.app.sql(
      `SELECT count(*) AS count FROM sessions WHERE admin_id = '${first.id}'`,
    );
    assert.equal(Number(row?.["count"]), 20);
  });
});

it(
  "a session that another process ends is refused at the next request",
  onlyOnSqlite(),
  async () => {
    const zoe = await site.person("zoe@example.org");
    assert.equal((await zoe.get("/admin/account")).status, 200);
    const config = readConfig({ DATA_DIR: site.app.dataDir });
    await using other = await openRecordForCommand(config);
    const options = { keep: null, now: site.clock.now };
    await other.atomically((stores) => endSessionsOfAccount(stores, OPERATOR, zoe.id, options));
    assert.equal((await zoe.get("/admin/account")).location, SIGN_IN);
  },
);

it("the audit log names the person, also by a later name", async () => {
  const nia = await site.person("nia@example.org");
  await nia.send("/admin/sign-out");
  const entries = [];
  const filter = { actor: `person:${nia.id}` };
  for await (const entry of exportAuditLog(site.app.record.audit, OPERATOR, filter)) {
    entries.push(`${entry.action} by ${entry.actorName}`);
  }
  assert.deepEqual(entries, ["admin.accept by nia", "session.start by nia", "session.end by nia"]);
});
