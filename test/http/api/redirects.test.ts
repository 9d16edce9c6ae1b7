import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { findItemByAddress } from "../../../src/content/addresses/find-item.ts";
import { type ApiAnswer, type ApiClient, openApiClient } from "../../support/api-client.ts";
import { ORIGIN } from "../../support/open-fixture.ts";

const ANY = { "If-Match": "*" };

async function made(api: ApiClient, body: object): Promise<ApiAnswer["body"]> {
  const answer = await api.request("POST", "/content", { body });
  assert.equal(answer.status, 201, answer.text);
  return answer.body;
}

const add = async (api: ApiClient, from: string, to: string | null): Promise<ApiAnswer> =>
  await api.request("POST", "/redirects", { body: { from, to } });

async function leadsTo(api: ApiClient, path: string): Promise<string | number | null> {
  const { status, headers } = await api.app.get(path);
  return status === 308 ? headers.get("location") : status;
}

describe("a redirect", () => {
  it("leads an address of a former site to an item, wherever that stands", async () => {
    await using api = await openApiClient();
    const item = await made(api, { type: "page", title: "New", path: "/new", status: "published" });
    const added = await add(api, "/2019/05/Über uns.html", "/new");
    assert.equal(added.status, 201, added.text);
    assert.equal(added.headers.get("location"), `/api/v1/redirects/${added.body.id}`);
    assert.deepEqual(added.body.to, {
      id: item.id,
      path: "/new",
      title: "New",
      status: "published",
      url: `${ORIGIN}/new`,
    });
    const former = encodeURI("/2019/05/Über uns.html");
    assert.equal(await leadsTo(api, former), "/new");
    await api.request("PATCH", `/content/${item.id}?references=keep`, {
      body: { path: "/newer" },
      headers: ANY,
    });
    assert.equal(await leadsTo(api, former), "/newer");
    const found = findItemByAddress(api.app.reading, ORIGIN + former, ORIGIN);
    assert.deepEqual(
      { path: found.item.path, movedFrom: found.movedFrom },
      { path: "/newer", movedFrom: "/2019/05/Über uns.html" },
    );
    const detail = await api.request("GET", `/content/${item.id}`);
    assert.deepEqual(detail.body.redirectFrom, ["/2019/05/Über uns.html"]);
    assert.deepEqual(detail.body.formerPaths, ["/new"]);
    await api.request("POST", `/content/${item.id}/unpublish`, { headers: ANY });
    assert.equal(await leadsTo(api, former), 404);
    await api.request("POST", `/content/${item.id}/publish`, { headers: ANY });
    await api.request("POST", `/content/${item.id}/archive`, { headers: ANY });
    assert.equal(await leadsTo(api, former), 410);
  });

  it("leads to lists, documents and the search as well", async () => {
    await using api = await openApiClient();
    for (const [from, to] of [
      ["/themen", `${ORIGIN}/topics`],
      ["/feed.xml", "/feed.atom"],
      ["/suche.php", "/search"],
      ["/index.html", "/"],
    ] as const) {
      const added = await add(api, from, to);
      assert.equal(added.status, 201, added.text);
      assert.equal(await leadsTo(api, from), to.replace(ORIGIN, ""));
    }
    assert.throws(() => findItemByAddress(api.app.reading, "/themen", ORIGIN), {
      code: "not_found",
      message: `${ORIGIN}/themen leads to ${ORIGIN}/topics, which is not an item but a page of its own: use list_content or search_content`,
    });
  });

  it("leads to other sites, and only where an administrator wrote", async () => {
    await using api = await openApiClient();
    const added = await add(api, "/shop", "https://shop.example/start?from=us#top");
    assert.equal(added.status, 201, added.text);
    assert.deepEqual(added.body.to, {
      id: null,
      path: null,
      title: null,
      status: null,
      url: "https://shop.example/start?from=us#top",
    });
    assert.equal(await leadsTo(api, "/shop?to=evil"), "https://shop.example/start?from=us#top");
    await add(api, "/store", "/shop");
    assert.equal(await leadsTo(api, "/store"), "https://shop.example/start?from=us#top");
    await add(api, "/wiki/*", "https://wiki.example/pages/:splat");
    assert.equal(
      await leadsTo(api, "/wiki/%5Cevil.example?x=1"),
      "https://wiki.example/pages/%5Cevil.example",
    );
    assert.equal(await leadsTo(api, "/wiki/a%20b/c%3Fd"), "https://wiki.example/pages/a%20b/c%3Fd");
    assert.equal(await leadsTo(api, "/wiki"), "https://wiki.example/pages/");
    assert.throws(() => findItemByAddress(api.app.reading, "/wiki/x", ORIGIN), {
      code: "not_found",
      message: `${ORIGIN}/wiki/x leads to another site: https://wiki.example/pages/x`,
    });
    const taken = await api.request("POST", "/content", {
      body: { type: "page", title: "B", path: "/shop" },
    });
    assert.match(taken.body.detail, /it is redirected to https:\/\/shop\.example/);
  });

  it("leads everything below a folder to what is there, and nothing else", async () => {
    await using api = await openApiClient();
    await made(api, { type: "page", title: "Spring", path: "/news/spring", status: "published" });
    await made(api, { type: "page", title: "Own", path: "/blog/own", status: "published" });
    const moved = await made(api, {
      ...{ type: "page", title: "Moved", path: "/news/was", status: "published" },
    });
    await api.request("PATCH", `/content/${moved.id}?references=keep`, {
      body: { path: "/is" },
      headers: ANY,
    });
    await made(api, { type: "page", title: "Draft", path: "/news/draft" });
    assert.equal((await add(api, "/blog/*", "/news/:splat")).status, 201);
    assert.equal((await add(api, "/blog/2019/*", "/about")).status, 201);
    assert.equal((await add(api, "/themen/*", "/topics/:splat")).status, 201);
    const expected = {
      "/blog/spring": "/news/spring",
      "/blog/was": "/is",
      "/blog/own": 200,
      "/blog/draft": 404,
      "/blog/never": 404,
      "/blog": 404,
      "/blog/2019/a/b.html": "/about",
      "/blog/2019": "/about",
      "/themen": "/topics",
      "/themen//evil.example": "/themen/evil.example",
      "/topics": 200,
    };
    for (const [path, to] of Object.entries(expected)) {
      assert.equal(await leadsTo(api, path), to, path);
    }
    assert.equal(await leadsTo(api, "/blog/spring.md?x=1"), "/news/spring.md?x=1");
    const found = findItemByAddress(api.app.reading, "/blog/spring", ORIGIN);
    assert.equal(found.item.path, "/news/spring");
    const [pattern] = (await api.request("GET", "/redirects?from=/blog/*")).body.items;
    assert.equal(pattern.to.path, "/news/:splat");
    await api.request("DELETE", `/redirects/${pattern.id}`, { headers: ANY });
    assert.equal(await leadsTo(api, "/blog/spring"), 404);
  });

  it("by pattern answers nothing for a page that is there, also beyond its last part", async () => {
    await using api = await openApiClient();
    await add(api, "/authors/*", null);
    await add(api, "/topics/*", "/about");
    await add(api, "/timeline/*", "https://elsewhere.example/");
    const expected = {
      "/authors": 200,
      "/authors?page=99": 404,
      "/authors/nobody": 410,
      "/topics?page=99": 404,
      "/topics/time?page=99": 404,
      "/topics/time.md?page=99": 404,
      "/topics/never?page=99": "/about?page=99",
      "/timeline": 200,
      "/timeline?page=99": 404,
      "/timeline/1900": "https://elsewhere.example/",
    };
    for (const [path, to] of Object.entries(expected)) {
      assert.equal(await leadsTo(api, path), to, path);
    }
    assert.throws(() => findItemByAddress(api.app.reading, "/authors", ORIGIN), {
      code: "not_found",
    });
  });

  it("has patterns that lead to each other end in nothing", async () => {
    await using api = await openApiClient();
    await add(api, "/one/*", "/two/:splat");
    await add(api, "/two/*", "/one/:splat");
    await add(api, "/three/*", "/three/x/:splat");
    for (const path of ["/one/a", "/two/a", "/three/a"]) {
      assert.equal(await leadsTo(api, path), 404, path);
    }
  });

  it("without a target says that the address is gone, until it is removed", async () => {
    await using api = await openApiClient();
    const added = await add(api, "/over", null);
    assert.equal(added.status, 201, added.text);
    assert.equal(added.body.to, null);
    await add(api, "/shut/*", null);
    await add(api, "/?p=9", null);
    await add(api, "/before", "/over");
    await made(api, { type: "page", title: "Open", path: "/shut/open", status: "published" });
    const paths = ["/over", "/shut", "/shut/one", "/?p=9", "/before", "/shut/open"];
    const statuses = await Promise.all(paths.map(async (path) => await leadsTo(api, path)));
    assert.deepEqual(statuses, [410, 410, 410, 410, 410, 200]);
    const page = { type: "page", title: "Over", path: "/over", status: "published" };
    const refused = await api.request("POST", "/content", { body: page });
    assert.match(refused.text, /kept as gone for good/);
    const twice = await add(api, "/over", "/topics");
    assert.match(twice.text, /kept as gone for good; remove it from the redirects first/);
    await api.request("DELETE", `/redirects/${added.body.id}`, { headers: ANY });
    assert.equal(await leadsTo(api, "/over"), 404);
    await made(api, page);
    assert.equal(await leadsTo(api, "/over"), 200);
  });

  it("goes by the query of an address in any order, where one is stated", async () => {
    await using api = await openApiClient();
    const item = await made(api, { type: "page", title: "New", path: "/new", status: "published" });
    assert.equal((await add(api, "/?p=12", "/new")).status, 201);
    assert.equal((await add(api, "/index.php?id=7&lang=de", item.id)).status, 201);
    assert.equal((await add(api, "/?p=13", "https://elsewhere.example/")).status, 201);
    assert.equal(await leadsTo(api, "/?p=12"), "/new");
    assert.equal(await leadsTo(api, "/index.php?lang=de&id=7"), "/new");
    assert.equal(await leadsTo(api, "/?p=13"), "https://elsewhere.example/");
    assert.equal(await leadsTo(api, "/?p=14"), 200);
    assert.equal(await leadsTo(api, "/?p=12&q=1"), 200);
    assert.equal(await leadsTo(api, "/index.php?id=8"), 404);
    assert.equal(await leadsTo(api, "/%3Fp=12"), "/new");
    await api.request("POST", `/content/${item.id}/archive`, { headers: ANY });
    assert.equal(await leadsTo(api, "/?p=12"), 410);
    await api.request("POST", `/content/${item.id}/unpublish`, { headers: ANY });
    assert.equal(await leadsTo(api, "/?p=12"), 200);
  });

  it("means the target of a redirect it is led to", async () => {
    await using api = await openApiClient();
    const item = await made(api, { type: "page", title: "A", path: "/a", status: "published" });
    await add(api, "/one", "/a");
    await add(api, "/two", "/one");
    await add(api, "/lists", "/topics");
    await add(api, "/more-lists", "/lists");
    assert.equal(await leadsTo(api, "/two"), "/a");
    assert.equal(await leadsTo(api, "/more-lists"), "/topics");
    await api.request("PATCH", `/content/${item.id}?references=keep`, {
      body: { path: "/b" },
      headers: ANY,
    });
    const third = await add(api, "/three", "/a");
    assert.equal(third.body.to.path, "/b");
  });

  it("ends when it is removed, and is in the audit log", async () => {
    await using api = await openApiClient();
    await made(api, { type: "page", title: "A", path: "/a", status: "published" });
    const { body, headers } = await add(api, "/one", "/a");
    await add(api, "/lists", "/topics");
    const path = `/redirects/${body.id}`;
    assert.equal((await api.request("DELETE", path)).status, 428);
    const read = await api.request("GET", path);
    assert.deepEqual(read.body, body);
    assert.equal(read.headers.get("etag"), headers.get("etag"));
    const listed = await api.request("GET", "/redirects?limit=1");
    assert.deepEqual(listed.body.items, [body]);
    const rest = await api.request("GET", `/redirects?limit=1&cursor=${listed.body.nextCursor}`);
    assert.deepEqual(
      rest.body.items.map(({ from }: { from: string }) => from),
      ["/lists"],
    );
    const tag = { "If-Match": read.headers.get("etag") ?? "" };
    const removed = await api.request("DELETE", path, { headers: tag });
    assert.equal(removed.status, 204, removed.text);
    assert.equal((await api.request("GET", path)).status, 404);
    assert.equal(await leadsTo(api, "/one"), 404);
    const found = await api.request("GET", "/redirects?from=/lists");
    await api.request("DELETE", `/redirects/${found.body.items[0].id}`, { headers: ANY });
    assert.equal(await leadsTo(api, "/lists"), 404);
    const entries = await api.app.record.audit.entries({ action: "redirect.", limit: 4 });
    assert.deepEqual(
      entries.map(({ action, target }) => [action, target]),
      [
        ["redirect.remove", "/lists"],
        ["redirect.remove", "/one"],
        ["redirect.add", "/lists"],
        ["redirect.add", "/one"],
      ],
    );
  });

  it("takes the address of a deleted item, which has it again afterwards", async () => {
    await using api = await openApiClient();
    const old = await made(api, { type: "page", title: "Old", path: "/old", status: "published" });
    await made(api, { type: "page", title: "New", path: "/new", status: "published" });
    await api.request("DELETE", `/content/${old.id}`, { headers: ANY });
    assert.equal(await leadsTo(api, "/old"), 410);
    const { body } = await add(api, "/old", "/new");
    assert.equal(await leadsTo(api, "/old"), "/new");
    const restored = await api.request("POST", `/content/${old.id}/revisions/1/restore`, {
      headers: ANY,
    });
    assert.equal(restored.status, 409);
    await api.request("DELETE", `/redirects/${body.id}`, { headers: ANY });
    assert.equal(await leadsTo(api, "/old"), 410);
    const again = await api.request("POST", `/content/${old.id}/revisions/1/restore`, {
      headers: ANY,
    });
    assert.equal(again.status, 200, again.text);
    assert.equal(again.body.path, "/old");
  });

  it("gives way to its own item and to no other", async () => {
    await using api = await openApiClient();
    const item = await made(api, { type: "page", title: "A", path: "/a", status: "published" });
    await add(api, "/one", "/a");
    await add(api, "/lists", "/topics");
    for (const path of ["/one", "/lists"]) {
      const other = await api.request("POST", "/content", {
        body: { type: "page", title: "B", path },
      });
      assert.equal(other.status, 409, other.text);
      assert.match(other.body.detail, /Cannot use the path/);
    }
    const numbered = await made(api, { type: "page", title: "Lists" });
    assert.equal(numbered.path, "/lists-2");
    const moved = await api.request("PATCH", `/content/${item.id}?references=keep`, {
      body: { path: "/one" },
      headers: ANY,
    });
    assert.equal(moved.body.path, "/one");
    assert.equal((await api.app.get("/one")).status, 200);
    assert.equal(await leadsTo(api, "/a"), "/one");
    assert.deepEqual((await api.request("GET", "/redirects?from=/one")).body.items, []);
    await api.request("PATCH", `/content/${item.id}?references=keep`, {
      body: { path: "/a" },
      headers: ANY,
    });
    assert.equal(await leadsTo(api, "/one"), "/a");
  });

  const refused: [string, string, number, RegExp][] = [
    ["/about", "/", 409, /from|it is the path of "About/],
    ["/about", "/about", 400, /"\/about" would lead to itself/],
    ["/topics", "/about", 400, /"\/topics" is the list of Topics/],
    ["/", "/about", 400, /from: is the home page/],
    ["/index.md", "/about", 400, /from: is the home page/],
    ["/api/v1/content", "/about", 400, /reserved/],
    ["/mcp", "/about", 400, /reserved/],
    ["/robots.txt", "/about", 400, /is a document of the site/],
    ["/.well-known/security.txt", "/about", 400, /is a document of the site/],
    ["/old#top", "/about", 400, /from: browsers keep what follows # to themselves/],
    ["/topics?page=2", "/about", 400, /"\/topics" is the list of Topics/],
    ["/old", "/about#team", 400, /to: a redirect goes to a whole page/],
    ["/old", "https://name:word@elsewhere.example/", 400, /to: an address with a name or password/],
    ["/old", "https://", 400, /to: Cannot read "https:\/\/" as an address/],
    ["/old", "//elsewhere.example/x", 400, /is not on this site/],
    ["/old", "javascript:alert(1)", 400, /to: no item has the id/],
    ["https://elsewhere.example/x", "/about", 400, /is not on this site/],
    ["/old", "/nowhere", 400, /to: nothing is at "\/nowhere"/],
    ["/old", "no-such-key", 400, /to: no item has the id or source key "no-such-key"/],
    ["/a/../b", "/about", 400, /can never be asked for/],
    ["/a%zz", "/about", 400, /Cannot read "\/a%zz" as an address/],
    ["/a%00b", "/about", 400, /Cannot read/],
    [`/${"a".repeat(1500)}`, "/about", 400, /from: is longer than 1000 characters/],
    ["", "/about", 400, /from: is empty/],
    ["/blog/*.html", "/about", 400, /from: .* looks like a pattern: only a \* at the end/],
    ["/*/archive/*", "/about", 400, /looks like a pattern/],
    ["/*", "/about", 400, /from: "\/\*" would cover the whole site/],
    ["/a/b/c/d/e/f/g/h/i/*", "/about", 400, /from: has more than 8 folders before the \*/],
    ["/blog/*?p=1", "/about", 400, /from: .*pattern/],
    ["/api/*", "/about", 400, /"\/api" is reserved/],
    ["/blog", "/news/:splat", 400, /to: :splat needs an address that ends in \/\*/],
    ["/blog/*", "https://:splat/x", 400, /to: /],
    ["/blog/*", "https://elsewhere.example:splat", 400, /to: /],
    ["/blog/*", "https://elsewhere.example/?to=:splat", 400, /to: :splat can occur once/],
    ["/blog/*", "/x:splat", 400, /to: :splat can occur once, after a slash/],
    ["/blog/:slug", "/about", 400, /looks like a pattern/],
    ["/blog/{slug}", "/about", 400, /looks like a pattern/],
  ];
  describe("is refused", () => {
    let api: ApiClient;
    before(async () => {
      api = await openApiClient();
    });
    after(async () => await api[Symbol.asyncDispose]());

    for (const [from, to, status, told] of refused) {
      it(`from ${from.slice(0, 30)} to ${to}`, async () => {
        const answer = await add(api, from, to);
        assert.equal(answer.status, status, answer.text);
        assert.match(answer.body.detail, told);
        assert.deepEqual((await api.request("GET", "/redirects")).body.items, []);
      });
    }
  });

  it("is refused for a duplicate, for a path an item moved from, and without the scope to publish", async () => {
    await using api = await openApiClient();
    const item = await made(api, { type: "page", title: "A", path: "/a", status: "published" });
    await api.request("PATCH", `/content/${item.id}?references=keep`, {
      body: { path: "/b" },
      headers: ANY,
    });
    const over = await add(api, "/a", "/about");
    assert.equal(over.status, 409);
    assert.match(over.body.detail, /it leads to "A", which moved to \/b/);
    await add(api, "/one", "/b");
    const twice = await add(api, "/one/", "/about");
    assert.equal(twice.status, 409);
    assert.match(twice.body.detail, /it is redirected to \/b already; remove that redirect first/);
    const body = { from: "/two", to: "/b" };
    const key = await api.issue("content:write", "content:read");
    assert.equal((await api.request("POST", "/redirects", { body, key })).status, 403);
    const draft = { type: "page", title: "C", redirectFrom: ["/three"] };
    assert.equal((await api.request("POST", "/content", { body: draft, key })).status, 403);
  });

  it("comes with a new item that states it", async () => {
    await using api = await openApiClient();
    const item = await made(api, {
      type: "page",
      title: "A",
      path: "/a",
      status: "published",
      redirectFrom: ["/a", "/old/", "/index.php"],
    });
    assert.deepEqual(item.redirectFrom, ["/index.php", "/old"]);
    assert.equal(await leadsTo(api, "/old"), "/a");
    const taken = await api.request("POST", "/content", {
      body: { type: "page", title: "B", redirectFrom: ["/fine", "/old"] },
    });
    assert.equal(taken.status, 409);
    assert.equal(taken.body.problems[0].where, "redirectFrom[1]");
    assert.equal(
      (await api.request("GET", "/content?text=B&type=page")).body.items.some(
        ({ title }: { title: string }) => title === "B",
      ),
      false,
    );
  });
});
