import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { saveItem } from "../../../src/content/editing/editing.ts";
import { itemInputSchema } from "../../../src/content/items/item.ts";
import { ORIGIN } from "../../support/open-fixture.ts";
import { openPeopleSite, PASSWORD } from "../../support/people.ts";
import { OPERATOR } from "../../support/record-store.ts";

const site = await openPeopleSite();
after(() => site[Symbol.asyncDispose]());

/** More redirects than a pasted list may have. */
const TOO_MANY = 1001;
const LONG_AGO_SECONDS = 60 * 60;

describe("a form that fails", () => {
  it("is shown again with the error and with what was typed", async () => {
    const owner = await site.person("one@example.org", "owner");
    const typed = {
      ...{ name: "", description: 'Says "<b>" & more', language: "en", timeZone: "Mars/Base" },
      ...{ email: "editors@quotations.example", whenToUse: "To quote\r\nTo </textarea> check" },
    };
    const shown = await owner.send("/admin/settings", typed);
    assert.equal(shown.status, 400);
    assert.match(shown.fault, /Time zone: is not a time zone/);
    assert.match(shown.text, /name="name" value=""/);
    assert.match(shown.text, /Says &quot;&lt;b&gt;&quot; &amp; more/);
    assert.match(shown.text, /name="timeZone" [^>]*value="Mars\/Base"/);
    assert.match(shown.text, /To &lt;\/textarea&gt; check<\/textarea>/);
  });

  it("comes back on the page that it was sent from, with its folded part open", async () => {
    const owner = await site.person("two@example.org", "owner");
    const list = Array.from({ length: TOO_MANY }, (_, at) => `/old/${at} /topics`).join("\n");
    const sent = { Referer: `${ORIGIN}/admin/redirects?from=%2Fold` };
    const shown = await owner.send("/admin/redirects/list", { list }, sent);
    assert.match(shown.fault, /at most/);
    assert.match(shown.text, /<details open=""/);
    assert.match(shown.text, /\/old\/7 \/topics\n/);
    assert.match(shown.text, /value="\/old"/);
  });

  it("says what is wrong in the language of the screen, with the labels of its fields", async () => {
    const owner = await site.person("german@example.org", "owner");
    const german = { "Accept-Language": "de" };
    const settings = {
      ...{ name: "", description: "Quotations", language: "en", timeZone: "Mars/Base" },
      ...{ email: "nobody", whenToUse: "To quote", messageDays: "3", statisticsDays: "90" },
    };
    const shown = await owner.send("/admin/settings", settings, german);
    assert.equal(
      shown.fault,
      "Die Einstellungen lassen sich so nicht speichern. Name: fehlt; Zeitzone: ist keine Zeitzone wie Europe/Vienna oder UTC; E-Mail-Adresse der Redaktion: ist keine E-Mail-Adresse, zum Beispiel name@example.org; Nachrichten und Schlüsselanfragen, nach der letzten Änderung: muss mindestens 30 sein",
    );
    const redirect = { from: "/old", to: "/no-such" };
    assert.equal(
      (await owner.send("/admin/redirects", redirect, german)).fault,
      "Diese Weiterleitung geht nicht. Führt zu: Unter „/no-such“ steht nichts",
    );
    const viewer = await site.person("german-viewer@example.org", "viewer");
    assert.match(
      (await viewer.send("/admin/new", { type: "topic" }, german)).fault,
      /^Ihre Rolle erlaubt nicht: Entwürfe schreiben und ändern\./,
    );
  });

  it("leads back to the screen that the password was asked for, and to no other site", async () => {
    const owner = await site.person("back@example.org", "owner");
    site.wait(LONG_AGO_SECONDS);
    const to = (await owner.get("/admin/keys")).location ?? "";
    assert.match((await owner.get(to)).text, /name="password"/);
    assert.equal((await owner.send(to, { password: PASSWORD })).location, "/admin/keys");
    const elsewhere = "/admin/confirm?to=//elsewhere.example";
    assert.equal((await owner.send(elsewhere, { password: PASSWORD })).location, "/admin/account");
  });

  it("asks for the password where it is missing, and then does what was asked", async () => {
    const owner = await site.person("three@example.org", "owner");
    site.wait(LONG_AGO_SECONDS);
    const person = { name: "Ben", email: "ben@example.org", role: "viewer" };
    const asked = await owner.send("/admin/people", person);
    assert.equal(asked.status, 403);
    assert.match(asked.text, /name="name" value="Ben"/);
    assert.match(asked.text, /name="role" value="viewer"/);
    assert.match(asked.text, /name="own-password"/);
    const wrong = await owner.send("/admin/people", {
      ...person,
      "own-password": "some other words",
    });
    assert.equal(wrong.fault, "This is not your password");
    assert.match(wrong.text, /value="ben@example\.org"/);
    assert.match(
      wrong.text,
      /name="own-password" type="password" autocomplete="current-password" autofocus>/,
    );
    const done = await owner.send("/admin/people", { ...person, "own-password": PASSWORD });
    assert.equal(done.status, 200);
    assert.match(done.text, /<p class="code">/);
  });

  it("survives the end of the session: signed in again, it is there", async () => {
    const owner = await site.person("four@example.org", "owner");
    await owner.get("/admin/redirects");
    const redirect = { from: "/old", to: "/topics", token: "of-the-ended-session" };
    const refused = await owner.send("/admin/redirects", redirect);
    assert.equal(refused.status, 403);
    assert.match(refused.fault, /another session/);
    assert.match(refused.text, /value="\/old"/);
    assert.doesNotMatch(refused.text, /of-the-ended-session/);
  });

  it("keeps the e-mail address, never a password, of who cannot sign in", async () => {
    await site.person("five@example.org", "owner");
    const shown = await site.browser().signIn("five@example.org", "not the password");
    assert.match(shown.text, /value="five@example\.org"/);
    assert.doesNotMatch(shown.text, /not the password/);
  });

  it("names people, not numbers, who were faster", async () => {
    const anna = await site.person("anna@example.org", "owner");
    const bert = await site.person("bert@example.org", "owner");
    const input = itemInputSchema.parse({ type: "topic", status: "published", title: "Tides" });
    const { item } = await saveItem(site.app.record.content, OPERATOR, input, site.clock.now);
    const { location } = await anna.send(`/admin/content/${item.id}/edit`);
    const saved = { version: "1", title: "Tides", summary: "Changed by Bert", language: "en" };
    assert.equal((await bert.send(location ?? "", { ...saved, path: item.path })).status, 303);
    const sent = { Referer: `${ORIGIN}${location}` };
    const shown = await anna.send(`${location}/discard`, { version: "1" }, sent);
    assert.match(shown.fault, /^Not discarded: .*bert/);
    assert.doesNotMatch(shown.text, /person:/);
    assert.match(shown.text, /Changed by Bert/);
  });

  it("lets a draft of one's own be discarded when the answer to a save was lost", async () => {
    const carla = await site.person("carla@example.org", "owner");
    const { location } = await carla.send("/admin/new", { type: "topic" });
    const typed = { version: "1", title: "Neap tides", language: "en" };
    assert.equal((await carla.send(location ?? "", typed)).status, 303);
    const { status } = await carla.send(`${location}/discard`, { version: "1" });
    assert.equal(status, 303);
    assert.doesNotMatch((await carla.get("/admin/drafts")).text, /Neap tides/);
  });
});

it("has a page for an address where nothing is", async () => {
  const { status, text } = await site.browser().get("/admin/nothing-here");
  assert.equal(status, 404);
  assert.match(text, /There is no such page for administrators/);
  assert.match(text, /href="\/admin\/desk"/);
});
