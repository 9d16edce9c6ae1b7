import assert from "node:assert/strict";
import { after, it } from "node:test";
import { disableAdmin } from "../../../src/access/people/admins.ts";
import { sendDigests } from "../../../src/access/people/digests.ts";
import type { Role } from "../../../src/access/people/roles.ts";
import { receiveMessage } from "../../../src/access/submissions/messages.ts";
import { readConfig } from "../../../src/config.ts";
import { publishDueDrafts } from "../../../src/content/drafts/publishing-drafts.ts";
import { ORIGIN } from "../../support/open-fixture.ts";
import { openPeopleSite, PASSWORD } from "../../support/people.ts";
import { OPERATOR } from "../../support/record-store.ts";

const HOUR_SECONDS = 3600;
const SECRET = "Perlustration";

const { mail } = readConfig({ SMTP_URL: "smtp://127.0.0.1:9" });
const site = await openPeopleSite({ config: { mail }, ticks: false });
after(() => site[Symbol.asyncDispose]());
site.clock.now = new Date("2026-11-21T05:00:00Z");

// More accounts than are looked at together, all before those of the tests.
await site.app.sql(`
  WITH RECURSIVE numbers(n) AS (SELECT 100 UNION ALL SELECT n + 1 FROM numbers WHERE n < 600)
  INSERT INTO admins (id, email, name, role, state, password_hash, created_at, created_by, changed_at)
  SELECT '0-' || n, n || '@example.org', 'n', 'viewer', 'disabled', '-', 'd', 'c', 'd' FROM numbers`);

async function enter(email: string, role: Role, language: string) {
  const { id, code } = await site.invite(email, role);
  const browser = site.browser();
  const form = { code, "new-password": PASSWORD };
  const headers = { "Accept-Language": language };
  assert.equal((await browser.send("/admin/claim", form, headers)).status, 303);
  return { ...browser, id };
}

async function digests(): Promise<Record<string, string>> {
  const look = () => sendDigests(site.app.record, ORIGIN, site.clock.now);
  await Promise.all([look(), look(), look()]);
  const rows = await site.app.sql(
    "SELECT recipient, subject, text FROM mails WHERE kind = 'digest' ORDER BY id",
  );
  await site.app.sql("DELETE FROM mails");
  const texts = rows.map(({ recipient, subject, text }) => [
    String(recipient).split("@")[0],
    `${subject}\n${text}`,
  ]);
  assert.equal(new Set(texts.map(([to]) => to)).size, texts.length, "one for each");
  return Object.fromEntries(texts);
}

const countsIn = (text = "") => [...text.matchAll(/^- (.+): https/gm)].map(([, line]) => line);

const owner = await enter("olga@example.org", "owner", "en");
const editor = await enter("emil@example.org", "editor", "de-AT,de;q=0.9");
const writer = await enter("cara@example.org", "contributor", "en");
const viewer = await enter("vera@example.org", "viewer", "en");
const gone = await enter("greg@example.org", "owner", "en");
await site.app.record.atomically((stores) =>
  disableAdmin(stores, OPERATOR, gone.id, { now: site.clock.now }),
);
const draft = await writer.send("/admin/new", { type: "topic", title: SECRET });
const notes = `${draft.location}/notes`;

it("mails each person once a day how much waits for their role, in their language, without what it says", async () => {
  const circumstances = { now: site.clock.now, origin: ORIGIN, sendsMail: false };
  const message = { name: SECRET, email: "ada@example.org", text: SECRET };
  await receiveMessage(site.app.apiParts.stores, message, circumstances);
  assert.equal((await writer.send(notes, { text: SECRET })).status, 303);
  assert.deepEqual(await digests(), {}, "before seven");
  site.wait(3 * HOUR_SECONDS);
  const sent = await digests();
  assert.deepEqual(Object.keys(sent).sort(), ["emil", "olga"]);
  assert.deepEqual(countsIn(sent["olga"]), ["1 new message", "1 new note on a draft"]);
  assert.deepEqual(countsIn(sent["emil"]), ["1 neue Notiz zu einem Entwurf"]);
  assert.match(sent["emil"] ?? "", /: Etwas wartet auf Sie\nGuten Tag emil,/);
  for (const text of Object.values(sent)) assert.doesNotMatch(text, new RegExp(SECRET));
  site.wait(4 * HOUR_SECONDS);
  assert.deepEqual(await digests(), {}, "once a day");
});

it("mails the next day only to those for whom something is new", async () => {
  site.wait(24 * HOUR_SECONDS);
  assert.deepEqual(await digests(), {});
  site.wait(HOUR_SECONDS);
  const credentials = { email: "emil@example.org", password: PASSWORD };
  await editor.send("/admin/sign-in", credentials, { "Accept-Language": "de" });
  assert.equal((await editor.send(notes, { text: "Look again" })).status, 303);
  site.wait(24 * HOUR_SECONDS);
  const sent = await digests();
  assert.deepEqual(Object.keys(sent).sort(), ["cara", "olga"]);
  assert.deepEqual(countsIn(sent["olga"]), ["1 new message", "1 new note on a draft"]);
  assert.deepEqual(countsIn(sent["cara"]), ["1 new note on a draft"]);
});

it("says that a scheduled draft failed, and is turned off on one's own account", async () => {
  await owner.signIn("olga@example.org");
  assert.match(
    (await owner.get("/admin/account")).text,
    /Daily e-mail.+name="digest" value="off"/s,
  );
  assert.equal((await owner.send("/admin/account/digest", { digest: "off" })).status, 303);
  assert.match((await owner.get("/admin/account")).text, /name="digest" value="on"/);
  const { record } = site.app;
  const kept = await record.drafts.byId(String(draft.location?.split("/").at(-1)));
  assert(kept !== null);
  const due = { version: kept.version + 1, publishAt: site.clock.now.toISOString() };
  await record.drafts.put({ ...kept, ...due, parts: { ...kept.parts, path: "/search" } }, null);
  site.wait(HOUR_SECONDS);
  await publishDueDrafts(record, site.clock.now);
  site.wait(23 * HOUR_SECONDS);
  const sent = await digests();
  assert.deepEqual(Object.keys(sent), ["emil"]);
  assert.deepEqual(countsIn(sent["emil"]), [
    "1 Entwurf, der zu seiner Zeit nicht veröffentlicht werden konnte",
  ]);
});

it("says what waits for review, and the screens take it from the contributor to the editor and back", async () => {
  await writer.signIn("cara@example.org");
  site.wait(HOUR_SECONDS);
  const path = String((await writer.send("/admin/new", { type: "topic", title: SECRET })).location);
  assert.match((await writer.get(path)).text, /value="publish"[^>]*>Ask for review …<\/button>/);
  const step = (await writer.get(`${path}/publish`)).text;
  assert.match(step, /An editor publishes it\..*action="[^"]+\/review"/s);
  assert.doesNotMatch(step, /Publish now/);
  assert.equal((await writer.send(`${path}/review`, { note: "Is it <right>?" })).status, 303);
  assert.equal((await writer.send(`${path}/send-back`, { note: "No" })).status, 403);
  site.wait(24 * HOUR_SECONDS);
  const sent = await digests();
  assert.deepEqual(Object.keys(sent), ["emil"]);
  assert.equal(countsIn(sent["emil"])[1], "1 Entwurf zur Durchsicht");

  site.wait(HOUR_SECONDS);
  await editor.signIn("emil@example.org");
  await writer.signIn("cara@example.org");
  const english = { "Accept-Language": "en" };
  for (const screen of ["/admin/desk", "/admin/drafts", "/admin/drafts?review", path]) {
    assert.match((await editor.get(screen, english)).text, /cara asks for a review/, screen);
  }
  assert.match((await editor.get("/admin/drafts", english)).text, /<h2>Waiting for review: 1</);
  const shown = (await editor.get(path, english)).text;
  assert.match(shown, /<form[^>]+ data-uploads/);
  await viewer.signIn("vera@example.org");
  assert.doesNotMatch((await viewer.get(path)).text, /name="next"/, "may only read it");
  assert.doesNotMatch((await writer.get(path)).text, / data-uploads/, "may not add files");
  assert.match(shown, /<p class="text">Is it &lt;right&gt;\?<\/p>.*Send it back/s);
  assert.doesNotMatch((await writer.get("/admin/desk")).text, /\/publish">Perlustration/);
  assert.match((await writer.get(path)).text, /Withdraw the request/);
  assert.equal((await editor.send(`${path}/send-back`, { note: "" }, english)).status, 400);
  assert.equal((await editor.send(`${path}/send-back`, { note: "Not yet" })).status, 303);
  assert.match((await writer.get(path)).text, /Not yet/);
  assert.doesNotMatch((await editor.get("/admin/drafts", english)).text, /asks for a review/);
  site.wait(24 * HOUR_SECONDS);
  assert.deepEqual(countsIn((await digests())["cara"]), ["1 new note on a draft"]);
});

it("is not withheld until a day that only a wrong clock has seen", async () => {
  const before = site.clock.now;
  site.clock.now = new Date("2036-11-21T12:00:00Z");
  await digests();
  site.clock.now = before;
  site.wait(HOUR_SECONDS);
  await editor.signIn("emil@example.org");
  assert.equal((await editor.send(notes, { text: "Once more" })).status, 303);
  site.wait(24 * HOUR_SECONDS);
  assert.notEqual((await digests())["cara"], undefined);
  assert.deepEqual(await digests(), {}, "once a day");
});
