import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type ApiClient, type Loose, openApiClient } from "../../support/api-client.ts";

const ANY = { "If-Match": "*" };

async function made(api: ApiClient, body: object): Promise<Loose> {
  const answer = await api.request("POST", "/content", { body });
  assert.equal(answer.status, 201, answer.text);
  return answer.body;
}

async function preview(api: ApiClient, id: string, accept = "text/html", query = "") {
  return await api.request("GET", `/content/${id}/preview${query}`, {
    headers: { Accept: accept },
  });
}

async function page(api: ApiClient, path: string, accept = "text/html"): Promise<string> {
  const answer = await api.app.get(path, { Accept: accept });
  assert.equal(answer.status, 200);
  return await answer.text();
}

/** An author with works and quotations that name him, himself not public yet. */
async function unpublishedAuthor(api: ApiClient): Promise<Loose> {
  const author = await made(api, {
    type: "author",
    title: "Musonius Rufus",
    body: "Taught *Epictetus*.\n\n## Life\n\n[Time](/topics/time)",
    fields: { born: "0030", aliases: ["The Roman Socrates"] },
  });
  await made(api, {
    type: "work",
    title: "Lectures",
    status: "published",
    relations: { authors: [author.id], topics: [{ to: "/topics/time", note: "lecture 3" }] },
  });
  await made(api, {
    type: "quotation",
    title: "On toil",
    body: "If you do a good thing with toil, the toil passes.",
    status: "published",
    relations: { authors: [author.id], work: ["/works/lectures"] },
  });
  return author;
}

describe("a preview", () => {
  it("is the page to the letter, in both forms, before and after it is published", async () => {
    await using api = await openApiClient();
    const author = await unpublishedAuthor(api);
    const html = await preview(api, author.id);
    const markdown = await preview(api, author.id, "text/markdown");
    assert.equal(html.status, 200, html.text);
    for (const part of ["Lectures", "On toil", "The Roman Socrates", "application/ld+json"]) {
      assert(html.text.includes(part), part);
    }
    assert.equal((await api.app.get(author.path)).status, 404);
    await api.request("POST", `/content/${author.id}/publish`, { headers: ANY });
    assert.equal(html.text, await page(api, author.path));
    assert.equal(markdown.text, await page(api, author.path, "text/markdown"));
    assert.equal((await preview(api, author.id)).text, html.text);
  });

  it("is private, and neither cached nor indexed", async () => {
    await using api = await openApiClient();
    const { id } = await made(api, { type: "topic", title: "Patience" });
    const { headers } = await preview(api, id, "text/markdown");
    assert.equal(headers.get("cache-control"), "private, no-store");
    assert.equal(headers.get("x-robots-tag"), "noindex");
    assert.equal(headers.get("content-type"), "text/markdown; charset=utf-8");
    assert.equal(headers.get("etag"), null);
    const key = await api.issue("content:write");
    assert.equal((await api.request("GET", `/content/${id}/preview`, { key })).status, 403);
    const reader = await api.issue("content:read");
    const read = await api.request("GET", `/content/${id}/preview`, { key: reader });
    assert.equal(read.status, 200);
    assert.equal((await preview(api, id, "image/png")).status, 406);
  });

  it("leaves nothing behind", async () => {
    await using api = await openApiClient();
    const author = await unpublishedAuthor(api);
    const { reading, record } = api.app;
    const state = async () => ({
      version: reading.version(),
      counts: reading.counts(),
      at: reading.resolve(author.path).kind,
      found: (
        await reading.search({
          text: "Musonius",
          types: ["author"],
          filters: [],
          links: [],
          limit: 5,
          offset: 0,
        })
      ).total,
      item: await record.content.item(author.id),
      revisions: (await record.content.revisions(author.id)).length,
      audit: await record.audit.entries({ limit: 3 }),
      links: reading.list({
        types: ["work"],
        filters: [],
        links: [],
        sort: "title",
        descending: false,
        limit: 100,
      }).items,
    });
    const before = await state();
    await preview(api, author.id);
    const patch = { title: "Other", path: "/authors/other" };
    await api.request("POST", `/content/${author.id}/preview`, { body: patch });
    await api.request("POST", `/content/${author.id}/preview`, { body: { title: "" } });
    assert.deepEqual(await state(), before);
    await made(api, { type: "topic", title: "After" });
    assert.equal(reading.resolve(author.path).kind, "absent");
  });

  it("shows a change before it is made", async () => {
    await using api = await openApiClient();
    const topic = await made(api, { type: "topic", title: "Patience", status: "published" });
    const body = { title: "Endurance", path: "/topics/endurance", body: "To wait *well*." };
    const key = await api.issue("content:read");
    const shown = await api.request("POST", `/content/${topic.id}/preview`, { body, key });
    assert.equal(shown.status, 200, shown.text);
    assert.match(await page(api, "/topics/patience"), /<h1[^>]*>Patience/);
    await api.request("PATCH", `/content/${topic.id}`, { body, headers: ANY });
    assert.equal(shown.text, await page(api, "/topics/endurance"));
    const wrong = await api.request("POST", `/content/${topic.id}/preview`, { body: { x: 1 } });
    assert.equal(wrong.status, 400);
    assert.match(wrong.body.detail, /x: is not a part of an item/);
    for (const sent of [[1], "text", null]) {
      const refused = await api.request("POST", `/content/${topic.id}/preview`, {
        body: JSON.stringify(sent),
        headers: { "Content-Type": "application/json" },
      });
      assert.equal(refused.status, 400, refused.text);
    }
  });

  it("shows an earlier revision", async () => {
    await using api = await openApiClient();
    const topic = await made(api, {
      type: "topic",
      title: "Patience",
      body: "First words.",
      status: "published",
    });
    const first = await page(api, topic.path);
    await api.request("PATCH", `/content/${topic.id}`, { body: { body: "New" }, headers: ANY });
    assert.equal((await preview(api, topic.id, "text/html", "?revision=1")).text, first);
    assert.equal((await preview(api, topic.id, "text/html", "?revision=7")).status, 404);
    assert.equal((await preview(api, topic.id, "text/html", "?revision=x")).status, 404);
  });

  it("shows scheduled and archived items, the home page, and no deleted ones", async () => {
    await using api = await openApiClient();
    const later = await made(api, {
      type: "topic",
      title: "Later",
      status: "scheduled",
      publishAt: "2027-01-01T00:00:00Z",
    });
    assert.match((await preview(api, later.id)).text, /<h1[^>]*>Later/);
    const { body: home } = await api.request("GET", "/content?path=/");
    const shown = await preview(api, home.items[0].id);
    assert.equal(shown.text, await page(api, "/"));
    await api.request("DELETE", `/content/${later.id}`, { headers: ANY });
    const refused = await preview(api, later.id);
    assert.equal(refused.status, 409);
    assert.match(refused.body.detail, /it is deleted/);
    assert.equal((await preview(api, "no-such-id")).status, 404);
  });
});
