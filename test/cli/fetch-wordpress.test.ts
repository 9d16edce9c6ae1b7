import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { describe, it } from "node:test";
import { openStore } from "../../src/app/store.ts";
import { readConfig } from "../../src/config.ts";
import { type CommandLine, openCommandLine } from "../support/command-line.ts";
import { ended, listening } from "../support/listening.ts";
import { redirectsOf } from "../support/redirects-of.ts";

/** Lists by route, such as `wp/v2/posts`; a number is a status without a list. */
type RestSite = Record<string, readonly object[] | object | number>;

interface WordPress extends AsyncDisposable {
  origin: string;
  asked: string[];
}

/** A site that answers as WordPress does. `plain`: with plain permalinks, so that a parameter names the route. */
async function openWordPress(
  site: (origin: string) => RestSite,
  { plain = false, robots = "", head = "" } = {},
): Promise<WordPress> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const address = request.url ?? "";
    asked.push(address);
    const { status, type, body } = answerOf(new URL(address, origin), {
      ...{ plain, robots, head },
      site: { "": { name: "Society", home: origin }, ...site(origin) },
    });
    response.writeHead(status, { "Content-Type": type }).end(body);
  });
  const origin = `http://127.0.0.1:${await listening(server)}`;
  return {
    origin,
    asked,
    [Symbol.asyncDispose]: () => ended(server),
  };
}

interface Answer {
  status: number;
  type: string;
  body: string | Buffer;
}

function answerOf(
  { origin, pathname, searchParams }: URL,
  { site, plain, robots, head }: { site: RestSite; plain: boolean; robots: string; head: string },
): Answer {
  const ok = { status: 200, type: "text/html" };
  if (pathname === "/robots.txt") return { ...ok, body: robots };
  if (pathname === "/uploads/rose.png") return { ...ok, type: "image/png", body: PICTURE };
  const named = plain ? searchParams.get("rest_route") : null;
  const route = named ?? /^\/wp-json(\/.*)/.exec(pathname)?.[1];
  if (route === undefined) {
    const root = plain ? "/?rest_route=/" : "/wp-json/";
    const link = `<link rel="https://api.w.org/" href="${origin}${root}">`;
    return { ...ok, body: `<!doctype html><html lang="en-GB"><head>${head || link}</head></html>` };
  }
  return restAnswer(site[route.slice(1)] ?? 404, searchParams);
}

function restAnswer(found: RestSite[string], parameters: URLSearchParams): Answer {
  const type = "application/json; charset=UTF-8";
  if (typeof found === "number") return { status: found, type, body: "{}" };
  if (!Array.isArray(found)) return { status: 200, type, body: JSON.stringify(found) };
  const [page, size] = [Number(parameters.get("page")), Number(parameters.get("per_page"))];
  const isBeyond = page > Math.max(1, Math.ceil(found.length / size));
  if (isBeyond) return { status: 400, type, body: '{"code":"rest_post_invalid_page_number"}' };
  return { status: 200, type, body: JSON.stringify(found.slice((page - 1) * size, page * size)) };
}

const PICTURE = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

function rendered(text: string): { rendered: string } {
  return { rendered: text };
}

function society(origin: string): RestSite {
  const post = { author: 7, categories: [3], tags: [4], featured_media: 0, parent: 0 };
  return {
    "wp/v2/types": {
      post: { slug: "post", rest_base: "posts", rest_namespace: "wp/v2" },
      page: { slug: "page", rest_base: "pages", rest_namespace: "wp/v2" },
      attachment: { slug: "attachment", rest_base: "media", rest_namespace: "wp/v2" },
      wp_block: { slug: "wp_block", rest_base: "blocks", rest_namespace: "wp/v2" },
    },
    "wp/v2/users": [{ id: 7, slug: "ada", name: "Ada Byron" }],
    "wp/v2/categories": [
      { id: 2, slug: "garden", name: "Garden &amp; land", description: "What grows.", parent: 0 },
      { id: 3, slug: "roses", name: "Roses", parent: 2 },
    ],
    "wp/v2/tags": [{ id: 4, slug: "summer", name: "Summer" }],
    "wp/v2/posts": [
      {
        ...post,
        ...{ id: 11, slug: "first-rose", link: `${origin}/2019/05/first-rose/` },
        ...{ date: "2019-05-04T12:00:00", date_gmt: "2019-05-04T10:00:00" },
        title: rendered("The first rose &#8211; a note"),
        content: rendered(
          `<p>It opened, as one says [sic],<br />\non a <em>Monday</em>.</p>\n<p>See <a href="${origin}/about/">us</a>.</p>\n<figure class="wp-block-image"><img src="${origin}/uploads/rose-300x200.png" alt="A rose" class="wp-image-31"/></figure>`,
        ),
        excerpt: rendered("<p>It opened, as one says [sic], on a Monday. See us. [&hellip;]</p>\n"),
      },
      {
        ...post,
        ...{ id: 12, slug: "second", link: `${origin}/2020/01/second/` },
        ...{ date: "2020-01-02T00:30:00", date_gmt: "2020-01-01T23:30:00" },
        title: rendered("The second"),
        content: { rendered: "<p>Hard\nwrapped.</p>", protected: false },
        excerpt: rendered("<p>Told by hand.</p>"),
      },
      {
        ...post,
        ...{ id: 13, slug: "locked", link: `${origin}/2020/02/locked/` },
        ...{ date: "2020-02-02T00:00:00", date_gmt: "2020-02-02T00:00:00" },
        title: rendered("Protected: The plan"),
        content: { rendered: "", protected: true },
        excerpt: { rendered: "", protected: true },
      },
    ],
    "wp/v2/pages": [
      {
        ...{ id: 21, slug: "about", link: `${origin}/about/`, author: 7, parent: 0 },
        ...{ date: "2018-01-01T00:00:00", date_gmt: "2018-01-01T00:00:00" },
        title: rendered("About"),
        content: rendered(`<p>We are <a href="${origin}/2019/05/first-rose/">here</a>.</p>`),
      },
    ],
    "wp/v2/media": [
      {
        ...{ id: 31, slug: "rose", link: `${origin}/rose/`, author: 7, post: 11 },
        ...{
          title: rendered("rose"),
          alt_text: "A rose",
          source_url: `${origin}/uploads/rose.png`,
        },
        media_details: { sizes: { medium: { file: "rose-300x200.png" } } },
      },
      {
        ...{ id: 32, slug: "plan", link: `${origin}/plan/`, author: 7, post: null },
        ...{ title: rendered("plan"), source_url: `${origin}/uploads/rose.png`, media_details: {} },
      },
    ],
  };
}

function importFlags(line: CommandLine): string[] {
  return ["--publish", "--media", join(line.folder, "uploads"), "--fetch"];
}

function openLine(): CommandLine {
  return openCommandLine({ WEBHOOK_PRIVATE_NETWORKS: "true" });
}

async function fetched(line: CommandLine, address: string) {
  const folder = join(line.folder, "copy");
  const result = await line.run("fetch", address, folder, "--wordpress", "--pause", "0");
  return { ...result, folder, file: join(folder, "wordpress.xml") };
}

describe("copying a WordPress site by its interface", () => {
  for (const plain of [false, true]) {
    it(`brings texts, dates, topics, authors, pictures and addresses${plain ? ", with plain permalinks" : ""}`, async () => {
      await using site = await openWordPress(society, { plain });
      using line = openLine();
      const { code, out, err, file } = await fetched(line, site.origin);
      assert.equal(code, 0, out + err);
      assert.match(out, /^3 × post, 1 × page, 2 files, 3 categories and tags, 1 authors in /m);
      const imported = await line.run("import", file, ...importFlags(line));
      assert.match(imported.out, /7 created, 1 updated, 0 unchanged, 0 failed/, imported.err);
      await using record = await openStore(readConfig(line.environment));
      const rose = await record.content.itemAt("/news/first-rose");
      assert.equal(rose?.title, "The first rose – a note");
      assert.equal(rose?.fields["date"], "2019-05-04");
      assert.equal(rose?.summary, "");
      assert.match(
        rose?.body ?? "",
        /^It opened, as one says \\?\[sic\\?\],\\\non a \*Monday\*\.\n\nSee \[us\]\(\/about\)\.\n\n!\[A rose\]\(\/media\//,
      );
      const second = await record.content.itemAt("/news/second");
      assert.equal(second?.summary, "Told by hand.");
      assert.equal(second?.body.trim().replace(/\s+/g, " "), "Hard wrapped.");
      assert.equal((await record.content.itemAt("/news/locked"))?.status, "draft");
      assert.equal((await record.content.itemAt("/topics/garden"))?.title, "Garden & land");
      assert.equal((await record.content.itemAt("/authors/ada-byron"))?.title, "Ada Byron");
      assert.match(
        (await record.content.itemAt("/about"))?.body ?? "",
        /\[here\]\(\/news\/first-rose\)/,
      );
      const redirects = await redirectsOf(line);
      assert.equal(redirects["/2019/05/first-rose"], "/news/first-rose");
      assert.match(redirects["/uploads/rose.png"] ?? "", /^\/media\//);
      const again = await line.run("import", file, ...importFlags(line));
      assert.match(again.out, /0 created, 0 updated, 8 unchanged, 0 failed/, again.err);
    });
  }

  it("reads lists of any length once, and asks for nothing twice", async () => {
    const many = (count: number) =>
      Array.from({ length: count }, (_, at) => ({
        ...{ id: at + 1, slug: `post-${at}`, title: rendered(`Post ${at}`) },
        content: rendered("<p>Text.</p>"),
      }));
    await using site = await openWordPress((origin) => ({
      ...society(origin),
      "wp/v2/posts": many(120),
      "wp/v2/pages": many(50),
      "wp/v2/media": [],
    }));
    using line = openLine();
    const { code, out } = await fetched(line, site.origin);
    assert.equal(code, 0, out);
    assert.match(out, /^120 × post, 50 × page/m);
    assert.equal(new Set(site.asked).size, site.asked.length);
    assert.equal(site.asked.filter((path) => path.includes("/posts?")).length, 3);
  });

  it("says what it did not get, and keeps the rest", async () => {
    await using site = await openWordPress((origin) => ({
      ...society(origin),
      "wp/v2/users": 401,
      "wp/v2/media": [{ id: "none" }],
    }));
    using line = openLine();
    const { code, out, file } = await fetched(line, site.origin);
    assert.equal(code, 1);
    assert.match(out, /^Not copied: \S+\/users\S*\. The host answers 401$/m);
    assert.match(out, /^Not copied: \S+\/media\S*\. The answer is not as WordPress writes it$/m);
    assert.match(out, /^3 × post, 1 × page, 0 files, 3 categories and tags, 0 authors in /m);
    assert.match(readFileSync(file, "utf8"), /<wp:post_name>first-rose<\/wp:post_name>/);
  });

  it("refuses a site without the interface, one that forbids it, and a folder with pages; leaves nothing", async () => {
    await using plainSite = await openWordPress(society, { head: "<title>Site</title>" });
    await using forbidding = await openWordPress(society, {
      robots: "User-agent: *\nDisallow: /wp-json/\n",
    });
    await using elsewhere = await openWordPress(society, {
      head: '<link rel="https://api.w.org/" href="http://10.0.0.7/wp-json/">',
    });
    using line = openLine();
    for (const [{ origin }, message] of [
      [plainSite, /does not name the REST interface of WordPress/],
      [forbidding, /robots\.txt forbids/],
      [elsewhere, /does not name the REST interface/],
    ] as const) {
      const { code, err, file, folder } = await fetched(line, origin);
      assert.equal(code, 2);
      assert.match(err, message);
      assert.ok(!existsSync(file) && !existsSync(join(folder, ".fetched.part")));
    }
    mkdirSync(join(line.folder, "copy"), { recursive: true });
    writeFileSync(join(line.folder, "copy/.fetched.jsonl"), "");
    assert.match((await fetched(line, plainSite.origin)).err, /name another folder/);
  });

  it("is suggested by a copy of the pages", async () => {
    await using site = await openWordPress(society);
    using line = openLine();
    const { out } = await line.run("fetch", site.origin, join(line.folder, "x"), "--pause", "0");
    assert.match(out, /^This is a WordPress site: with --wordpress/m);
  });
});
