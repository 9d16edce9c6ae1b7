import assert from "node:assert/strict";
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { inviteAdmin } from "../../../src/access/people/admin-codes.ts";
import { deliverSetupCode } from "../../../src/app/setup-code.ts";
import { readConfig } from "../../../src/config.ts";
import { onlyOnSqlite } from "../../support/engine.ts";
import { openMailServer } from "../../support/mail-server.ts";
import { openPeopleSite, PASSWORD } from "../../support/people.ts";
import { NOW, openRecordStore } from "../../support/record-store.ts";
import { until } from "../../support/until.ts";

const SETUP = "/admin/setup";
const NEVER = new AbortController().signal;
const REFUSED = "This code is not valid, has been used or has expired";

describe("the first account", () => {
  it("is an owner, made with a code from a file that only its owner can read", async () => {
    await using site = await openPeopleSite();
    const { record, dataDir } = site.app;
    const now = site.clock.now;
    const setup = await deliverSetupCode(
      record,
      { dataDir },
      { isInteractive: false, now, stopSignal: NEVER },
    );
    const file = join(dataDir, "setup-code");
    assert.deepEqual(setup, { kind: "file", file });
    assert.equal(statSync(file).mode & 0o777, 0o600);
    const code = readFileSync(file, "utf8").trim();
    const browser = site.browser();
    const form = { email: "Ada@Example.org", name: "Ada", "new-password": PASSWORD };
    const wrong = await browser.send(SETUP, { ...form, code: "cplc_x" });
    assert.deepEqual([wrong.status, wrong.fault], [404, REFUSED]);
    const weak = await browser.send(SETUP, { ...form, code, "new-password": "password1234" });
    assert.equal(weak.status, 422);
    assert.match(weak.text, new RegExp(`name="code"[^>]*value="${code}"`), "the code stays");
    assert.doesNotMatch(weak.text, /password1234/);
    const named = await browser.send(SETUP, { ...form, code, "new-password": "Qu0tations-2026!" });
    assert.equal(named.status, 422);
    assert.match(named.text, /it is your name or address, or the name of the site/);
    const nobody = await browser.send(SETUP, { ...form, code, email: "x" });
    assert.deepEqual(
      [nobody.status, nobody.fault],
      [422, "Give an e-mail address, as name@example.org"],
    );
    assert(existsSync(file), "it is needed until then");
    assert.equal((await browser.send(SETUP, { ...form, code })).location, "/admin/desk");
    assert.match((await browser.get("/admin/account")).text, /Ada, ada@example\.org, Owner/);
    const again = await site.browser().send(SETUP, { ...form, code, email: "eve@example.org" });
    assert.equal(again.fault, REFUSED);
    await until(() => !existsSync(file));
    const next = await deliverSetupCode(
      record,
      { dataDir },
      { isInteractive: true, now, stopSignal: NEVER },
    );
    assert.deepEqual([next, existsSync(file)], [{ kind: "none" }, false]);
  });

  it(
    "is made with the code of the last start, which a terminal shows, and alone",
    onlyOnSqlite(),
    async () => {
      await using site = await openPeopleSite();
      const start = async () => {
        const shown = { isInteractive: true, now: site.clock.now, stopSignal: NEVER };
        const setup = await deliverSetupCode(site.app.record, site.app, shown);
        assert(setup.kind === "shown");
        return setup.code;
      };
      const [former, code] = [await start(), await start()];
      const form = { email: "ada@example.org", name: "Ada", "new-password": PASSWORD };
      assert.equal((await site.browser().send(SETUP, { ...form, code: former })).fault, REFUSED);
      const invited = await site.invite("other@example.org");
      const race = await site.browser().send(SETUP, { ...form, code });
      assert.equal(race.fault, REFUSED, "not once there is another account");
      assert(invited.code);
    },
  );

  it(
    "waits while another program holds the store, until the server is stopped",
    onlyOnSqlite(),
    async () => {
      await using store = await openRecordStore();
      using other = new DatabaseSync(store.file);
      other.exec("BEGIN IMMEDIATE");
      const stopping = new AbortController();
      const offered = (stopSignal: AbortSignal) =>
        deliverSetupCode(
          store.record,
          { dataDir: dirname(store.file) },
          { isInteractive: true, now: NOW, stopSignal },
        );
      const [stopped, waiting] = [offered(stopping.signal), offered(NEVER)];
      // A change waits no longer than that for its turn.
      await sleep(1700);
      stopping.abort();
      assert.deepEqual(await stopped, { kind: "none" });
      other.exec("COMMIT");
      assert.equal((await waiting).kind, "shown");
    },
  );
});

it("an invitation goes out by mail, with the code in its text and not in an address", async () => {
  await using mailServer = await openMailServer();
  const { mail } = readConfig({ SMTP_URL: mailServer.url });
  await using site = await openPeopleSite({ config: { mail } });
  const delivery = { now: site.clock.now, origin: "https://quotations.example", sendsMail: true };
  const { admin, code } = await site.app.record.atomically((stores) =>
    inviteAdmin(
      stores,
      { kind: "operator" },
      { email: "ada@example.org", name: "Ada", role: "manager" },
      delivery,
    ),
  );
  assert.equal(code, null, "nobody else sees it");
  await until(async () => mailServer.caught.length === 1);
  const text = mailServer.caught[0]?.text ?? "";
  const [sent = ""] = /cplc_\w{38}/.exec(text) ?? [];
  assert.match(text, /Enter it at https:\/\/quotations\.example\/admin\/claim by/);
  assert.doesNotMatch(text, /https:\S*cplc_/);
  const form = { code: sent, "new-password": PASSWORD };
  assert.equal((await site.browser().send("/admin/claim", form)).status, 303);
  const [state] = await site.app.record.outbox.statesAbout(admin.id);
  assert.equal(state?.state, "sent");
});
