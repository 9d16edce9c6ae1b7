import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { it } from "node:test";
import { auditEntryForChange } from "../../src/access/audit.ts";
import { changeKey } from "../../src/access/keys/key-changes.ts";
import { issueKey } from "../../src/access/keys/keys.ts";
import { normalizeAccountEmail, personActorOf } from "../../src/access/people/admins.ts";
import { approveKeyRequest } from "../../src/access/submissions/key-approvals.ts";
import { claimKey } from "../../src/access/submissions/key-claims.ts";
import { receiveKeyRequest } from "../../src/access/submissions/key-requests.ts";
import { receiveMessage } from "../../src/access/submissions/messages.ts";
import { emailAddressSchema } from "../../src/access/submissions/visitor-input.ts";
import { newId } from "../../src/new-id.ts";
import { requestExport } from "../../src/transfer/jobs.ts";
import type { Engine } from "../support/engine.ts";
import { ORIGIN } from "../support/open-fixture.ts";
import { openPeopleSite, type PeopleSite } from "../support/people.ts";
import { onPostgres } from "../support/postgres-store.ts";
import { OPERATOR } from "../support/record-store.ts";

const EMAIL = "Benedict.Doe@bücher.example";
const COLLEAGUE = "colleague@example.org";
/** Takes more than a page of the store. */
const TEXT = "I live at Walden Pond.".repeat(400);
/** What could tell of the person in any row. Whole words, as the hash of a password may hold three letters. */
const TRACES = /benedict|\bdoe\b|walden pond|203\.0\.113/i;
/** Which no text of the program has. */
const WORDS = /benedict.{0,20}|.{0,20}walden pond|doe and sons|203\.0\.113/gi;
const TABLES = [
  ...["messages", "key_requests", "keys", "mails", "admins", "sessions", "admin_codes"],
  ...["second_factors", "passkeys", "presence", "audit", "jobs"],
];

it("what is kept of a person is shown, taken out and erased", () => judge("SQLite"));

onPostgres("personal data", () => {
  it("is shown, taken out and erased in PostgreSQL as well", () => judge("PostgreSQL"));
});

async function judge(engine: Engine): Promise<void> {
  await using site = await openPeopleSite({ engine });
  const owner = await site.person("owner@example.org", "owner");
  const ben = await site.person(normalizeAccountEmail(EMAIL), "editor");
  await ben.send("/admin/new", { type: "topic", title: "Ponds" });
  await leaveJob(site, ben.id);
  const handedOver = await handOverKey(site);
  await leaveTraces(site);
  await addPasskey(site, ben.id);
  const before = await allRows(site);
  assert.match(before, TRACES);

  const shown = await owner.send("/admin/personal-data", { email: EMAIL });
  for (const line of ["Messages: 1", "Requests for keys: 2", "Keys: 1", "An account (Editor)"]) {
    assert(shown.text.includes(`<li>${line}</li>`), `${line} in ${shown.text}`);
  }
  const taken = await owner.send("/admin/personal-data/export", { email: EMAIL });
  assert.match(taken.headers.get("content-disposition") ?? "", /^attachment/);
  const kept = JSON.parse(taken.text);
  assert.equal(kept.messages[0].text, TEXT);
  assert.equal(kept.keyRequests[1].organisation, "Doe and Sons");
  assert.equal(kept.account.sessions.length, 1);
  assert.deepEqual(
    kept.account.passkeys.map(({ name }: { name: string }) => name),
    ["Benedict's phone"],
  );
  assert.doesNotMatch(taken.text, /credential-of-a-device|key-of-a-device/);
  assert.equal(kept.mails.length, 3);
  assert(kept.actions.length > 0 && !kept.hasMoreActions);
  assert.doesNotMatch(taken.text, /[0-9a-f]{64}|argon2/, "an export shows no hash");

  const slip = await owner.send("/admin/personal-data/erase", { email: EMAIL, again: "b@c.org" });
  assert.equal(slip.fault, "The two addresses differ: nothing was erased");
  assert.equal((await ben.get("/admin/desk")).status, 200);
  const erased = await owner.send("/admin/personal-data/erase", { email: EMAIL, again: EMAIL });
  assert.match(erased.text, /<h1>Erased<\/h1>/);
  assert.doesNotMatch(await allRows(site), TRACES);
  if (engine === "SQLite") assert.deepEqual(storedBytes(site).match(WORDS), null);
  assert.equal((await ben.get("/admin/desk")).status, 303);
  const keys = await site.app.sql("SELECT id, revoked_at, name, owner, contact FROM keys");
  for (const key of keys) {
    assert.equal(key["name"], "erased");
    assert.equal(key["revoked_at"] === null, key["id"] === handedOver);
    assert.equal(key["contact"], key["id"] === handedOver ? COLLEAGUE : "");
  }
  const enabled = await owner.send(`/admin/people/${ben.id}`, { state: "active" });
  assert.match(enabled.fault, /The data of this person was erased; invite them again/i);
  const again = await owner.send("/admin/personal-data", { email: EMAIL });
  assert.match(again.text, /Nothing is kept under this address/);

  const last = { email: "owner@example.org", again: "owner@example.org" };
  const refused = await owner.send("/admin/personal-data/erase", last);
  assert.match(refused.fault, /no other owner is active/);
  const manager = await site.person("manager@example.org", "manager");
  assert.equal((await manager.send("/admin/personal-data", { email: EMAIL })).status, 403);
}

/** A message, an approved request with its mails, and a key, as a visitor of that name leaves them. */
async function leaveTraces(site: Awaited<ReturnType<typeof openPeopleSite>>): Promise<void> {
  const visitor = { name: "Benedict Doe", email: emailAddressSchema.parse(EMAIL) };
  const context = { now: site.clock.now, origin: ORIGIN, sendsMail: true, requestId: "one" };
  await site.app.record.atomically(async (stores) => {
    await receiveMessage(stores, { ...visitor, text: TEXT }, context);
    const asked = { organisation: "Doe and Sons", task: "to read", data: "all", access: "read" };
    const request = await receiveKeyRequest(
      stores,
      { ...visitor, ...asked, access: "read" },
      context,
    );
    await approveKeyRequest(stores, OPERATOR, request.id, context);
  });
  const key = { name: "Benedict's reader", scopes: ["mcp:read"], contact: EMAIL } as const;
  await issueKey(site.app.record.keys, OPERATOR, key, site.clock.now);
}

/** A key that was claimed with a request of the person, and whose contact is a colleague by now. */
async function handOverKey(site: PeopleSite): Promise<string> {
  const context = { now: site.clock.now, origin: ORIGIN, sendsMail: false };
  const { record } = await site.app.record.atomically(async (stores) => {
    const asked = { organisation: "", task: "to read at Walden Pond", data: "", access: "read" };
    const visitor = { name: "Benedict Doe", email: normalizeAccountEmail(EMAIL) };
    const input = { ...asked, ...visitor, access: "read" } as const;
    const { id } = await receiveKeyRequest(stores, input, context);
    const { code } = await approveKeyRequest(stores, OPERATOR, id, context);
    return await claimKey(stores, code ?? "", { now: site.clock.now, address: "192.0.2.1" });
  });
  const change = { change: { contact: COLLEAGUE }, now: site.clock.now };
  await changeKey(site.app.record.keys, OPERATOR, record.id, change);
  return record.id;
}

async function leaveJob({ app, clock }: PeopleSite, adminId: string): Promise<void> {
  const admin = await app.record.admins.byId(adminId);
  assert(admin !== null);
  const named = personActorOf(
    { ...admin, name: "Benedict Doe", role: "owner" },
    { isConfirmed: true },
  );
  await requestExport(app.record.jobs, named, { now: clock.now });
}

async function addPasskey({ app, clock }: PeopleSite, adminId: string): Promise<void> {
  const { now } = clock;
  const entry = auditEntryForChange("admin.passkey-add", adminId, { actor: OPERATOR, now });
  await app.record.passkeys.insert(
    {
      ...{ id: newId(now), adminId, name: "Benedict's phone" },
      ...{ credentialId: "credential-of-a-device", publicKey: "key-of-a-device" },
      ...{ counter: 0, isBackedUp: true, host: "quotations.example" },
      ...{ createdAt: now.toISOString(), usedAt: null },
    },
    entry,
  );
}

/** Backups copy whole pages, with what is free in them. */
function storedBytes({ app }: PeopleSite): string {
  const file = join(app.dataDir, "commonplace.db");
  using db = new DatabaseSync(file);
  db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  return readFileSync(file, "latin1");
}

async function allRows(site: Awaited<ReturnType<typeof openPeopleSite>>): Promise<string> {
  const tables = await Promise.all(TABLES.map((table) => site.app.sql(`SELECT * FROM ${table}`)));
  return JSON.stringify(tables);
}
