import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { gunzipSync } from "node:zlib";
import { BUILT_IN_PAGES } from "../../src/content/pages/built-in/built-in-pages.ts";
import { withOverriddenMethods } from "../../src/content/reading-overrides.ts";
import { DISCOVERY_DOCUMENTS } from "../../src/discovery/documents.ts";
import { AppError, englishOnlyWording } from "../../src/errors.ts";
import { createHttpHandler } from "../../src/http/front.ts";
import { idleParts } from "../support/http-parts.ts";
import { openFixture } from "../support/open-fixture.ts";
import { sendTo } from "../support/send-to.ts";

const site = await openFixture();
after(() => site.close());

describe("a discovery document", () => {
  for (const document of DISCOVERY_DOCUMENTS) {
    for (const path of document.paths.filter((path) => !path.includes(":"))) {
      it(`is served at ${path}`, async () => {
        const response = await site.get(path, { accept: "text/html" });
        assert.equal(response.status, 200);
        assert.equal(response.headers.get("content-type"), document.contentType);
        assert.equal(response.headers.get("access-control-allow-origin"), "*");
        assert.equal(response.headers.get("vary"), "Accept-Encoding");
        assert.match(response.headers.get("cache-control") ?? "", /^public, max-age=3600/);
        assert((await response.text()).length > 0);
        const etag = response.headers.get("etag") ?? "";
        assert.equal((await site.get(path, { "if-none-match": etag })).status, 304);
        const head = await sendTo(site.http, path, { method: "HEAD" });
        assert.equal(head.headers.get("etag"), etag);
      });
    }
  }

  it("is found by pattern, and missing ones are 404", async () => {
    assert.equal((await site.get("/topics/time/feed.atom")).status, 200);
    for (const path of [
      "/sitemap-9.xml",
      "/nope/llms.txt",
      "/topics/nope/feed.atom",
      "/.well-known/agent-skills/nope/SKILL.md",
    ]) {
      assert.equal((await site.get(path)).status, 404, path);
    }
  });

  it("of the home page for programs is told apart by its query alone", async () => {
    const response = await site.get("/?mode=agent", { accept: "text/html" });
    assert.equal(response.headers.get("content-type"), "application/json; charset=utf-8");
    assert.equal(response.headers.get("x-robots-tag"), "noindex");
    assert.equal(JSON.parse(await response.text()).kind, "agent-view");
    for (const path of ["/?mode=human", "/topics?mode=agent", "/?mode=AGENT"]) {
      const page = await site.get(path, { accept: "text/html" });
      assert.equal(page.headers.get("content-type"), "text/html; charset=utf-8", path);
    }
  });

  it("that is long is built once, in slices, for all that ask for it meanwhile", async () => {
    const { reading } = site;
    const entries = Array.from({ length: 40_000 }, (_, at) => ({
      cursor: String(at),
      path: `/topics/a-topic-with-a-rather-long-name-${at}`,
      type: "topic",
      title: `Topic ${at}`,
      summary: "",
      language: "en",
      updatedAt: "2026-11-20T12:00:00.000Z",
    }));
    let builds = 0;
    const app = createHttpHandler(
      idleParts(
        withOverriddenMethods(reading, {
          site: () => ({ ...reading.site(), languages: [] }),
          counts: () => ({ topic: 40_000 }),
          *index() {
            builds += 1;
            yield* entries;
          },
        }),
      ),
    );
    let turns = 0;
    const turning = setInterval(() => (turns += 1), 1).unref();
    const asked = Array.from({ length: 20 }, async (_, number) => {
      const headers = { "accept-encoding": number % 2 === 0 ? "gzip" : "identity" };
      const response = await sendTo(app, "/sitemap.xml", { headers });
      const bytes = Buffer.from(await response.arrayBuffer());
      const text = number % 2 === 0 ? gunzipSync(bytes) : bytes;
      return { text: String(text), etag: response.headers.get("etag") ?? "" };
    });
    const answers = await Promise.all(asked);
    clearInterval(turning);
    assert.equal(builds, 1);
    assert.ok(turns > 3, `others waited for the whole: ${turns} turns`);
    const [zipped, plain] = answers;
    assert(zipped !== undefined && plain !== undefined);
    const overviews = ["/", "/topics", ...BUILT_IN_PAGES.filter(({ listed }) => listed !== null)];
    assert.equal(plain.text.match(/<loc>/g)?.length, 40_000 + overviews.length);
    for (const { text } of answers) assert.ok(text === plain.text);
    const headers = { "if-none-match": plain.etag };
    assert.equal((await sendTo(app, "/sitemap.xml", { headers })).status, 304);
    assert.equal(builds, 1);
  });
});

it("security.txt never runs out while nothing is published", async () => {
  let now = new Date("2026-11-20T12:00:00Z");
  const app = createHttpHandler({ ...idleParts(site.reading), now: () => now });
  const expiry = async () => {
    const text = await (await sendTo(app, "/.well-known/security.txt")).text();
    return new Date(/^Expires: (.*)$/m.exec(text)?.[1] ?? "");
  };
  assert((await expiry()) > now);
  now = new Date("2027-12-01T00:00:00Z");
  assert((await expiry()) > now);
});

describe("the probes", () => {
  it("tell an operator that the service lives and is ready", async () => {
    assert.equal(await (await site.get("/healthz")).text(), "alive\n");
    assert.equal(await (await site.get("/readyz")).text(), "ready\n");
  });

  it("tell when it is not", async () => {
    await using broken = await openFixture();
    broken.reading.counts = () => {
      throw new Error("disk");
    };
    assert.equal((await broken.get("/readyz")).status, 503);
  });
});

describe("a search that takes too long", () => {
  it("is answered 503, with a word on what to do", async () => {
    await using slow = await openFixture();
    const message = "The search took longer than 2 seconds: ask for fewer words";
    slow.reading.search = async () => {
      throw new AppError("unavailable", englishOnlyWording(message));
    };
    const page = await slow.get("/search?q=time", { accept: "text/html" });
    assert.equal(page.status, 503);
    assert.equal(page.headers.get("cache-control"), "no-store");
    assert.match(await page.text(), new RegExp(`<h1>503 Service Unavailable</h1>\n<p>${message}`));
  });
});

describe("a HEAD request", () => {
  for (const target of [
    "/",
    "/topics.md?page=1",
    "/search?q=time",
    "/nope",
    "/topics/",
    "/%ff",
    "/?mode=agent",
    "/llms-full.txt",
    "/feed.atom",
    "/favicon.svg",
    "/healthz",
    "/register",
  ]) {
    for (const accept of ["*/*", "text/html", "text/markdown", "application/json"]) {
      it(`gets the headers of GET ${target} for ${accept}, and no body`, async () => {
        const [got, headed] = await Promise.all(
          ["GET", "HEAD"].map((method) =>
            sendTo(site.http, target, { method, headers: { accept } }),
          ),
        );
        assert(got !== undefined && headed !== undefined);
        assert.equal(headed.status, got.status);
        assert.deepEqual(headersOf(headed), headersOf(got));
        const length = got.headers.get("content-length");
        assert.equal(
          length,
          got.status === 308 ? null : String((await got.arrayBuffer()).byteLength),
        );
        assert.equal(await headed.text(), "");
      });
    }
  }

  function headersOf({ headers }: Response) {
    return [...headers].filter(([name]) => name !== "x-request-id");
  }
});
