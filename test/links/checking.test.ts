import assert from "node:assert/strict";
import { createServer } from "node:http";
import { describe, it } from "node:test";
import { z } from "zod";
import { saveItem } from "../../src/content/editing/editing.ts";
import type { ReadingCopy } from "../../src/content/library.ts";
import { saveSite, withoutBuiltInTypes } from "../../src/content/site/site-saving.ts";
import { createDocumentExistenceCheck } from "../../src/discovery/document-lookup.ts";
import { createLinkQueue } from "../../src/links/checking/link-queue.ts";
import type { InternalLinkTargets } from "../../src/links/internal-links.ts";
import { listLinks } from "../../src/links/listing-links.ts";
import { recheckLinks } from "../../src/links/rechecking.ts";
import { scanNextItemsForLinks } from "../../src/links/searching-items.ts";
import { createLog } from "../../src/log.ts";
import { QueueWorker } from "../../src/work/queue-worker.ts";
import { ended, listening } from "../support/listening.ts";
import { openFixture } from "../support/open-fixture.ts";
import { openPeopleSite } from "../support/people.ts";
import {
  keyActor,
  NOW,
  OPERATOR,
  openPlace,
  openRecordStore,
  RECORD_ORIGIN,
  type RecordStore,
  topic,
} from "../support/record-store.ts";

const SKILLS = z.object({ skills: z.array(z.object({ url: z.url() })) });

function siteOf(reading: ReadingCopy): InternalLinkTargets {
  const site = { reading, origin: RECORD_ORIGIN, version: "1", now: () => NOW };
  return { reading, hasDocument: createDocumentExistenceCheck(site) };
}

function later(seconds: number): Date {
  return new Date(NOW.getTime() + seconds * 1000);
}

async function walkAll(store: RecordStore, now = NOW): Promise<void> {
  for (let steps = 0; steps < 50; steps += 1) {
    await scanNextItemsForLinks(store.record.links, siteOf(store.reading), now);
    if ((await store.record.links.walk())?.endedAt === now.toISOString()) return;
  }
  assert.fail("The walk does not end");
}

async function urlsOf(
  { record }: RecordStore,
  state: "new" | "good" | "broken",
): Promise<string[]> {
  const found = await record.links.list({ state, after: null, limit: 1000 });
  return found.map(({ url }) => url);
}

describe("links in content", () => {
  it("are found in texts and fields, each once, with pages of the site looked up", async () => {
    await using store = await openRecordStore();
    const body =
      "[a](https://a.example/x?y=1&z=2#part) [again](https://a.example/x?y=1&z=2) <https://b.example/> [mail](mailto:a@b.example) [own](/topics/one) [lost](/topics/lost) [file](/sitemap.xml)";
    await store.save(topic("One", { body }));
    await store.save(topic("Draft", { body: "[c](https://c.example/)", status: "draft" }));
    await walkAll(store);
    assert.deepEqual(await urlsOf(store, "new"), [
      "https://a.example/x?y=1&z=2",
      "https://b.example/",
    ]);
    assert.deepEqual(await urlsOf(store, "broken"), ["/topics/lost"]);
    assert.deepEqual(await urlsOf(store, "good"), ["/sitemap.xml", "/topics/one"]);
    const { links } = await listLinks(
      { links: store.record.links, desk: store.record.desk },
      OPERATOR,
      { state: "broken", limit: 10 },
    );
    assert.deepEqual(
      links.map(({ fault, items }) => [fault, items.map(({ title }) => title)]),
      [["There is no such page on this site", ["One"]]],
    );
  });

  it("are written a few hundred at a time, so that others need not wait for long", async () => {
    await using store = await openRecordStore();
    for (const title of ["One", "Two", "Three", "Four"]) {
      const body = Array.from({ length: 300 }, (_, n) => `<https://${title}.example/${n}>`);
      await store.save(topic(title, { body: body.join("\n") }));
    }
    await scanNextItemsForLinks(store.record.links, siteOf(store.reading), NOW);
    assert.equal((await urlsOf(store, "new")).length, 600);
    await walkAll(store);
    assert.equal((await store.record.links.counts()).new, 1200);
  });

  it("are asked for only while the site is open", async () => {
    await using site = await openPeopleSite();
    const owner = await site.person("owner@example.org", "owner");
    const { links } = site.app.record;
    const { reading } = site.app.apiParts;
    const linked = topic("Linked", { body: "<https://a.example/>" });
    await saveItem(site.app.record.content, OPERATOR, linked, NOW);
    for (let steps = 0; steps < 50; steps += 1)
      await scanNextItemsForLinks(links, siteOf(reading), NOW);
    const queue = createLinkQueue({
      ...siteOf(reading),
      ...{ links, origin: RECORD_ORIGIN, version: "1", privateNetworks: false },
      now: () => NOW,
    });
    await owner.send("/admin/settings/visibility", { hidden: "yes" });
    assert.deepEqual(await queue.claim(1), []);
    await owner.send("/admin/settings/visibility", { hidden: "no" });
    assert.equal((await queue.claim(1)).length, 1);
  });

  it("that were mended leave the list once the item is saved, or the page is there", async () => {
    await using store = await openRecordStore();
    const { links } = store.record;
    const body = "[a](https://a.example/) [b](https://b.example/) [lost](/topics/lost)";
    const { item } = await store.save(topic("One", { body }));
    await store.save(topic("Two", { body: "[b](https://b.example/)" }));
    await walkAll(store);
    const mended = topic("One", { body: "[c](https://c.example/) [lost](/topics/lost)" });
    await store.save(mended, { id: item.id });
    await store.save(topic("Lost"));
    await scanNextItemsForLinks(links, siteOf(store.reading), later(60));
    assert.deepEqual(await urlsOf(store, "new"), ["https://b.example/", "https://c.example/"]);
    assert.deepEqual(await urlsOf(store, "broken"), []);
    assert.deepEqual(await urlsOf(store, "good"), ["/topics/lost"]);
    const walk = await links.walk();
    await scanNextItemsForLinks(links, siteOf(store.reading), later(61));
    assert.deepEqual(await links.walk(), walk);
  });

  it("of items that were withdrawn are forgotten by the next round, a day later", async () => {
    await using store = await openRecordStore();
    const { item } = await store.save(topic("One", { body: "[a](https://a.example/)" }));
    await walkAll(store);
    await store.save(topic("One", { status: "draft" }), { id: item.id });
    await scanNextItemsForLinks(store.record.links, siteOf(store.reading), later(60));
    assert.deepEqual(await urlsOf(store, "new"), ["https://a.example/"]);
    await walkAll(store, later(24 * 3600));
    assert.deepEqual(await urlsOf(store, "new"), []);
  });

  it("to files, pictures and old pages of the site are looked up too", async () => {
    await using store = await openRecordStore();
    const paths = ["/old.html", "/media/gone.pdf", "/topics/one.md", "/topics/lost.md"];
    const own = [...paths, "/sitemap.xml", "/admin"];
    const body = `${own.map((path) => `[a](${path})`).join(" ")} ![b](/media/lost.png)`;
    await store.save(topic("One", { body }));
    await walkAll(store);
    const broken = ["/media/gone.pdf", "/media/lost.png", "/old.html", "/topics/lost"];
    assert.deepEqual(await urlsOf(store, "broken"), broken);
    assert.deepEqual(await urlsOf(store, "good"), ["/sitemap.xml", "/topics/one"]);
  });

  it("to pages and documents of the site are judged as the site answers them", async () => {
    await using site = await openFixture();
    const { content, links } = site.record;
    const { reading } = site.apiParts;
    const index = await site.get("/.well-known/agent-skills/index.json");
    const [skill] = SKILLS.parse(await index.json()).skills;
    const paths = [
      ...["/about.md", "/index.md", "/topics.md", "/topics/", "/search.md", "/lost.md"],
      ...["/llms.txt", "/topics/llms.txt", "/lost/llms.txt", "/llms-full.txt", "/robots.txt"],
      ...["/sitemap.xml", "/sitemap-7.xml", "/opensearch.xml", "/.well-known/security.txt"],
      ...["/feed.atom", "/feed.json", "/topics/feed.atom", "/lost/feed.json", "/feed.rss"],
      ...["/lost/calendar.ics", "/topics/lost/event.ics", "/status.json", "/favicon.svg"],
      ...["/.well-known/agent-skills/lost/SKILL.md", "/about.txt", "/README.md"],
      new URL(skill?.url ?? "").pathname,
    ];
    const body = paths.map((path) => `<a href="${path}">a</a>`).join(" ");
    await saveItem(content, OPERATOR, topic("Linked", { body }), NOW);
    while ((await links.walk())?.endedAt == null)
      await scanNextItemsForLinks(links, siteOf(reading), NOW);
    const broken = await links.list({ state: "broken", after: null, limit: 1000 });
    const refused: string[] = [];
    for (const path of paths) {
      const reply = await site.get(path, { accept: "text/html" });
      if (reply.status >= 400) refused.push(path);
    }
    // Texts lead to pages, also where they name the Markdown form.
    const pages = refused.map((path) => (path.startsWith("/.") ? path : path.replace(/\.md$/, "")));
    assert.deepEqual(broken.map(({ url }) => url).sort(), pages.sort());
    assert(refused.length > 5 && refused.length < paths.length / 2, String(refused));
  });

  it("are searched for where a process that died had come to", async () => {
    await using store = await openRecordStore();
    for (let n = 0; n < 120; n += 1) {
      await store.save(topic(`Topic ${n}`, { body: `[a](https://a.example/${n})` }));
    }
    await scanNextItemsForLinks(store.record.links, siteOf(store.reading), NOW);
    assert.equal((await urlsOf(store, "new")).length, 50);
    await using other = await openPlace(store.place, { origin: RECORD_ORIGIN });
    await scanNextItemsForLinks(other.links, siteOf(store.reading), later(1));
    await scanNextItemsForLinks(other.links, siteOf(store.reading), later(2));
    assert.equal((await urlsOf(store, "new")).length, 120);
    await scanNextItemsForLinks(other.links, siteOf(store.reading), later(3));
    assert.equal((await store.record.links.walk())?.endedAt, later(3).toISOString());
  });
});

describe("hosts", () => {
  it("are asked once a second each, also by several processes, and again when one died", async () => {
    await using store = await openRecordStore();
    const body = [1, 2, 3].map((n) => `[a](https://a.example/${n}) [b](https://b.example/${n})`);
    await store.save(topic("One", { body: body.join(" ") }));
    await walkAll(store);
    await using other = await openPlace(store.place, { origin: RECORD_ORIGIN });
    const claimed = async (at: Date, links = store.record.links) =>
      (await links.claim(at, 10)).map(({ url }) => url).sort();
    assert.deepEqual(await claimed(NOW), ["https://a.example/1", "https://b.example/1"]);
    assert.deepEqual(await claimed(NOW, other.links), []);
    assert.deepEqual(await claimed(later(0.9)), []);
    assert.deepEqual(await claimed(later(1), other.links), [
      "https://a.example/2",
      "https://b.example/2",
    ]);
    await store.record.links.pauseHost("b.example", later(500));
    assert.deepEqual(await claimed(later(2)), ["https://a.example/3"]);
    assert.deepEqual(await claimed(later(4)), []);
    assert.deepEqual(await claimed(later(500)), ["https://b.example/3"]);
    // None was settled: whoever claimed them is dead.
    assert.deepEqual(await claimed(later(602)), ["https://a.example/1", "https://b.example/1"]);
  });

  it("give turns a second apart", async () => {
    await using store = await openRecordStore();
    const { links } = store.record;
    const turns = [];
    for (let n = 0; n < 3; n += 1) turns.push(await links.takeTurn("a.example", NOW));
    assert.deepEqual(turns, [NOW, later(1), later(2)]);
    assert.deepEqual(await links.takeTurn("b.example", NOW), NOW);
  });
});

it("the worker finds links, asks for them and reports to editors", async () => {
  const server = createServer((request, response) => {
    response.writeHead(request.url === "/good" ? 200 : 410).end();
  });
  const at = `http://127.0.0.1:${await listening(server)}`;
  try {
    await using store = await openRecordStore();
    await store.save(topic("One", { body: `[a](${at}/good)` }));
    await store.save(topic("Two", { body: `[b](${at}/gone)` }));
    let now = NOW;
    const { links } = store.record;
    const queue = createLinkQueue({
      ...siteOf(store.reading),
      ...{ links, origin: RECORD_ORIGIN, version: "1" },
      ...{ privateNetworks: true, now: () => now },
    });
    const worker = new QueueWorker(queue, createLog("silent"));
    for (let n = 0; n < 6; n += 1) {
      await worker.work();
      await worker.settled();
      now = new Date(now.getTime() + 2000);
    }
    await worker.stop();
    assert.deepEqual(await links.counts(), { new: 0, good: 1, moved: 0, broken: 1, unsure: 0 });
    const parts = { links, desk: store.record.desk };
    const { links: broken } = await listLinks(parts, keyActor("content:read"), {
      state: "broken",
      limit: 1,
    });
    assert.deepEqual(
      broken.map(({ url, status, items }) => [url, status, items[0]?.title]),
      [[`${at}/gone`, 410, "Two"]],
    );
    await assert.rejects(listLinks(parts, keyActor("mcp:read"), { state: "new", limit: 1 }), {
      code: "forbidden",
    });
  } finally {
    await ended(server);
  }
});

it("editors see broken links on a screen, with the items to mend", async () => {
  await using site = await openPeopleSite();
  const { record } = site.app;
  const [item] = await site.app.sql("SELECT id FROM items WHERE path = '/about'");
  const links = ["https://a.example/", "https://b.example/"].map((url) => ({
    ...{ url, host: new URL(url).host, fault: null },
  }));
  const round = site.clock.now.toISOString();
  const walk = { round, type: null, after: null, endedAt: round };
  await record.links.addFound([{ itemId: String(item?.["id"]), links }], walk);
  const [claimed] = await record.links.claim(site.clock.now, 1);
  assert(claimed !== undefined);
  const checkedAt = site.clock.now.toISOString();
  await record.links.settle(claimed, {
    ...{ state: "broken", status: 404, target: null, fault: "It answers 404" },
    ...{ failures: 1, checkedAt, dueAt: checkedAt },
  });
  const anna = await site.person("anna@example.org", "viewer");
  const { text } = await anna.get("/admin/links");
  assert.match(text, /It answers 404/);
  assert.match(text, /<li><a href="\/admin\/content\/[0-9a-f-]+">/);
  assert.doesNotMatch(text, /Check again/);
  const german = await anna.get("/admin/links?state=new", { "Accept-Language": "de" });
  assert.match(german.text, /<h2>Wird noch geprüft<\/h2>/);

  const eva = await site.person("eva@example.org", "editor");
  assert.match((await eva.get("/admin/links")).text, /Check again/);
  await eva.send("/admin/links/recheck", { url: claimed.url, state: "broken" });
  assert.deepEqual(await record.links.counts(), {
    new: 2,
    good: 0,
    moved: 0,
    broken: 0,
    unsure: 0,
  });
  const due = await record.links.claim(new Date(site.clock.now.getTime() + 2000), 2);
  assert(due.some(({ url, failures }) => url === claimed.url && failures === 1));
  const [entry] = await record.audit.entries({ action: "link.", limit: 2 });
  assert.equal(entry?.target, claimed.url);
});

it("those of menus are checked, and again when the menu changes or someone asks", async () => {
  await using site = await openPeopleSite();
  const { record, apiParts } = site.app;
  const { links } = record;
  const owner = keyActor("settings:write", "content:read", "content:write");
  const saveMenu = async (to: string) => {
    const profile = apiParts.reading.site();
    const menus = { en: [{ label: "Report", to, entries: [] }] };
    const declared = withoutBuiltInTypes(await record.content.types());
    await saveSite(record.content, owner, { ...profile, menus }, declared, site.clock.now);
  };
  const walk = async () =>
    await scanNextItemsForLinks(links, siteOf(apiParts.reading), site.clock.now);
  const broken = async () => {
    const parts = { links, desk: record.desk };
    const found = await listLinks(parts, owner, { state: "broken", limit: 5 });
    return found.links.map(({ url, inMenus }) => [url, inMenus]);
  };
  await saveMenu("/report.pdf");
  while ((await links.walk())?.endedAt == null) await walk();
  assert.deepEqual(await broken(), [["/report.pdf", true]]);
  await recheckLinks(links, owner, ["/report.pdf"], { now: site.clock.now });
  assert.deepEqual(await broken(), []);
  const queue = createLinkQueue({
    ...siteOf(apiParts.reading),
    ...{ links, origin: RECORD_ORIGIN, version: "1", privateNetworks: false },
    now: () => site.clock.now,
  });
  for (const link of await queue.claim(5)) {
    if (link.url.startsWith("/")) await queue.run(link, new AbortController().signal);
  }
  assert.deepEqual(await broken(), [["/report.pdf", true]]);
  await saveMenu("/about");
  await walk();
  assert.deepEqual(await broken(), []);
  const unknown = recheckLinks(links, owner, ["/report.pdf"], { now: site.clock.now });
  await assert.rejects(unknown, { code: "not_found" });
});
