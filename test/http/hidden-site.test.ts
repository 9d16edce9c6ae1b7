import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { saveSite, withoutBuiltInTypes } from "../../src/content/site/site-saving.ts";
import { openPeopleSite } from "../support/people.ts";
import { OPERATOR } from "../support/record-store.ts";
import { sendTo } from "../support/send-to.ts";

const HTML = { Accept: "text/html" };
const NOT_YET = /This site is not open yet/;
const PUBLIC_PATHS = [
  ...["/", "/topics", "/topics/time", "/topics/time.md", "/search?q=time", "/contact", "/no-such"],
  ...["/llms.txt", "/sitemap.xml", "/robots.txt", "/feed.atom", "/opensearch.xml"],
  ...["/.well-known/ai-catalog.json", "/.well-known/mcp/server-card.json", "/?mode=agent"],
];

const site = await openPeopleSite();
after(() => site[Symbol.asyncDispose]());

const ask = async (path: string, init: RequestInit) => await sendTo(site.app.http, path, init);

describe("a site that is hidden", () => {
  it("says so to visitors and agents, shows people who sign in everything, and opens", async () => {
    const olga = await site.person("olga@example.org", "owner");
    const vera = await site.person("vera@example.org", "viewer");
    assert.equal((await ask("/topics/time", { headers: HTML })).status, 200);
    await olga.send("/admin/settings/visibility", { hidden: "yes" });

    for (const path of PUBLIC_PATHS) {
      for (const headers of [HTML, { Accept: "*/*" }, { Accept: "text/markdown" }]) {
        const answer = await ask(path, { headers });
        assert.equal(answer.status, 503, path);
        assert.equal(answer.headers.get("x-robots-tag"), "noindex");
        assert.equal(answer.headers.get("cache-control"), "no-store");
        assert.equal(answer.headers.get("retry-after"), "3600");
        const text = await answer.text();
        assert.match(text, NOT_YET, path);
        assert.doesNotMatch(text, /Seneca/);
      }
    }
    const page = await ask("/", { headers: HTML });
    assert.match(
      await page.text(),
      /<html lang="en" dir="ltr">[\s\S]*<h1>This site is not open yet<\/h1>/,
    );
    const form = await ask("/contact", { method: "POST", headers: HTML });
    assert.equal(form.status, 503);

    const asked = { jsonrpc: "2.0", id: 1, method: "tools/list" };
    const mcp = await ask("/mcp", { method: "POST", body: JSON.stringify(asked) });
    assert.equal(mcp.status, 503);
    assert.match(JSON.parse(await mcp.text()).error.message, NOT_YET);

    assert.equal((await site.app.get("/healthz")).status, 200);
    assert.equal((await site.app.get("/assets/theme.css")).status, 200);
    assert.equal((await ask("/preview", { headers: HTML })).status, 200);

    const desk = await vera.get("/admin/desk");
    assert.match(desk.text, /The site is hidden\. <a href="\/admin\/view\?to=%2F">/);
    assert.doesNotMatch(desk.text, /Open the site/);
    const seen = await vera.get("/admin/view?to=%2Ftopics%2Ftime");
    assert.equal(seen.status, 200);
    assert.match(seen.text, /<a [^>]*href="\/admin\/view\?to=%2Fauthors%2F/);
    assert.equal(seen.headers.get("cache-control"), "no-store");
    assert.equal((await vera.get("/admin/view?to=%2Fno-such")).status, 404);
    for (const to of [
      "https://evil.example/",
      "//evil.example/",
      "javascript:alert(1)",
      "http://[",
      "/topics/%E0%A4%A",
    ]) {
      const refused = await vera.get(`/admin/view?${new URLSearchParams({ to })}`);
      assert.deepEqual([refused.status, refused.location], [400, null], to);
    }
    assert.equal((await vera.send("/admin/settings/visibility", { hidden: "no" })).status, 403);

    await olga.send("/admin/settings/visibility", { hidden: "no" });
    assert.equal((await ask("/topics/time", { headers: HTML })).status, 200);
    const entries = await site.app.sql(
      "SELECT action, actor FROM audit WHERE action LIKE 'site.%e%' AND action <> 'site.update'",
    );
    assert.deepEqual(
      entries.map(({ action }) => action),
      ["site.hide", "site.open"],
    );
    assert(entries.every(({ actor }) => actor === `person:${olga.id}`));
  });

  it("stays as it is when its folder is imported again", async () => {
    const olga = await site.person("olga2@example.org", "owner");
    await olga.send("/admin/settings/visibility", { hidden: "yes" });
    const { content } = site.app.apiParts.stores;
    const profile = await content.site();
    assert(profile?.hidden);
    const changed = { ...profile, hidden: false, name: "Imported" };
    const types = withoutBuiltInTypes(await content.types());
    await saveSite(content, OPERATOR, changed, types, site.clock.now);
    const after = await content.site();
    assert.deepEqual([after?.name, after?.hidden], ["Imported", true]);
    await olga.send("/admin/settings/visibility", { hidden: "no" });
  });
});
