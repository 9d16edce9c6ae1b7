import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { ORIGIN, openFixture } from "../support/open-fixture.ts";
import { sendTo } from "../support/send-to.ts";

const site = await openFixture();
after(() => site.close());

const HTML = { accept: "text/html" };
const MARKDOWN = { accept: "text/markdown" };

/** One page of each kind. */
const PAGES = [
  "/",
  "/about",
  "/%C3%BCber-uns",
  "/topics",
  "/topics/time",
  "/authors/epictetus",
  "/works/epictetus-discourses-george-long",
  "/quotations/abactor",
  "/quotations",
  "/events/reading-evening",
];

const ACCEPTS: [client: string, accept: string | undefined, form: "html" | "markdown"][] = [
  ["Claude Code", "text/markdown, text/html, */*", "markdown"],
  ["Cursor", "text/markdown, text/plain;q=0.9, */*;q=0.8", "markdown"],
  [
    "opencode",
    "text/markdown;q=1.0, text/x-markdown;q=0.9, text/plain;q=0.8, text/html;q=0.7, */*;q=0.1",
    "markdown",
  ],
  ["openclaw", "text/markdown, text/html;q=0.9, */*;q=0.8", "markdown"],
  ["qwen-code", "text/markdown, text/html, text/plain", "markdown"],
  ["a scanner", "text/markdown", "markdown"],
  ["curl", "*/*", "html"],
  ["a client without Accept", undefined, "html"],
  [
    "Chrome",
    "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8",
    "html",
  ],
];

for (const page of PAGES) {
  describe(`the page ${page}`, () => {
    for (const [client, accept, form] of ACCEPTS) {
      it(`answers ${client} in ${form}`, async () => {
        const response = await site.get(page, accept === undefined ? {} : { accept });
        assert.equal(response.status, 200);
        assert.equal(response.headers.get("content-type"), `text/${form}; charset=utf-8`);
        assert.equal(response.headers.get("vary"), "Accept, Accept-Encoding");
      });
    }

    it("has a twin of the same bytes as its negotiated Markdown", async () => {
      const negotiated = await site.get(page, MARKDOWN);
      const twinPath = twinOf(page);
      assert.equal(negotiated.headers.get("content-location"), twinPath);
      for (const accept of ["text/html", "text/markdown", "application/json"]) {
        const twin = await site.get(twinPath, { accept });
        assert.equal(twin.status, 200);
        assert.equal(twin.headers.get("content-type"), "text/markdown; charset=utf-8");
        assert.equal(twin.headers.get("vary"), "Accept-Encoding");
        assert.deepEqual(await twin.bytes(), await (await site.get(page, MARKDOWN)).bytes());
      }
    });

    it("answers HEAD with the headers of GET and no body", async () => {
      for (const headers of [HTML, MARKDOWN]) {
        const got = await site.get(page, headers);
        const head = await sendTo(site.http, page, { method: "HEAD", headers });
        assert.equal(await head.text(), "");
        assert.deepEqual(comparable(head), comparable(got));
      }
    });

    it("answers what the client holds with 304", async () => {
      const etags = new Set<string>();
      for (const headers of [HTML, MARKDOWN, { ...HTML, "accept-encoding": "gzip" }]) {
        const first = await site.get(page, headers);
        const etag = first.headers.get("etag") ?? "";
        assert.match(etag, /^"[^"]+"$/);
        etags.add(etag);
        const again = await site.get(page, { ...headers, "if-none-match": `"other", W/${etag}` });
        assert.equal(again.status, 304);
        assert.equal(await again.text(), "");
        for (const name of ["vary", "etag", "cache-control", "content-location"]) {
          assert.equal(again.headers.get(name), first.headers.get(name), name);
        }
      }
      assert.equal(etags.size, 3);
    });

    it("names its other forms", async () => {
      const canonical = `<${ORIGIN}${page}>; rel="canonical"`;
      for (const headers of [HTML, MARKDOWN]) {
        const link = (await site.get(page, headers)).headers.get("link") ?? "";
        const relations = ["alternate", "describedby", "sitemap", "ai-catalog", "api-catalog"];
        const named = [canonical, ...relations.map((relation) => `rel="${relation}"`)];
        assert.deepEqual(
          named.filter((part) => !link.includes(part)),
          [],
        );
      }
      const twin = await site.get(twinOf(page));
      assert(twin.headers.get("link")?.startsWith(`${canonical}, </llms.txt>; rel="describedby"`));
    });

    it("may be kept by shared caches only where that is safe", async () => {
      const caching = async (path: string, headers: Record<string, string>) =>
        (await site.get(path, headers)).headers.get("cache-control") ?? "";
      assert.match(await caching(page, HTML), /^public, max-age=0/);
      assert.match(await caching(twinOf(page), MARKDOWN), /^public, max-age=0/);
      assert.equal(await caching(page, MARKDOWN), "private, no-store");
    });

    it("is open to every reader and search engine", async () => {
      for (const [path, headers] of [
        [page, HTML],
        [page, MARKDOWN],
        [twinOf(page), MARKDOWN],
      ] as const) {
        const response = await site.get(path, headers);
        const { headers: got } = response;
        assert.equal(got.get("x-robots-tag"), null);
        assert.equal(got.get("access-control-allow-origin"), "*");
        assert.equal(got.get("set-cookie"), null);
        assert.match(got.get("last-modified") ?? "", /GMT$/);
        assert.equal(got.get("content-signal"), "search=yes, ai-input=yes, ai-train=no");
        if (headers !== MARKDOWN) continue;
        const tokens = Number(got.get("x-markdown-tokens"));
        assert.equal(tokens, Math.ceil((await response.text()).length / 4));
      }
    });

    it("refuses clients that take neither form", async () => {
      for (const accept of ["application/json", "text/html;q=0, text/markdown;q=0", "*/*;q=0"]) {
        const response = await site.get(page, { accept });
        assert.equal(response.status, 406);
        assert.equal(response.headers.get("vary"), "Accept");
        assert.match(await response.text(), /text\/html\ntext\/markdown/);
      }
    });
  });
}

describe("a compressed page", () => {
  it("reads the same in every encoding", async () => {
    const plain = await (await site.get("/topics/time", HTML)).text();
    for (const encoding of ["br", "gzip", "zstd"] as const) {
      const response = await site.get("/topics/time", { ...HTML, "accept-encoding": encoding });
      assert.equal(response.headers.get("content-encoding"), encoding);
      const bytes = Buffer.from(await response.arrayBuffer());
      assert.equal(String(DECODERS[encoding](bytes)), plain);
    }
  });
});

describe("what changes", () => {
  it("is seen at once, caches or not", async () => {
    const { saveItem } = await import("../../src/content/editing/editing.ts");
    const { itemInputSchema } = await import("../../src/content/items/item.ts");
    await using fresh = await openFixture();
    assert.equal((await fresh.get("/topics/hope.md")).status, 404);
    const before = await (await fresh.get("/topics.md")).text();
    const input = { type: "topic", title: "Hope", slug: "hope", status: "published" };
    const actor = { kind: "operator" } as const;
    await saveItem(fresh.record.content, actor, itemInputSchema.parse(input), new Date());
    assert.equal((await fresh.get("/topics/hope.md")).status, 200);
    const after = await (await fresh.get("/topics.md")).text();
    assert.notEqual(after, before);
    assert.match(after, /\[Hope\]/);
  });
});

const { brotliDecompressSync, gunzipSync, zstdDecompressSync } = await import("node:zlib");
const DECODERS = { br: brotliDecompressSync, gzip: gunzipSync, zstd: zstdDecompressSync };

function twinOf(page: string): string {
  return page === "/" ? "/index.md" : `${page}.md`;
}

function comparable(response: Response): Record<string, string> {
  const { "x-request-id": _, ...headers } = Object.fromEntries(response.headers);
  return headers;
}
