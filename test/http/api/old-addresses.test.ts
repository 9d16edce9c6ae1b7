import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { type ApiAnswer, type ApiClient, openApiClient } from "../../support/api-client.ts";
import { png } from "../../support/media-bytes.ts";

const HTML = { accept: "text/html" };

describe("the check of old addresses", () => {
  let api: ApiClient;
  let file = "";
  before(async () => {
    api = await openApiClient();
    const redirects: Record<string, string | null> = {
      "/old": "/about",
      "/shop": "https://shop.example/",
      "/?p=7": "/topics",
      "/closed": null,
      "/blog/*": "/about",
      "/left": null,
    };
    for (const [from, to] of Object.entries(redirects)) {
      const added = await api.request("POST", "/redirects", { body: { from, to } });
      assert.equal(added.status, 201, added.text);
    }
    const headers = { "Content-Type": "image/png" };
    const medium = await api.request("POST", "/media?alwaysPublic=true", {
      ...{ body: png(2, 2), headers },
    });
    file = new URL(medium.body.url).pathname;
  });
  after(() => api[Symbol.asyncDispose]());

  const check = async (body: string | Uint8Array, type = "text/plain"): Promise<ApiAnswer> =>
    await api.request("POST", "/redirects/check", { body, headers: { "Content-Type": type } });

  it("says of each address what visitors get, and sums it up", async () => {
    const list =
      "/about\n/old/\nhttps://was.example/shop\n/?p=7\n/never\n/closed\n/blog/2019/a\n/old\n/?p=8\nold.html\n";
    const { status, body, text } = await check(list);
    assert.equal(status, 200, text);
    const { addresses, ...counts } = body;
    assert.deepEqual(counts, { kept: 1, redirected: 5, gone: 1, missing: 2, invalid: 1 });
    const row = (address: string, outcome: string, answer: number, to: string | null = null) => ({
      ...{ address, outcome, status: answer, to },
      fault: outcome === "missing" ? `answers ${answer}` : null,
    });
    assert.deepEqual(addresses, [
      row("/about", "kept", 200),
      row("/old/", "redirected", 308, "/about"),
      row("/shop", "redirected", 308, "https://shop.example/"),
      row("/?p=7", "redirected", 308, "/topics"),
      row("/never", "missing", 404),
      row("/closed", "gone", 410),
      row("/blog/2019/a", "redirected", 308, "/about"),
      row("/old", "redirected", 308, "/about"),
      {
        ...row("/?p=8", "missing", 200),
        fault: "nothing is there: the site ignores ?p=8, and the home page answers",
      },
      {
        ...{ address: "old.html", outcome: "invalid", status: null, to: null },
        fault: "is no address: each begins with / or https://",
      },
    ]);
  });

  it("answers as the pages, documents and files of the site do", async () => {
    const list = [
      ...["/", "/index.md", "/topics", "/topics?page=400", "/topics?sort=title", "/about.md"],
      ...[
        "/sitemap.xml",
        "/feed.atom",
        "/topics/none/feed.atom",
        "/favicon.svg",
        "/robots.txt",
        "/none.txt",
      ],
      ...[
        file,
        "/media/none.png",
        "/?p=8",
        "/?p=7&utm=1",
        "/old?a=b",
        "/old.md",
        "/%E0%A4",
        "/search?q=time",
      ],
      ...["/contact", "/timeline", "/verify", "/%C3%9Cber", "/a%2Fb", "/closed?x=1", "/random.md"],
    ];
    const { body, text } = await check(list.join("\n"));
    assert.equal(body?.addresses.length, list.length, text);
    for (const { address, status } of body.addresses) {
      const answer = await api.app.get(address, HTML);
      assert.equal(status, answer.status, address);
    }
  });

  it("reads a sitemap and a table, and says what is wrong with other lists", async () => {
    const sitemap =
      '<?xml version="1.0"?><urlset><url><loc>https://was.example/about</loc></url></urlset>';
    assert.equal((await check(sitemap, "application/xml")).body.kept, 1);
    assert.equal((await check("url,title\n/about,About\n", "text/csv")).body.kept, 1);
    const none = await check("nothing\n");
    assert.equal(none.status, 400);
    assert.match(none.body.detail, /no addresses in the list: each begins with \/ or https/);
    const binary = await check(new Uint8Array([1, 2, 3, 255]));
    assert.match(binary.body.detail, /Cannot read the list: it is not UTF-8/);
  });

  it("takes long lists without holding up others, and refuses longer ones", async () => {
    const lines = Array.from(
      { length: 10_000 },
      (_, n) => `/${n % 2 ? "?p=" : "old-page/"}1${n}\n`,
    );
    let turns = 0;
    const counting = setInterval(() => (turns += 1), 1);
    const { status, body } = await check(lines.join(""));
    clearInterval(counting);
    assert.equal(status, 200);
    assert(turns > 20, `others had ${turns} turns`);
    assert.equal(body.kept + body.missing, 10_000);
    const longer = await check(`${lines.join("")}/one-more\n`);
    assert.equal(longer.status, 413);
    assert.match(longer.body.detail, /more than 10000 addresses; split it/);
    const blank = await check(`${"\n".repeat(30_000)}/about\n`);
    assert.equal(blank.status, 413);
  });
});
