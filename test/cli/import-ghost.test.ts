import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { openCommandLine } from "../support/command-line.ts";
import { importedContent } from "../support/imported-content.ts";
import { PDF, png } from "../support/media-bytes.ts";

const CARDS = `<p>Read <a href="__GHOST_URL__/older/">the older post</a> [sic] and <a href="__GHOST_URL__">home</a></p>
<figure class="kg-card kg-image-card"><img src="__GHOST_URL__/content/images/size/w600/2023/05/garden.png" class="kg-image" alt="The garden"><figcaption>In May</figcaption></figure>
<figure class="kg-card kg-bookmark-card"><a class="kg-bookmark-container" href="https://example.com/x"><div class="kg-bookmark-content"><div class="kg-bookmark-title">A bookmark</div><div class="kg-bookmark-metadata"><img class="kg-bookmark-icon" src="https://example.com/icon.png"></div></div><div class="kg-bookmark-thumbnail"><img src="https://example.com/thumbnail.png"></div></a></figure>
<div class="kg-card kg-toggle-card"><div class="kg-toggle-heading"><h4>More?</h4><button class="kg-toggle-card-icon"><svg></svg></button></div><div class="kg-toggle-content"><p>Much more</p></div></div>
<div class="kg-card kg-audio-card"><div class="kg-audio-thumbnail placeholder"><svg></svg></div><div class="kg-audio-player-container"><audio src="__GHOST_URL__/content/media/talk.mp3"></audio><div class="kg-audio-player"><span>0:00</span></div></div></div>
<div class="kg-card kg-file-card"><a href="__GHOST_URL__/content/files/plan.pdf"><div class="kg-file-card-title">The plan</div><div class="kg-file-card-icon"><svg></svg></div></a></div>`;

/** Longer than what is read at once, with marks that must not end a text or a row. */
const LONG = Array.from({ length: 6_000 }, (_, number) => `"${number}\\"{[]}`).join(" ");

function post(id: string, slug: string, more: object = {}): object {
  return {
    ...{ id, slug, title: `Post ${slug}`, html: `<p>Text of ${slug}</p>`, type: "post" },
    ...{ status: "published", visibility: "public", published_at: "2023-05-02T10:00:00.000Z" },
    ...more,
  };
}

const DATA = {
  posts: [
    post("63a1", "spring", {
      ...{ title: "Spring & <summer>", html: CARDS, custom_excerpt: "What grew." },
      feature_image: "__GHOST_URL__/content/images/lead.png",
    }),
    post("63a2", "older"),
    post("63a3", "members", { visibility: "members", html: "<p>SECRET-MEMBERS</p>" }),
    post("63a4", "mailed", { status: "sent", html: "<p>SECRET-MAILED</p>" }),
    post("63a5", "draft", { status: "draft", published_at: null, html: "<p>SECRET-DRAFT</p>" }),
    post("63a6", "later", { status: "scheduled", published_at: "2999-01-01T00:00:00.000Z" }),
    post("63a7", "who-we-are", { type: "page" }),
    post("63a8", "plain", { html: null, plaintext: "One\n\nTwo <b>" }),
    post("63a9", "long", { html: `<p>${LONG}</p>` }),
  ],
  posts_authors: [
    { post_id: "63a1", author_id: "2", sort_order: 1 },
    { post_id: "63a1", author_id: "1", sort_order: 0 },
  ],
  posts_meta: [{ post_id: "63a1", feature_image_alt: "Lead" }],
  posts_tags: [
    { post_id: "63a1", tag_id: "t1", sort_order: 0 },
    { post_id: "63a1", tag_id: "t2", sort_order: 1 },
  ],
  settings: [{ key: "locale", value: "en" }],
  tags: [
    { id: "t1", name: "Roses & more", slug: "roses", visibility: "public" },
    { id: "t2", name: "#wide", slug: "hash-wide", visibility: "internal" },
  ],
  users: [
    { id: "1", name: "Ana Gil", slug: "ana", email: "SECRET@example.org" },
    { id: "2", name: "Ben", slug: "ben", email: "SECRET@example.org" },
  ],
};

function exported(data: object): string {
  return JSON.stringify({ db: [{ meta: { exported_on: 1, version: "5.80.0" }, data }] });
}

describe("an import of a Ghost export", () => {
  it("takes in posts, pages, tags, authors and files with their addresses, and nothing twice", async () => {
    using line = openCommandLine();
    line.file("old/content/images/2023/05/garden.png", png(6, 4));
    line.file("old/content/images/lead.png", png(5, 4));
    line.file("old/content/files/plan.pdf", PDF);
    const file = line.file("old/society.ghost.json", exported(DATA));
    const tried = await line.run("import", "--dry-run", file);
    const first = await line.run("import", file);
    assert.match(first.out, /^12 created, 0 updated, 0 unchanged, 0 failed$/m);
    assert.match(first.out, /Left out: 1 files: they are missing/);
    assert.equal(tried.out.replace("Would import: ", ""), first.out);
    for (const kept of ["members.*private", "mailed.*sent", "draft.*was a draft"]) {
      assert.match(first.err, new RegExp(`/news/${kept}`));
    }
    const { items, redirects } = await importedContent(line);
    const spring = items.get("/news/spring");
    assert.equal(spring?.title, "Spring & <summer>");
    assert.equal(spring?.summary, "What grew.");
    assert.equal(spring?.fields["date"], "2023-05-02");
    const pictures = [...(spring?.body ?? "").matchAll(/\/media\/[\w-]+\.png/g)].map(String);
    const [plan = ""] = /\/media\/[\w-]+\.pdf/.exec(spring?.body ?? "") ?? [];
    assert.equal(
      spring?.body.trim(),
      `![Lead](${pictures[0]})

Read [the older post](/news/older) \\[sic] and [home](/)

![The garden](${pictures[1]} "In May")

[A bookmark](https://example.com/x)

#### More?

Much more

[talk.mp3](/content/media/talk.mp3)

[The plan](${plan})`,
    );
    const titles = (relation: string) =>
      (spring?.relations[relation] ?? []).map(
        ({ to }) => [...items.values()].find(({ id }) => id === to)?.title,
      );
    assert.deepEqual(titles("authors"), ["Ana Gil", "Ben"]);
    assert.deepEqual(titles("topics"), ["Roses & more"]);
    assert.equal(items.get("/who-we-are")?.status, "published");
    assert.equal(items.get("/news/later")?.status, "scheduled");
    assert.equal(items.get("/news/plain")?.body.trim(), "One\n\nTwo \\<b>");
    assert.equal(
      items.get("/news/long")?.body.replaceAll("\\", "").trim(),
      LONG.replaceAll("\\", ""),
    );
    for (const item of items.values()) {
      assert(!JSON.stringify(item).includes("ghost.invalid"), item.path);
      assert(item.status !== "published" || !JSON.stringify(item).includes("SECRET"), item.path);
    }
    for (const [from, to] of [
      ["/spring", "/news/spring"],
      ["/tag/roses/*", "/topics/roses"],
      ["/author/ana/*", "/authors/ana-gil"],
      ["/content/images/2023/05/garden.png", pictures[1]],
      ["/content/files/plan.pdf", plan],
      ["/rss", "/feed.atom"],
    ] as const) {
      assert.equal(redirects.get(from), to ?? "", from);
    }
    assert(![...redirects.keys()].some((from) => /members|mailed|draft|\?/.test(from)));
    const again = await line.run("import", file);
    assert.match(again.out, /^0 created, 0 updated, 12 unchanged, 0 failed$/m);
  });

  it("reads exports of early versions", async () => {
    using line = openCommandLine();
    const time = Date.parse("2015-03-04T05:06:07Z");
    const early = {
      meta: { exported_on: time, version: "003" },
      data: {
        settings: [{ key: "permalinks", value: "/:year/:month/:slug/" }],
        users: [{ id: 1, name: "Ana", slug: "ana" }],
        posts: [
          {
            id: 1,
            title: "One",
            slug: "one",
            html: "<p>1</p>",
            page: 0,
            status: "published",
            author_id: 1,
            published_at: time,
          },
          {
            id: 2,
            title: "Two",
            slug: "two",
            html: "<p>2</p>",
            page: 1,
            status: "published",
            author_id: 1,
            published_at: time,
          },
        ],
      },
    };
    const { out } = await line.run(
      "import",
      line.file("early.json", JSON.stringify(early, null, 2)),
    );
    assert.match(out, /^3 created, 0 updated/m);
    const { items, redirects } = await importedContent(line);
    assert.equal(items.get("/news/one")?.fields["date"], "2015-03-04");
    assert.equal(items.get("/two")?.title, "Two");
    assert.equal(redirects.get("/2015/03/one"), "/news/one");
  });

  it("refuses what is damaged or hostile, and counts a post that is too long", async () => {
    using line = openCommandLine();
    const whole = exported(DATA);
    for (const [name, text, reason] of [
      ["half", whole.slice(0, -400), /ends in the middle/],
      ["cut", whole.slice(0, 3000), /ends in the middle/],
      ["row", whole.replace('"slug":"older"', '"slug":older'), /not valid JSON/],
      ["mixed", whole.replace('],"posts_authors"', '},"posts_authors"'), /not valid JSON/],
      ["deep", whole.replace('"html":', `"deep":${"[".repeat(100_000)},"html":`), /too deep/],
    ] as const) {
      const { code, err } = await line.run("import", line.file(`${name}.json`, text));
      assert.equal(code, 2, name);
      assert.match(err, reason, name);
      assert.equal((await importedContent(line)).items.has("/news/spring"), false, name);
    }
    const posts = [post("1", "short"), post("2", "endless", { html: "x".repeat(9_000_000) })];
    const { code, out, err } = await line.run("import", line.file("big.json", exported({ posts })));
    assert.equal(code, 1);
    assert.match(out, /^1 created, 0 updated, 0 unchanged, 1 failed$/m);
    assert.match(err, /longer than 2 MiB/);
  });
});
