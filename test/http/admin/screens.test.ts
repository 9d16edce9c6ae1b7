import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { ROLE_SCOPES, ROLES } from "../../../src/access/people/roles.ts";
import { receiveKeyRequest } from "../../../src/access/submissions/key-requests.ts";
import type { Screen } from "../../../src/http/admin/screens/frame/screen.ts";
import { SCREENS } from "../../../src/http/admin/screens.ts";
import { ORIGIN } from "../../support/open-fixture.ts";
import { type Browser, openPeopleSite, type Shown } from "../../support/people.ts";

const UNKNOWN_ID = "01930000-0000-7000-8000-000000000000";

const site = await openPeopleSite();
after(() => site[Symbol.asyncDispose]());

async function followed(browser: Browser, shown: Shown): Promise<Shown> {
  assert.equal(shown.status, 303, shown.text);
  return await browser.get(shown.location ?? "");
}

/** Sends the form of a page with its values, as a browser without scripts does, and follows. */
async function submit(
  browser: Browser,
  path: string,
  values: Readonly<Record<string, string>>,
): Promise<Shown> {
  return await followed(browser, await browser.send(path, values));
}

function versionIn(page: Shown): string {
  return /name="version" value="(\d+)"/.exec(page.text)?.[1] ?? "";
}

function idIn(shown: Shown): string {
  return /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(shown.location ?? "")?.[0] ?? "";
}

async function publicPage(path: string): Promise<{ status: number; text: string }> {
  const answer = await site.app.get(path);
  return { status: answer.status, text: await answer.text() };
}

describe("an editor without scripts", () => {
  it("writes and publishes a quotation, with links by title and by address", async () => {
    const anna = await site.person("anna@example.org");
    const begun = await anna.send("/admin/new", { type: "quotation", title: "On toil" });
    const path = begun.location ?? "";
    const page = await followed(anna, begun);
    assert.match(page.text, /<input id="title" name="title" value="On toil"/);
    assert.match(page.text, /by anna</);
    const values = {
      title: "On toil",
      body: "The toil <passes>.\r\n\r\nThe good remains.",
      "a.authors": "epictetus",
      "a.topics": "/topics/time\r\nNo such topic",
      "f.year": "65",
      "f.position": "12",
      next: "publish",
    };
    const refused = await anna.send(path, { ...values, version: versionIn(page) });
    assert.equal(refused.status, 422);
    assert.match(refused.text, /Nothing is called “No such topic”/);
    assert.match(refused.text, /The toil &lt;passes&gt;\.\n\nThe good remains\./);
    assert.match(refused.text, /value="No such topic" checked/);
    assert.match(refused.text, /name="f\.position"[^>]*value="12"/);
    const links = [...refused.text.matchAll(/name="r\.(\w+)" value="([^"]+)" checked/g)];
    const kept = Object.fromEntries(
      links.filter(([, , id]) => id?.includes("-")).map(([, name, id]) => [`r.${name}`, id ?? ""]),
    );
    assert.deepEqual(Object.keys(kept), ["r.authors", "r.topics"]);
    const { "a.authors": _, "a.topics": __, ...rest } = values;
    const step = await submit(anna, path, { ...rest, ...kept, version: versionIn(refused) });
    assert.match(step.text, /It is new: publishing gives it an address/);
    assert.doesNotMatch((await publicPage("/quotations")).text, /On toil/);
    const item = await submit(anna, `${path}/publish`, { version: versionIn(step) });
    assert.match(item.text, /<span class="tag published">Public<\/span>/);
    const shown = await publicPage("/quotations/on-toil");
    assert.match(shown.text, /The good remains\./);
    assert.match(shown.text, /href="\/authors\/epictetus"/);
  });

  it("changes a public page, sees what changes, and keeps it private until then", async () => {
    const anna = await site.person("anna2@example.org");
    const { text } = await anna.get("/admin/content?q=wisdom&type=topic");
    const [, id = ""] = /href="\/admin\/content\/([0-9a-f-]+)"/.exec(text) ?? [];
    const begun = await anna.send(`/admin/content/${id}/edit`);
    const path = begun.location ?? "";
    const editor = await followed(anna, begun);
    const title = /name="title" value="([^"]+)"/.exec(editor.text)?.[1] ?? "";
    const values = { title, summary: "A school of Athens.", next: "publish" };
    const step = await submit(anna, path, { ...values, version: versionIn(editor) });
    assert.match(step.text, /<h3>Summary<\/h3>[\s\S]*<ins>A school of Athens\.<\/ins>/);
    assert.doesNotMatch((await publicPage("/topics/wisdom")).text, /A school of Athens/);
    const preview = await anna.get(`${path}/preview`);
    assert.match(preview.text, /A school of Athens/);
    assert.equal(preview.headers.get("cache-control"), "no-store");
    await submit(anna, `${path}/publish`, { version: versionIn(step) });
    assert.match((await publicPage("/topics/wisdom")).text, /A school of Athens/);
    const audit = await site.app.sql("SELECT actor FROM audit ORDER BY number DESC LIMIT 1");
    assert.match(String(audit[0]?.["actor"]), /^person:/);
  });

  it("sees who else has a draft open, until they leave", async () => {
    const anna = await site.person("ada@example.org");
    const ben = await site.person("bea@example.org");
    const begun = await anna.send("/admin/new", { type: "topic", title: "Company" });
    const path = `${begun.location}/presence`;
    assert.match((await followed(anna, begun)).text, new RegExp(`data-presence="${path}"`));
    assert.equal((await anna.send(path)).text, '{"text":""}');
    assert.equal((await ben.send(path)).text, '{"text":"ada is here too."}');
    assert.equal((await anna.send(path)).text, '{"text":"bea is here too."}');
    assert.equal((await ben.send(path, { leave: "yes" })).status, 204);
    assert.equal((await anna.send(path)).text, '{"text":""}');
  });

  it("keeps what was typed when someone else changed the same part", async () => {
    const anna = await site.person("anna3@example.org");
    const ben = await site.person("ben3@example.org");
    const begun = await anna.send("/admin/new", { type: "topic", title: "Courage" });
    const path = begun.location ?? "";
    const page = await followed(anna, begun);
    const version = versionIn(page);
    await submit(ben, path, { title: "Bravery", summary: "From Ben", version });
    const told = await anna.send(path, { title: "Valour", summary: "", version });
    assert.equal(told.status, 422);
    assert.match(told.text, /Someone else changed the same place/);
    assert.match(told.text, /From Ben<\/textarea>/);
    assert.match(told.text, /name="title" value="Valour"/);
    assert.match(told.text, /<del>Bravery<\/del><ins>Valour<\/ins>/);
    const saved = await submit(anna, path, {
      title: "Valour",
      summary: "From Ben",
      version: versionIn(told),
    });
    assert.match(saved.text, /by anna3, ben3</);
    assert.match(saved.text, /name="title" value="Valour"/);
  });

  it("shows what was typed into a draft that has ended", async () => {
    const anna = await site.person("anna3b@example.org");
    const begun = await anna.send("/admin/new", { type: "quotation", title: "Ended" });
    const path = begun.location ?? "";
    const version = versionIn(await followed(anna, begun));
    await submit(anna, `${path}/discard`, { version });
    const values = { type: "quotation", title: "Typed <late>", "f.locator": "IX, 9", version };
    const told = await anna.send(path, values);
    assert.equal(told.status, 404);
    assert.match(told.text, /published or discarded in the meantime/);
    assert.match(told.text, /Typed &lt;late&gt;<\/textarea>/);
    assert.match(told.text, /IX, 9<\/textarea>/);
    assert.match((await anna.get(path)).text, new RegExp(`data-kept="${path}/autosave"`));
  });

  it("says where a draft went whose publishing is asked for twice", async () => {
    const anna = await site.person("anna3f@example.org");
    const begun = await anna.send("/admin/new", { type: "topic", title: "Twice" });
    const path = `${begun.location}/publish`;
    const version = versionIn(await anna.get(path));
    assert.equal((await anna.send(path, { version })).status, 303);
    const again = await anna.send(path, { version });
    assert.equal(again.status, 404);
    assert.match(again.text, /published or discarded in the meantime/);
    assert.match((await anna.get(path)).text, /published or discarded in the meantime/);
  });

  it("compresses a page that one of ours or the person asked for, and no other", async () => {
    const anna = await site.person("anna3c@example.org");
    const codingOf = async (from: string) => {
      const headers = { "accept-encoding": "gzip", "sec-fetch-site": from };
      return (await anna.get("/admin/content?q=zyx", headers)).headers.get("content-encoding");
    };
    assert.equal(await codingOf("same-origin"), "gzip");
    assert.equal(await codingOf("none"), "gzip");
    assert.equal(await codingOf("cross-site"), null);
    assert.equal(await codingOf("same-site"), null);
  });

  it("sees each type with its fields, its links and what there is of it", async () => {
    const anna = await site.person("anna3d@example.org");
    const { text } = await anna.get("/admin/types");
    assert.match(text, /<dt>Verification<\/dt><dd>choice: verified, attributed/);
    assert.match(text, /href="\/admin\/content\?type=topic&amp;status=published"/);
    assert.match(text, /<summary>Technical<\/summary>\s*<dl><dt>Addresses<\/dt><dd>\/topics\/…</);
    assert.match(text, /folder types\//);
  });

  it("adds a type, fields to it, and names both anew, with items there", async () => {
    const olga = await site.person("olga3d@example.org", "owner");
    const names = { label: "Größeres Vorhaben", plural: "Vorhaben", description: "Was wir tun." };
    const added = await olga.send("/admin/types", { ...names, kind: "news" });
    const path = "/admin/types/grosseres_vorhaben";
    assert.equal(added.location, `${path}?saved=true`);
    assert.match((await olga.get(`${path}?saved=true`)).text, /role="status">Saved\./);
    for (const label of ["Stand", "Titel", "title", "Stand"]) {
      await olga.send(`${path}/fields`, { label, kind: "enum", values: "läuft\nfertig\n" });
    }
    const own = (await site.app.record.content.types()).get("grosseres_vorhaben");
    assert.equal(own?.listPath, "/vorhaben");
    assert.deepEqual(Object.keys(own?.fields ?? {}), [
      "date",
      "stand",
      "titel",
      "title_2",
      "stand_2",
    ]);
    assert.deepEqual(own?.fields["stand"]?.values, ["läuft", "fertig"]);
    await olga.send("/admin/new", { type: "grosseres_vorhaben" });
    await olga.send(path, { ...names, label: "Vorhaben", layout: "list", "field.date": "Beginn" });
    const page = await olga.get(path);
    assert.match(page.text, /<option value="list" selected>/);
    await olga.send(path, { ...names, label: "Vorhaben" });
    const arranged = (await site.app.record.content.types()).get("grosseres_vorhaben");
    assert.equal(arranged?.layout, "list", "a form without the field leaves it");
    assert.match(page.text, /value="Beginn"/);
    assert.match(page.text, /Remove this type/);
    assert.equal((await olga.get("/admin/types/quotation")).status, 404);
    const unnamed = await olga.send("/admin/types", { ...names, label: "", kind: "plain" });
    assert.match(
      unnamed.fault,
      /Cannot use this content type. Name for one, such as Event: is empty/,
    );
    const plain = { ...names, label: "Rezept", plural: "Rezepte", description: "", kind: "plain" };
    const undescribed = await olga.send("/admin/types", plain);
    assert.equal(undescribed.location, "/admin/types/rezept?saved=true", undescribed.fault);
    assert.doesNotMatch((await olga.get("/admin/types")).text, /<p class="hint"><\/p>/);
  });

  it("lets only those change types who may change settings", async () => {
    const anna = await site.person("anna3e@example.org");
    assert.doesNotMatch((await anna.get("/admin/types")).text, /Add a content type/);
    const names = { label: "Recipe", plural: "Recipes", description: "What we cook." };
    assert.equal((await anna.send("/admin/types", names)).status, 403);
  });

  it("has typing saved by the script, one version after the other, without names half typed", async () => {
    const anna = await site.person("anna5@example.org");
    const begun = await anna.send("/admin/new", { type: "quotation" });
    const path = begun.location ?? "";
    const page = await followed(anna, begun);
    assert.match(
      page.text,
      /<script type="module" fetchpriority="low" src="\/admin\/editor-[0-9a-f]{12}\.js">/,
    );
    const typed = { title: "On a", "a.authors": "Epict", only: "title", version: versionIn(page) };
    const first = await anna.send(`${path}/autosave`, typed);
    const { state, ...alone } = JSON.parse(first.text);
    assert.match(state, /^Saved /);
    assert.deepEqual(alone, { version: 2 });
    const again = await anna.send(`${path}/autosave`, { ...typed, title: "On all", version: "2" });
    assert.equal(JSON.parse(again.text).version, 3);
    const repeated = { ...typed, title: "On all", version: "2" };
    const ben = await site.person("ben5@example.org");
    await ben.send(`${path}/autosave`, { title: "On none", only: "title", version: "3" });
    const known = JSON.parse((await anna.send(`${path}/autosave`, repeated)).text);
    assert.equal(known.version, 4);
    assert.equal(new Map(known.controls).get("title"), "On none");
    const back = { ...typed, title: "On all", version: "4" };
    await anna.send(`${path}/autosave`, back);
    const shown = await anna.get(path);
    assert.match(shown.text, /name="title" value="On all"/);
    assert.doesNotMatch(shown.text, /name="r\.authors"/);
    const long = { ...typed, only: "body", body: "x".repeat(1024 * 1024 + 1), version: "5" };
    assert.equal((await anna.send(`${path}/autosave`, long)).status, 400);
    const unsaved = await anna.send(path, long);
    assert.equal(unsaved.status, 422);
    assert.match(unsaved.text, /Not saved: [^<]*1 MiB/);
  });

  it("combines what two type at once, and tells the script of what the other changed", async () => {
    const anna = await site.person("anna7@example.org");
    const ben = await site.person("ben7@example.org");
    const begun = await anna.send("/admin/new", { type: "topic", title: "Mercy" });
    const path = `${begun.location}/autosave`;
    const version = versionIn(await followed(anna, begun));
    await ben.send(path, { summary: "From Ben", title: "Mercy", only: "summary", version });
    const saved = await anna.send(path, { body: "From Anna", summary: "", only: "body", version });
    const { controls, version: next, links } = JSON.parse(saved.text);
    assert.deepEqual([next, links], [3, { broader: [], see_also: [] }]);
    assert.deepEqual(new Map(controls).get("summary"), "From Ben");
    const page = await anna.get(begun.location ?? "");
    assert.match(page.text, /From Ben<\/textarea>/);
    assert.match(page.text, /From Anna<\/textarea>/);
  });

  it("takes the other side of a conflict, before saving and before publishing", async () => {
    const anna = await site.person("anna8@example.org");
    const ben = await site.person("ben8@example.org");
    const begun = await anna.send("/admin/new", { type: "topic", title: "Patience" });
    const path = begun.location ?? "";
    const version = versionIn(await followed(anna, begun));
    await submit(ben, path, { title: "Forbearance", version });
    const told = await anna.send(path, { title: "Endurance", version });
    assert.match(told.text, /name="take\.title" value="theirs"/);
    const choice = { title: "Endurance", "take.title": "theirs", version: versionIn(told) };
    const saved = await submit(anna, path, choice);
    assert.match(saved.text, /name="title" value="Forbearance"/);
    const item = await submit(anna, `${path}/publish`, { version: versionIn(saved) });
    const [, id = ""] = /\/admin\/content\/([0-9a-f-]+)\/edit/.exec(item.text) ?? [];
    const second = await anna.send(`/admin/content/${id}/edit`);
    const draft = second.location ?? "";
    const page = await submit(anna, draft, {
      title: "Waiting",
      version: versionIn(await followed(anna, second)),
    });
    const elsewhere = await ben.get(`/admin/content/${id}/versions/1`);
    assert.match(elsewhere.text, /<ins>Forbearance<\/ins>/);
    assert.match(page.text, /name="title" value="Waiting"/);
  });

  it("publishes what it created while linking, and offers nothing else to be published", async () => {
    const anna = await site.person("sela@example.org");
    const made = await anna.send("/admin/names", { type: "topic", title: "Equanimity" });
    const { id, status } = JSON.parse(made.text);
    assert.equal(status, "draft");
    const found = await anna.get("/admin/names?type=topic&q=equan");
    assert.deepEqual(JSON.parse(found.text).items[0].id, id);
    const begun = await anna.send("/admin/new", { type: "quotation", title: "On calm" });
    const path = begun.location ?? "";
    const version = versionIn(await followed(anna, begun));
    const values = { title: "On calm", body: "Be calm.", "r.topics": id, next: "publish" };
    const step = await submit(anna, path, { ...values, version });
    const choice = new RegExp(`name="also" value="${id}" checked> Equanimity`, "g");
    assert.equal(step.text.match(choice)?.length, 2, "now and later");
    const later = { at: "2099-07-01T12:00", also: id, version: versionIn(step) };
    const scheduled = await submit(anna, `${path}/schedule`, later);
    assert.match(scheduled.text, /1 Jul 2099/);
    const item = await anna.get(`/admin/content/${id}`);
    assert.match(item.text, /<span class="tag scheduled">Scheduled<\/span>/);
    await submit(anna, `${path}/schedule`, { at: "", version: versionIn(scheduled) });
    const revision = /name="revision" value="(\d+)"/.exec(item.text)?.[1] ?? "";
    await submit(anna, `/admin/content/${id}/withdraw`, { revision, how: "draft" });
    Object.assign(step, await anna.get(`${path}/publish`));
    await submit(anna, `${path}/publish`, { version: versionIn(step), also: id });
    assert.match((await publicPage("/topics/equanimity")).text, /Be calm\./);
    const nameless = await anna.send("/admin/names", { type: "topic", title: " " });
    assert.equal(nameless.status, 400);
  });

  it("links quotations to a topic from the topic's own screen, and opens any of a list to edit", async () => {
    const anna = await site.person("lina@example.org");
    const made = await anna.send("/admin/names", { type: "topic", title: "Steadiness" });
    const { id } = JSON.parse(made.text);
    const path = `/admin/content/${id}`;
    assert.match(
      (await anna.get(path)).text,
      /data-picker="quotation\.topics" data-type="quotation"/,
    );
    const { text } = await anna.get("/admin/content?type=quotation");
    const [, first = "", second = ""] = [...text.matchAll(/name="item" value="([^"]+)"/g)].map(
      ([, value]) => value,
    );
    const names = { "r.quotation.topics": first, "a.quotation.topics": "/no-such\r\n/also-none" };
    const told = await anna.send(`${path}/linked`, names);
    assert.equal(told.status, 422);
    assert.match(told.text, /Nothing is called “\/no-such”\. Nothing is called “\/also-none”/);
    assert.match(told.text, />\n\/no-such\n\/also-none<\/textarea>/);
    const { path: address = "" } =
      (await site.app.apiParts.stores.desk.outlines([second])).get(second) ?? {};
    await submit(anna, `${path}/linked`, { "a.quotation.topics": address });
    const links = await site.app.sql(
      `SELECT count(*) AS count FROM relations WHERE to_id = '${id}'`,
    );
    assert.equal(links[0]?.["count"], 2);
    const opened = await submit(anna, `/admin/content/${first}/edit`, {});
    assert.match(opened.text, /Steadiness/);
  });

  it("adds at most fifty links at once, and keeps the other names", async () => {
    const anna = await site.person("anna6@example.org");
    const begun = await anna.send("/admin/new", { type: "quotation" });
    const path = begun.location ?? "";
    const version = versionIn(await followed(anna, begun));
    const names = Array.from({ length: 60 }, (_, at) => `/topics/none-${at}`).join("\r\n");
    const told = await anna.send(path, { title: "Many", "a.topics": names, version });
    assert.equal(told.status, 422);
    assert.match(told.text, /At most 50 links can be added at once/);
    assert.match(told.text, /value="\/topics\/none-59" checked/);
    assert.equal(told.text.match(/Nothing is called/g)?.length, 50);
  });

  it("schedules, withdraws, restores and deletes", async () => {
    const anna = await site.person("anna4@example.org");
    const begun = await anna.send("/admin/new", { type: "page", title: "Spring meeting" });
    const draft = begun.location ?? "";
    const opened = await followed(anna, begun);
    const later = { at: "2099-05-01T10:00", version: versionIn(opened) };
    const waiting = await submit(anna, `${draft}/schedule`, later);
    assert.match(waiting.text, /will be public 1 May 2099/);
    assert.match((await anna.get("/admin/desk")).text, /Spring meeting[\s\S]*will be public/);
    const published = await anna.send(`${draft}/publish`, { version: versionIn(waiting) });
    const id = idIn(published);
    const withdraw = async (values: Readonly<Record<string, string>>) =>
      await submit(anna, `/admin/content/${id}/withdraw`, values);
    const said = await followed(anna, published);
    assert.match(said.text, /role="status">This is public now\.</);
    const withdrawn = await withdraw({ how: "gone", revision: "1" });
    assert.match(withdrawn.text, /role="status">This is no longer public/);
    assert.equal((await publicPage("/spring-meeting")).status, 410);
    await submit(anna, `/admin/content/${id}/publish`, { revision: "2" });
    assert.equal((await publicPage("/spring-meeting")).status, 200);
    const stale = { how: "gone", revision: "1" };
    assert.equal((await anna.send(`/admin/content/${id}/withdraw`, stale)).status, 412);
    assert.match((await anna.get(`/admin/content/${id}/withdraw`)).text, /Nothing points to it/);
    await withdraw({ how: "delete", revision: "3" });
    const restored = await submit(anna, `/admin/content/${id}/restore`, {
      restore: "3",
      revision: "4",
    });
    assert.match(restored.text, /tag draft/);
    const german = { "accept-language": "de" };
    const deletion = await anna.get(`/admin/content/${id}/withdraw`, german);
    assert.match(deletion.text, /<h1>„Spring meeting“ löschen<\/h1>/);
    assert.doesNotMatch(deletion.text, /urückziehen/);
    await withdraw({ how: "delete", revision: "5" });
    assert.match((await anna.get(`/admin/content/${id}`)).text, /tag deleted/);
  });
});

describe("an editor who withdraws", () => {
  it("reads what points to an item by the labels of its types", async () => {
    const anna = await site.person("winnie1@example.org");
    const time = await site.app.apiParts.stores.content.itemAt("/topics/time");
    const { text } = await anna.get(`/admin/content/${time?.id}/withdraw`);
    assert.match(text, /<h3>As “Topics”: \d/);
  });

  it("leads the address of what is deleted to an item by its title, and says which it does not know", async () => {
    const anna = await site.person("winnie2@example.org");
    const begun = await anna.send("/admin/new", { type: "page", title: "Autumn meeting" });
    const version = versionIn(await followed(anna, begun));
    const id = idIn(await anna.send(`${begun.location}/publish`, { version }));
    const path = `/admin/content/${id}/withdraw`;
    const lead = { how: "lead", revision: "1" };
    for (const [typed, fault] of [
      ["", "Say where the address should lead"],
      ["No such title", "Nothing is called “No such title”"],
    ] as const) {
      const refused = await anna.send(path, { ...lead, "a.leadTo": typed });
      assert.equal(refused.status, 400);
      assert(refused.text.includes(fault), refused.text);
    }
    assert.equal((await publicPage("/autumn-meeting")).status, 200);
    await submit(anna, path, { ...lead, "a.leadTo": "Time" });
    const led = await site.app.get("/autumn-meeting");
    assert.deepEqual([led.status, led.headers.get("location")], [308, "/topics/time"]);
  });

  it("sees which texts link to an address before a draft leaves it", async () => {
    const anna = await site.person("winnie3@example.org");
    const { stores } = site.app.apiParts;
    const page = async (title: string, body: string) => {
      const begun = await anna.send("/admin/new", { type: "page", title });
      const version = versionIn(await followed(anna, begun));
      const saved = { title, body, version };
      await anna.send(begun.location ?? "", saved);
      const now = versionIn(await anna.get(begun.location ?? ""));
      return idIn(await anna.send(`${begun.location}/publish`, { version: now }));
    };
    const id = await page("Winter meeting", "Soon.");
    await page("Calendar of meetings", "In [winter](/winter-meeting).");
    const begun = await anna.send(`/admin/content/${id}/edit`, {});
    const draft = await stores.drafts.ofItem(id);
    assert(draft !== null, begun.text);
    const opened = await anna.get(`/admin/drafts/${draft.id}`);
    await anna.send(`/admin/drafts/${draft.id}`, {
      ...{ title: "Winter meeting", body: "Soon." },
      ...{ path: "/meetings/winter", version: versionIn(opened) },
    });
    const shown = await anna.get(`/admin/drafts/${draft.id}/publish`);
    assert.match(shown.text, /Texts link to the present address[\s\S]*Calendar of meetings/);
    await anna.send(`/admin/drafts/${draft.id}/publish`, { version: versionIn(shown) });
    assert.equal((await publicPage("/meetings/winter")).status, 200);
  });
});

describe("an editor with a selection", () => {
  it("withdraws what was ticked, and reads what became of each", async () => {
    const anna = await site.person("selma@example.org");
    const list = await anna.get("/admin/content?type=event");
    const ids = [...list.text.matchAll(/name="item" value="([^"]+)"/g)].map(([, id]) => id ?? "");
    assert(ids.length > 0, list.text);
    const [id = ""] = ids;
    const shown = await anna.send("/admin/content/selection", { item: id, how: "delete" });
    assert.equal(shown.status, 200, shown.text);
    assert.match(shown.text, /1 of 1 changed/);
    const nothing = await anna.send("/admin/content/selection", { how: "delete" });
    assert.equal(nothing.status, 400);
  });
});

describe("a manager", () => {
  it("approves a request for a key, and passes on the code", async () => {
    const meg = await site.person("meg@example.org", "manager");
    const { stores } = site.app.apiParts;
    const asked = { name: "Ada", email: "ada@example.org", organisation: "", task: "Read" };
    const { id } = await receiveKeyRequest(
      stores,
      { ...asked, data: "", access: "read" },
      { now: site.clock.now, origin: ORIGIN, sendsMail: false },
    );
    assert.match((await meg.get("/admin/desk")).text, /Key requests to answer: 1/);
    const path = `/admin/requests/${id}`;
    const shown = await meg.get(path);
    assert.match(shown.text, /<dt>From<\/dt><dd>Ada<\/dd>\s*<dt>E-mail<\/dt><dd>ada@example\.org</);
    assert.doesNotMatch(shown.text, /<dd><\/dd>/, "what was not given has no line");
    const approved = await meg.send(`${path}/approve`, { rate: "30", expires: "2099-12-31" });
    const code = /<p class="code">([^<]+)<\/p>/.exec(approved.text)?.[1] ?? "";
    assert.equal(approved.status, 200);
    const claim = await site.browser().send("/contact/claim", { code });
    assert.match(claim.text, /cpl_[0-9A-Za-z]{38}/);
    assert.doesNotMatch((await meg.get("/admin/desk")).text, /Key requests to answer/);
  });

  it("issues, replaces and revokes keys, each shown once", async () => {
    const meg = await site.person("meg2@example.org", "manager");
    const issued = await meg.send("/admin/keys", { name: "Agent", holder: "Ben", rate: "60" });
    assert.match(issued.text, /cpl_[0-9A-Za-z]{38}/);
    const list = await meg.get("/admin/keys");
    assert.doesNotMatch(list.text, /cpl_[0-9A-Za-z]{38}/);
    const [, id = ""] = /\/admin\/keys\/([^/]+)\/rotate/.exec(list.text) ?? [];
    assert.match((await meg.send(`/admin/keys/${id}/rotate`)).text, /cpl_[0-9A-Za-z]{38}/);
    const named = ({ text }: Shown): string[] =>
      text.match(/<strong>[^<]+<\/strong>[\s\S]*?<\/div>/g) ?? [];
    const added = named(await meg.get("/admin/keys")).filter((card) => !named(list).includes(card));
    const ending = added.filter((card) => card.includes(" · Expires: "));
    assert.deepEqual(ending.length, 1, "only the replaced one ends");
    const revoked = await submit(meg, `/admin/keys/${id}/revoke`, {});
    assert.match(revoked.text, /tag revoked/);
    site.wait(16 * 60);
    const late = await meg.send("/admin/keys", { name: "Late", rate: "60" });
    assert.match(late.text, /name="name" value="Late"[\s\S]*name="own-password"/);
  });
});

describe("an owner", () => {
  it("invites somebody, changes the role and disables the account", async () => {
    const olga = await site.person("olga@example.org", "owner");
    const invited = await olga.send("/admin/people", {
      name: "Ben",
      email: "ben@people.example",
      role: "viewer",
    });
    const code = /<p class="code">([^<]+)<\/p>/.exec(invited.text)?.[1] ?? "";
    const ben = site.browser();
    const claimed = await ben.send("/admin/claim", { code, "new-password": "quite a few words" });
    assert.equal(claimed.location, "/admin/desk");
    const list = await olga.get("/admin/people");
    const id = /<strong>Ben<\/strong>[\s\S]*?action="\/admin\/people\/([0-9a-f-]{36})"/.exec(
      list.text,
    )?.[1];
    const changed = await submit(olga, `/admin/people/${id}`, { role: "editor" });
    assert.match(changed.text, /ben@people\.example · Editor/);
    await submit(olga, `/admin/people/${id}`, { state: "disabled" });
    assert.equal((await ben.get("/admin/desk")).location, "/admin/sign-in");
    const wrong = await olga.send("/admin/people", { name: "", email: "x", role: "king" });
    assert.equal(wrong.status, 400);
    assert.match(
      (await olga.get("/admin/audit")).text,
      /Account disabled<\/strong> Ben\n[\s\S]*olga/,
    );
  });

  it("changes the settings of the site, which show at once", async () => {
    const olga = await site.person("olga2@example.org", "owner");
    const values = {
      name: "Renamed Association",
      description: "A description.",
      language: "en",
      timeZone: "Europe/Vienna",
      email: "editors@quotations.example",
      whenToUse: "To quote\r\nTo check",
      messageDays: "180",
      statisticsDays: "30",
    };
    await submit(olga, "/admin/settings", values);
    assert.match((await olga.get("/admin/settings")).text, /name="messageDays"[^>]* value="180"/);
    assert.match((await publicPage("/")).text, /Renamed Association/);
    const draft = await followed(
      olga,
      await olga.send("/admin/new", { type: "topic", title: "Noon" }),
    );
    const path = /action="(\/admin\/drafts\/[0-9a-f-]+)"/.exec(draft.text)?.[1] ?? "";
    assert.match((await olga.get(`${path}/publish`)).text, /Publish later, at \(Europe\/Vienna\)/);
    const at = { at: "2099-07-01T12:00", version: versionIn(draft) };
    assert.match((await submit(olga, `${path}/schedule`, at)).text, /1 Jul 2099, 12:00/);
    const rows = await site.app.sql("SELECT publish_at FROM drafts WHERE publish_at IS NOT NULL");
    assert.equal(rows.at(-1)?.["publish_at"], "2099-07-01T10:00:00.000Z");
    const wrong = await olga.send("/admin/settings", { ...values, language: "klingon!" });
    assert.equal(wrong.status, 400);
    assert.match(wrong.text, /language/);
    const soon = await olga.send("/admin/settings", { ...values, messageDays: "3" });
    assert.match(soon.text, /messageDays/);
  });
});

describe("the screens", () => {
  it("open by role, and answer no fault of the service to an unknown id", async () => {
    for (const role of ROLES) {
      const person = await site.person(`${role}@screens.example`, role);
      const scopes = new Set<string>(ROLE_SCOPES[role]);
      for (const screen of SCREENS) {
        const { status, text } = await ask(person, screen);
        assert(status < 500, `${role}: ${screen.path}: ${text}`);
        const isRefused = status === 403;
        // Use cases may need more than the screen as a whole, never less.
        if (!scopes.has(screen.scope)) assert(status >= 400, `${role}: ${screen.path}: ${status}`);
        else assert(!isRefused || screen.method === "POST", `${role}: ${screen.path}`);
      }
    }
  });

  it("answer nobody without a session, and no key", async () => {
    for (const screen of SCREENS) {
      const stranger = await ask(site.browser(), screen);
      assert.equal(stranger.status, screen.method === "GET" ? 303 : 401, screen.path);
    }
  });

  it("speak German to whoever asks for it", async () => {
    const uta = await site.person("uta@example.org", "owner");
    const { text } = await uta.get("/admin/desk", { "Accept-Language": "de-AT,de;q=0.9,en;q=0.5" });
    assert.match(text, /<html lang="de" dir="ltr">[\s\S]*<h1>Schreibtisch<\/h1>/);
    assert.match(text, />Zitat<\/button>/);
  });

  it("call fields and their values by German names", async () => {
    const nele = await site.person("nele@example.org", "owner");
    const german = { "Accept-Language": "de" };
    const begun = await nele.send("/admin/new", { type: "quotation" }, german);
    const path = begun.location ?? "";
    const form = await nele.get(path, german);
    assert.match(form.text, /<label for="f-verification">Beleg</);
    assert.match(form.text, /<option value="misattributed">falsch zugeschrieben</);
    const values = { body: "Time flies.", "f.year": "-44", "f.verification": "disputed" };
    const step = await followed(
      nele,
      await nele.send(path, { ...values, version: versionIn(form), next: "publish" }),
    );
    const shown = await nele.get(`${path}/publish`, german);
    assert.equal(step.status, 200);
    assert.match(shown.text, /<h3>Beleg<\/h3>\s*<div class="difference"><ins>umstritten<\/ins>/);
    const types = await nele.get("/admin/types", german);
    assert.match(types.text, /: belegt, zugeschrieben, umstritten, falsch zugeschrieben/);
  });
});

function pathOf({ path }: Screen): string {
  return path.replace("{id}", UNKNOWN_ID);
}

async function ask(browser: Browser, screen: Screen): Promise<Shown> {
  return screen.method === "GET"
    ? await browser.get(pathOf(screen))
    : await browser.send(pathOf(screen));
}
