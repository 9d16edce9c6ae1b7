import assert from "node:assert/strict";
import { after, it } from "node:test";
import { publishDueDrafts } from "../../../src/content/drafts/publishing-drafts.ts";
import { saveItem } from "../../../src/content/editing/editing.ts";
import { itemInputSchema } from "../../../src/content/items/item.ts";
import { openPeopleSite } from "../../support/people.ts";
import { OPERATOR } from "../../support/record-store.ts";

const GERMAN = { "Accept-Language": "de" };

const site = await openPeopleSite();
after(() => site[Symbol.asyncDispose]());

it("says in each language why a scheduled draft was not published", async () => {
  const anna = await site.person("anna@example.org");
  const begun = await anna.send("/admin/new", { type: "page" });
  const draft = begun.location ?? "";
  const version = /name="version" value="(\d+)"/.exec((await anna.get(draft)).text)?.[1] ?? "";
  const planned = await anna.send(`${draft}/schedule`, { at: "2099-05-01T10:00", version });
  assert.equal(planned.status, 303, planned.fault);
  await publishDueDrafts(site.app.record, new Date("2099-05-02T00:00:00Z"));
  for (const screen of [draft, "/admin/desk", "/admin/drafts"]) {
    assert.match(
      (await anna.get(screen)).text,
      /Could not be published: [^<]*Title: is missing/,
      screen,
    );
    const { text } = await anna.get(screen, GERMAN);
    assert.match(text, /Konnte nicht veröffentlicht werden: [^<]*Titel: fehlt/, screen);
    assert.doesNotMatch(text, /title: /, screen);
  }
});

it("lists no new drafts that were left empty, and uses them again", async () => {
  const carl = await site.person("carl@example.org");
  const opened = async () => (await carl.send("/admin/new", { type: "page" })).location ?? "";
  const first = await opened();
  assert.notEqual(await opened(), first, "the first may still be open in another tab");
  for (const screen of ["/admin/desk", "/admin/drafts"]) {
    assert.doesNotMatch((await carl.get(screen)).text, new RegExp(first), screen);
  }
  site.wait(2 * 60 * 60);
  const again = await opened();
  assert.notEqual(again, "");
  const others = (await site.person("dana@example.org")).send("/admin/new", { type: "page" });
  assert.notEqual((await others).location, again);
  const version = /name="version" value="(\d+)"/.exec((await carl.get(again)).text)?.[1] ?? "";
  await carl.send(again, { title: "", body: "First words", version });
  assert.match((await carl.get("/admin/drafts")).text, new RegExp(again));
  site.wait(2 * 60 * 60);
  const next = await opened();
  assert.notEqual(next, again, "what was written stays");
  assert.equal(await opened(), next);
});

it("points out a title that still has the words which were corrected in a quotation", async () => {
  const emil = await site.person("emil@example.org");
  const versionOf = async (path: string) =>
    /name="version" value="(\d+)"/.exec((await emil.get(path)).text)?.[1] ?? "";
  const title = "Time is the wisest councillor";
  const begun = (await emil.send("/admin/new", { type: "quotation", title })).location ?? "";
  await emil.send(begun, { title, body: `${title} of all.`, version: await versionOf(begun) });
  const published = await emil.send(`${begun}/publish`, { version: await versionOf(begun) });
  const id = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(published.location ?? "")?.[0] ?? "";
  const draft = (await emil.send(`/admin/content/${id}/edit`)).location ?? "";
  const step = async (words: string) => {
    const body = "Time is the wisest counsellor of all.";
    await emil.send(draft, { title: words, body, version: await versionOf(draft) });
    return (await emil.get(`${draft}/publish`, GERMAN)).text;
  };
  assert.match(
    await step(title),
    /Im Titel steht noch der alte Wortlaut: „Time is the wisest counc/,
  );
  assert.doesNotMatch(await step("Time is the wisest counsellor"), /die alten Worte/);
});

it("keeps a time in the past that was typed", async () => {
  const ben = await site.person("ben@example.org");
  const draft = (await ben.send("/admin/new", { type: "page", title: "Dated" })).location ?? "";
  const version = /name="version" value="(\d+)"/.exec((await ben.get(draft)).text)?.[1] ?? "";
  const past = await ben.send(`${draft}/schedule`, { at: "2020-05-01T10:00", version });
  assert.match(past.fault, /in the past/);
  assert.match(past.text, /name="at"[^>]*value="2020-05-01T10:00"/);
});

it("names the fields of news and events in each language of the site, whoever adds the type", async () => {
  const ada = await site.person("ada@example.org", "owner");
  const added = { label: "News item", plural: "News", kind: "news" };
  await ada.send("/admin/types", added, GERMAN);
  await ada.send("/admin/types", { label: "Salon", plural: "Salons", kind: "event" });
  for (const [type, path] of [
    ["news_item", "/de/news/lesung"],
    ["salon", "/salons/reading"],
    ["salon", "/de/salons/lesung"],
  ] as const) {
    const language = path.startsWith("/de") ? "de" : "en";
    const fields =
      type === "salon" ? { starts: "2027-05-01", place: "Aula" } : { date: "2027-05-01" };
    const item = { type, path, title: "Lesung", status: "published", language, fields };
    const now = new Date("2027-01-01T00:00:00Z");
    await site.app.record.atomically(({ content }) =>
      saveItem(content, OPERATOR, itemInputSchema.parse(item), now),
    );
  }
  const page = async (path: string) =>
    await (await site.app.get(path, { Accept: "text/html" })).text();
  assert.match(await page("/de/news"), /<h1>Nachrichten<\/h1>/);
  assert.match(await page("/salons/reading"), /<dt>Place<\/dt>/);
  assert.match(await page("/de/salons/lesung"), /<dt>Ort<\/dt>/);
  assert.match(await page("/de/salons"), /<h1>Salons<\/h1>/);
});

it("says of news without a date which one it gets", async () => {
  const olga = await site.person("olga@example.org", "owner");
  await olga.send("/admin/types", { label: "Item", plural: "Notices", kind: "news" });
  const begun = (await olga.send("/admin/new", { type: "item" })).location ?? "";
  const step = async (fields: Record<string, string>) => {
    const { text } = await olga.get(begun);
    const version = / name="version" value="(\d+)"/.exec(text)?.[1] ?? "";
    await olga.send(begun, { title: "Reading", version, ...fields });
    return (await olga.get(`${begun}/publish`, GERMAN)).text;
  };
  assert.match(await step({}), /Noch ohne Datum: Es bekommt das Datum des Tages, an dem/);
  assert.doesNotMatch(await step({ "f.date": "2026-05-01" }), /Noch ohne Datum/);
});

it("says of an event without a date that no calendar lists it, before its review and its publishing", async () => {
  const owner = await site.person("otto@example.org", "owner");
  await owner.send("/admin/types", { label: "Meeting", plural: "Meetings", kind: "event" });
  const begun = (await owner.send("/admin/new", { type: "meeting", title: "Reading" })).location;
  const step = `${begun}/publish`;
  const contributor = await site.person("cora@example.org", "contributor");
  assert.match((await contributor.get(step)).text, /It has no date: it is listed neither/);
  assert.match((await owner.get(step, GERMAN)).text, /Noch ohne Datum: Es steht weder/);
  const dated = { title: "Reading", version: "1", "f.starts": "2027-05-01" };
  await owner.send(begun ?? "", dated);
  const { text } = await owner.get(step);
  assert.doesNotMatch(text, /It has no date/);
  await owner.send(begun ?? "", { ...dated, version: "2", "f.starts": "" });
  const undated = await owner.get(step);
  assert.match(undated.text, /It has no date/);
  const published = await owner.send(step, { version: "3" });
  assert.match(published.location ?? "", /^\/admin\/content\//, "it is not refused");
});

it("shows the day on which an item is to be reviewed, on the desk once it has come, until it is reviewed", async () => {
  const fay = await site.person("fay@example.org", "owner");
  const begun = (await fay.send("/admin/new", { type: "page" })).location ?? "";
  const versionOf = async (path: string) =>
    /name="version" value="(\d+)"/.exec((await fay.get(path)).text)?.[1] ?? "";
  const typed = { title: "Opening hours", body: "From nine.", reviewAt: "2026-11-01" };
  await fay.send(begun, { ...typed, version: await versionOf(begun) });
  await fay.send(`${begun}/publish`, { version: await versionOf(begun) });
  const waiting = /<a href="([^"]+)">Opening hours<\/a> <span class="state">to be reviewed</;
  const item = waiting.exec((await fay.get("/admin/desk")).text)?.[1] ?? "";
  const { text } = await fay.get(item);
  assert.match(text, /<dt>Look at it again on<\/dt><dd>1 November 2026 · to be reviewed<\/dd>/);
  const revision = /name="revision" value="(\d+)"/.exec(text)?.[1] ?? "";
  await fay.send(`${item}/reviewed`, { reviewAt: "2027-11-01", revision });
  assert.match((await fay.get(item)).text, /<dd>1 November 2027<\/dd>/);
  assert.doesNotMatch((await fay.get("/admin/desk")).text, waiting);
});

it("says the same above the button that publishes an item at once, such as an imported draft", async () => {
  const owner = await site.person("olaf@example.org", "owner");
  await owner.send("/admin/types", { label: "Talk", plural: "Talks", kind: "event" });
  await owner.send("/admin/types", { label: "Report", plural: "Reports", kind: "news" });
  const imported = async (input: object) => {
    const { content } = site.app.record;
    const { item } = await saveItem(
      content,
      OPERATOR,
      itemInputSchema.parse(input),
      site.clock.now,
    );
    return `/admin/content/${item.id}`;
  };
  const event = await imported({ type: "talk", title: "Undated" });
  assert.match((await owner.get(event)).text, /<p class="notes">It has no date: it is listed/);
  const news = await imported({ type: "report", title: "Undated" });
  assert.match((await owner.get(news, GERMAN)).text, /Noch ohne Datum: Es bekommt das Datum des/);
  const dated = await imported({ type: "talk", title: "Dated", fields: { starts: "2027-05-01" } });
  assert.doesNotMatch((await owner.get(dated)).text, /It has no date/);
  const contributor = await site.person("cleo@example.org", "contributor");
  assert.doesNotMatch((await contributor.get(event)).text, /It has no date/, "no button");
  const { text } = await owner.get(event);
  const revision = / name="revision" value="(\d+)"/.exec(text)?.[1] ?? "";
  assert.equal((await owner.send(`${event}/publish`, { revision })).status, 303);
  assert.doesNotMatch((await owner.get(event)).text, /It has no date/, "published");
});
