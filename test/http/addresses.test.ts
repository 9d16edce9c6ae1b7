import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import fc from "fast-check";
import { saveItem } from "../../src/content/editing/editing.ts";
import { itemInputSchema } from "../../src/content/items/item.ts";
import { parseRequestTarget } from "../../src/http/exchange.ts";
import { ORIGIN, openFixture } from "../support/open-fixture.ts";
import { sendTo } from "../support/send-to.ts";

const site = await openFixture();
after(() => site.close());

const OPERATOR = { kind: "operator" } as const;

describe("addresses", () => {
  const moved: [from: string, to: string][] = [
    ["/topics/", "/topics"],
    ["/topics/time/", "/topics/time"],
    ["//topics//time", "/topics/time"],
    ["/%74opics", "/topics"],
    ["/u%CC%88ber-uns", "/%C3%BCber-uns"],
    ["/%c3%bcber-uns", "/%C3%BCber-uns"],
    ["/topics/?page=2&x=1", "/topics?page=2&x=1"],
    ["//example.org/", "/example.org"],
    ["/%2Fexample.org", "/example.org"],
    ["/topics/a/../time/", "/topics/time"],
  ];
  for (const [from, to] of moved) {
    it(`sends ${from} to ${to}`, async () => {
      const response = await site.get(from);
      assert.equal(response.status, 308);
      assert.equal(response.headers.get("location"), to);
    });
  }

  for (const path of [
    "/p/index.md",
    "/topics.md.md",
    "/index",
    "/index.md.md",
    "/topics/time/index.md",
    "/nope.md",
    "/.md",
    "/topics/.md",
    "/.well-known/nope",
    "/TOPICS",
  ]) {
    it(`knows nothing at ${path}`, async () => {
      const response = await site.get(path, { accept: "text/html" });
      assert.equal(response.status, 404);
      const expected = path.endsWith(".md") ? "text/markdown" : "text/html";
      assert(response.headers.get("content-type")?.startsWith(expected));
    });
  }

  for (const path of ["/%", "/%zz", "/%ff", "/%00", "/a%0d%0aSet-Cookie:x=1"]) {
    it(`calls ${path} malformed`, async () => {
      const response = await site.get(path);
      assert.equal(response.status, 400);
      assert.equal(response.headers.get("content-type"), "application/problem+json");
      const page = await site.get(path, { accept: "text/html,*/*;q=0.8" });
      assert.equal(page.status, 400);
      assert.match(
        await page.text(),
        /<h1>400 Bad Request<\/h1>\n<p>The address is not well-formed/,
      );
      const markdown = await site.get(path, { accept: "text/markdown, */*" });
      assert.match(await markdown.text(), /^# 400 Bad Request\n\nThe address is not well-formed/);
    });
  }

  it("keeps former addresses, in both forms and with their query", async () => {
    await using fresh = await openFixture();
    const save = async (input: object) =>
      await saveItem(fresh.record.content, OPERATOR, itemInputSchema.parse(input), new Date());
    const event = { type: "event", title: "Talk", status: "published", sourceKey: "talk" };
    await save({ ...event, path: "/events/talk" });
    await save({ ...event, path: "/events/grand-talk" });
    assert.equal(
      (await fresh.get("/events/talk?a=1")).headers.get("location"),
      "/events/grand-talk?a=1",
    );
    assert.equal(
      (await fresh.get("/events/talk.md")).headers.get("location"),
      "/events/grand-talk.md",
    );
    await save({ ...event, path: "/events/grand-talk", status: "archived" });
    const gone = await fresh.get("/events/grand-talk", { accept: "text/html" });
    assert.equal(gone.status, 410);
    assert.match(await gone.text(), /410 – Page withdrawn/);
  });

  it("keep a page apart from one that is asked for with more numbers", async () => {
    const few = "/quotations?a=1&b=1&c=1&d=1";
    const first = await (await site.get("/quotations")).text();
    await site.get(`${few}&page=2`);
    assert.equal(await (await site.get(few)).text(), first);
  });

  it("answers pages beyond the last of a list with 404, and nonsense with the first", async () => {
    assert.equal((await site.get("/topics?page=99")).status, 404);
    assert.equal((await site.get(`/topics?page=${"9".repeat(12)}`)).status, 404);
    const told = await (await site.get("/topics?page=99", { accept: "text/markdown" })).text();
    assert.match(told, /`\/topics\?page=99` is not a page/, "as /topics is one");
    const json = await (await site.get("/topics?page=99", { accept: "application/json" })).text();
    assert.match(json, /"No page at \/topics\?page=99"/);
    for (const page of ["0", "-1", "x", "1e3", "01", ""]) {
      assert.equal((await site.get(`/topics.md?page=${page}`)).status, 200);
    }
  });
});

describe("a missing page", () => {
  const links = ["/llms.txt", "/sitemap.xml", "/", "/topics"];

  it("gives browsers HTML that is not indexed", async () => {
    const response = await site.get("/topics/tim", { accept: "text/html,*/*;q=0.8" });
    const html = await response.text();
    assert.equal(response.status, 404);
    assert.equal(response.headers.get("x-robots-tag"), "noindex");
    assert.equal(response.headers.get("vary"), "Accept, Accept-Encoding");
    assert.match(html, /<meta name="robots" content="noindex">/);
    assert.doesNotMatch(html, /rel="canonical"/);
    assert.match(html, /Did you mean:/);
    assert.match(html, /href="\/topics\/time"/);
    const main = html.slice(html.indexOf("<main"));
    for (const link of links) assert(main.includes(`href="${link}"`), link);
    assert.match(main, /<form [^>]*action="\/search"/);
  });

  it("gives agents short Markdown", async () => {
    for (const accept of ["*/*", "text/markdown"]) {
      const response = await site.get("/topics/tim", { accept });
      assert.equal(response.headers.get("content-type"), "text/markdown; charset=utf-8");
      const text = await response.text();
      assert.match(text, /^# 404 – Page not found\n\n`\/topics\/tim` is not a page/);
      assert(text.includes(`](${ORIGIN}/topics/time.md)`));
      assert(text.includes(`](${ORIGIN}/index.md)`));
      assert.match(response.headers.get("link") ?? "", /describedby.*sitemap.*home/);
    }
  });

  it("suggests what the words of an address find, and notes no search for it", async () => {
    await using fresh = await openFixture({ ticks: false });
    const guessed = await (await fresh.get("/essays/crime-and-poverty.md")).text();
    assert.match(guessed, /Did you mean:\n\n- \[[^\]]+\]\(\S+\/quotations\/abet\.md\)/);
    const tried = await (await fresh.get("/pennyes-for-crimme.md")).text();
    assert.doesNotMatch(tried, /Did you mean/);
    const distant = await (await fresh.get("/old-friend-of-virtue.md")).text();
    assert.doesNotMatch(distant, /Did you mean/);
    await fresh.get("/search?q=crime");
    await fresh.counting.saveAll();
    const period = { since: "2000-01-01", until: "2100-01-01" };
    const days = await fresh.record.searches.days(period);
    assert.deepEqual(
      days.map(({ searches }) => searches),
      [1],
    );
  });

  it("gives programs problem details", async () => {
    const response = await site.get("/nope", { accept: "application/json" });
    assert.equal(response.headers.get("content-type"), "application/problem+json");
    const problem = JSON.parse(await response.text());
    assert.deepEqual(
      [problem.type, problem.title, problem.status, problem.instance],
      ["about:blank", "Not Found", 404, "/nope"],
    );
    const ways = ["/llms.txt", "/search", "/", "/topics", "/sitemap.xml"];
    const hrefs = problem.links.map(({ href }: { href: string }) => href);
    assert.equal(hrefs[0], `${ORIGIN}/llms.txt`);
    for (const way of ways) assert(hrefs.includes(ORIGIN + way), way);
    const near = await site.get("/topics/tim", { accept: "application/json" });
    const [meant] = JSON.parse(await near.text()).links;
    assert.deepEqual(meant, { rel: "related", href: `${ORIGIN}/topics/time`, title: "Time" });
  });

  it("never reflects mark-up, nor more of an address than a line", async () => {
    const path = `/${encodeURIComponent('<script>alert("x")</script>`[a](javascript:x)')}${"a".repeat(3000)}`;
    for (const accept of ["text/html", "*/*", "application/json"]) {
      const text = await (await site.get(path, { accept })).text();
      assert.doesNotMatch(text, /<script>alert|a{600}/);
    }
  });
});

describe("a credential in an address", () => {
  const key = `cpl_${"Ab3".repeat(12)}xy`;
  for (const target of [
    `/?api_key=s3cret`,
    "/topics?token=s3cret",
    "/mcp?access_token=s3cret",
    "/search?q=x&KEY=s3cret",
    `/${key}`,
    `/search?q=${key}`,
    `/%63pl_${key.slice(4)}`,
    "/llms.txt?apikey=s3cret",
  ]) {
    it(`is refused and repeated nowhere: ${target.replace(key, "KEY")}`, async () => {
      site.logged.length = 0;
      const response = await site.get(target);
      assert.equal(response.status, 400);
      const answer = (await response.text()) + JSON.stringify([...response.headers]);
      assert.doesNotMatch(answer + site.logged.join(""), /s3cret|Ab3Ab3/);
      assert.match(answer, /Authorization header/);
    });
  }

  it("takes its address out of the log, not that of other requests that are wrong", async () => {
    site.logged.length = 0;
    assert.equal((await site.get(`/about/${key}`)).status, 400);
    const form = { method: "POST", body: new URLSearchParams({ form: "none" }) };
    assert.equal((await sendTo(site.http, "/contact", form)).status, 400);
    const paths = site.logged.map((line) => JSON.parse(line).path);
    assert.deepEqual(paths, ["[refused]", "/contact"]);
  });
});

describe("methods", () => {
  it("answers OPTIONS with what is allowed, to any web page", async () => {
    const response = await sendTo(site.http, "/topics", { method: "OPTIONS" });
    assert.equal(response.status, 204);
    assert.equal(response.headers.get("allow"), "GET, HEAD, OPTIONS");
    assert.equal(response.headers.get("access-control-allow-origin"), "*");
  });

  for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
    it(`refuses ${method}`, async () => {
      const response = await sendTo(site.http, "/topics", { method });
      assert.equal(response.status, 405);
      assert.equal(response.headers.get("allow"), "GET, HEAD, OPTIONS");
      assert.equal(response.headers.get("content-type"), "application/problem+json");
    });
  }

  it("tells MCP clients in OAuth's words that there is no OAuth", async () => {
    for (const path of [
      "/.well-known/oauth-protected-resource",
      "/.well-known/oauth-protected-resource/mcp",
      "/.well-known/oauth-authorization-server",
      "/.well-known/openid-configuration",
      "/register",
    ]) {
      for (const method of ["GET", "POST"]) {
        const response = await sendTo(site.http, path, { method });
        assert.equal(response.status, 404);
        const { error, error_description } = JSON.parse(await response.text());
        assert.equal(error, "invalid_request");
        assert.match(error_description, /Authorization: Bearer/);
      }
    }
  });

  it("mounts the MCP service", async () => {
    const response = await sendTo(site.http, `${ORIGIN}/mcp`, {
      method: "POST",
      headers: { host: "quotations.example", "content-type": "application/json" },
      body: "{}",
    });
    assert.equal(response.status, 401);
  });
});

describe("any request", () => {
  it("is never answered with 500, always with an id and the security headers", async () => {
    const characters = fc.constantFrom(
      ..."/.%?&=#\\:@[]{}|^`'\"<>;,+ aé中\u0301\u202e",
      "topics",
      "time",
      "..",
      ".md",
      "page=",
      "q=",
      "index",
      "%2e",
      "%2F",
      "%00",
      "%C3",
      "search",
      "mode=agent",
      "feed.atom",
      "sitemap-",
      ".xml",
      "llms.txt",
    );
    const header = fc.constantFrom(
      undefined,
      "",
      "*/*",
      "text/markdown",
      "text/html;q=x",
      ";;,,/",
      "a/b;q=1.5",
      "application/json",
    );
    await fc.assert(
      fc.asyncProperty(fc.array(characters, { maxLength: 12 }), header, async (pieces, accept) => {
        // The listener refuses what is no path before the handler.
        if (parseRequestTarget(`/${pieces.join("")}`) === null) return;
        const response = await site.get(
          `/${pieces.join("")}`,
          accept === undefined ? {} : { accept },
        );
        await response.arrayBuffer();
        assert([200, 308, 400, 404, 406].includes(response.status), `${response.status}`);
        assert.match(response.headers.get("x-request-id") ?? "", /^[0-9a-f-]{36}$/);
        const policy = response.headers.get("content-security-policy") ?? "";
        assert.match(policy, /default-src 'none'.*base-uri 'none'.*frame-ancestors 'none'/);
        assert.equal(response.headers.get("x-content-type-options"), "nosniff");
        assert.match(response.headers.get("strict-transport-security") ?? "", /^max-age=31536000/);
        assert.match(response.headers.get("referrer-policy") ?? "", /strict-origin/);
        const location = response.headers.get("location");
        if (location !== null) assert.match(location, /^\/(?!\/)/);
      }),
      { numRuns: 600 },
    );
  });

  it("reveals no internal errors", async () => {
    await using broken = await openFixture();
    broken.reading.resolve = () => {
      throw new Error("secret detail");
    };
    const response = await broken.get("/about");
    assert.equal(response.status, 500);
    const problem = JSON.parse(await response.text());
    assert.equal(problem.detail, "Internal error");
    assert.equal(problem.requestId, response.headers.get("x-request-id"));
    assert(
      broken.logged.some((line) => line.includes(problem.requestId) && line.includes("secret")),
    );
  });
});
