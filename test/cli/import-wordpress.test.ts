import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { describe, it } from "node:test";
import { type CommandLine, openCommandLine } from "../support/command-line.ts";
import { importedContent } from "../support/imported-content.ts";
import { ended, listening } from "../support/listening.ts";
import { jpeg, PDF, png } from "../support/media-bytes.ts";
import { type ExportedPost, wordPressExport } from "../support/wordpress-export.ts";

const OLD = "https://old.example.org";
const UPLOADS = `${OLD}/wp-content/uploads`;

const BLOCKS = `<!-- wp:paragraph -->
<p>Read <a href="${OLD}/about/">about us</a>, <a href="/?p=11">the older post</a> and <a href="http://www.old.example.org/category/garden/roses/">roses</a>.<sup data-fn="n-1" class="fn"><a href="#n-1" id="n-1-link">1</a></sup></p>
<!-- /wp:paragraph -->

<!-- wp:image {"id":20} -->
<figure class="wp-block-image"><a href="${UPLOADS}/2019/05/garden.png"><img src="${UPLOADS}/2019/05/garden-300x200.png" alt="The garden"/></a><figcaption>In May</figcaption></figure>
<!-- /wp:image -->

<!-- wp:embed {"url":"https://video.example/1"} -->
<figure class="wp-block-embed"><div class="wp-block-embed__wrapper">
https://video.example/1
</div></figure>
<!-- /wp:embed -->

<!-- wp:block {"ref":30} /-->

<!-- wp:latest-posts {"count":3} /-->

<!-- wp:footnotes /-->`;

const CLASSIC = `First line
second line with [sic] and [contact-form-7 id="5" title="Form"]

[caption id="attachment_20" width="300"]<img src="${UPLOADS}/2019/05/garden-300x200.png" alt="" /> A caption[/caption]

[box color="red"]Boxed <em>words </em>stay[/box] and <code>[box]</code> stays code

[gallery ids="20,21"]

<a href="${UPLOADS}/2019/05/plan.pdf">The plan</a> and <a href="${OLD}/gone/">a page that is gone</a>`;

const POSTS: readonly ExportedPost[] = [
  {
    ...{ id: 10, title: "Spring &amp; <em>summer</em>", link: "/2019/05/spring/", slug: "spring" },
    ...{ content: BLOCKS, excerpt: "What grew.", comments: 2 },
    terms: [
      ["category", "roses", "Roses"],
      ["category", "uncategorized", "Uncategorized"],
    ],
    meta: {
      footnotes: JSON.stringify([{ id: "n-1", content: "A <strong>note</strong>" }]),
      _wp_old_slug: "fruehling",
    },
  },
  { id: 11, title: "Older", link: "/2018/01/older/", slug: "older", content: CLASSIC },
  { id: 12, type: "page", title: "About", link: "/about/", slug: "about", content: "Who we are" },
  { id: 13, type: "page", title: "Search", link: "/search/", slug: "search", content: "Help" },
  {
    ...{ id: 14, title: "Secret draft", status: "draft", slug: "", content: "SECRET-DRAFT" },
    terms: [["post_tag", "hidden-plan", "Hidden plan"]],
  },
  {
    id: 15,
    title: "Inside",
    status: "private",
    link: "/2019/05/inside/",
    content: "SECRET-INSIDE",
  },
  { id: 16, title: "Locked", password: "x", link: "/2019/05/locked/", content: "SECRET-LOCKED" },
  {
    id: 17,
    title: "Later",
    status: "future",
    date: "2999-01-02 03:04:05",
    content: "SECRET-LATER",
  },
  { id: 18, title: "Binned", status: "trash", content: "SECRET-BINNED" },
  { id: 19, type: "nav_menu_item", title: "Menu" },
  { id: 30, type: "wp_block", title: "Reused", content: "<p>Said everywhere.</p>" },
  { id: 32, type: "wp_block", title: "Unused", content: "<p>Said nowhere.</p>" },
  { id: 31, type: "portfolio", title: "A work", content: "Shown" },
  ...["garden.png", "bed.jpg", "plan.pdf", "../../../../outside.png"].map((name, at) => ({
    ...{ id: 20 + at, type: "attachment", status: "inherit", title: name, parent: 10 },
    ...{ link: `/2019/05/spring/file-${at}/`, attachmentUrl: `${UPLOADS}/2019/05/${name}` },
    meta: {
      _wp_attachment_image_alt: `Alt ${at}`,
      [at === 0 ? "_wp_attachment_metadata" : "_other"]: 's:4:"file";s:18:"garden-300x200.png";',
    },
  })),
];

function siteOf(line: CommandLine): string {
  line.file("old/uploads/2019/05/garden.png", png(6, 4));
  line.file("old/uploads/2019/05/bed.jpg", jpeg(6, 4));
  line.file("old/uploads/2019/05/plan.pdf", PDF);
  line.file("outside.png", png(3, 3));
  return line.file("old/society.xml", wordPressExport(POSTS));
}

describe("an import of a WordPress export", () => {
  it("takes in posts, pages, topics, authors and files with their addresses, and nothing twice", async () => {
    using line = openCommandLine();
    const file = siteOf(line);
    const tried = await line.run("import", "--dry-run", file);
    const first = await line.run("import", file);
    assert.equal(first.code, 1, "a portfolio is left out");
    assert.match(first.out, /^11 created, 1 updated, 0 unchanged, 0 failed$/m);
    for (const said of [
      /Left out: 1 nav_menu_item: menu entries/,
      /Left out: 1 post: in the bin/,
      /Left out: 1 reusable blocks: their texts are put in place$/m,
      /Left out: 1 reusable blocks: no imported text uses them, so that their texts are nowhere$/m,
      /Left out: 1 portfolio: no type here .*such as portfolio=page/,
      /Left out: 2 comments/,
    ]) {
      assert.match(first.out, said);
    }
    assert.equal(tried.out.replace("Would import: ", ""), first.out);
    assert.equal(
      tried.err.replace(/^Reading.*\n?/gm, "").trim(),
      first.err.replace(/^Reading.*\n?/gm, "").trim(),
    );
    const { items, redirects } = await importedContent(line);
    const spring = items.get("/news/spring");
    const garden = /\/media\/[\w-]+\.png/.exec(spring?.body ?? "")?.[0];
    assert.equal(spring?.title, "Spring & summer");
    assert.equal(spring?.summary, "What grew.");
    assert.equal(spring?.fields["date"], "2019-05-04");
    assert.deepEqual(
      Object.values(spring?.relations ?? {}).map((links) => links.length),
      [1, 1],
    );
    assert.equal(
      spring?.body.trim(),
      `Read [about us](/about), [the older post](/news/older) and [roses](/topics/roses).[^n-1]

![The garden](${garden} "In May")

<https://video.example/1>

Said everywhere.

[^n-1]: A **note**`,
    );
    const older = items.get("/news/older")?.body ?? "";
    assert.match(older, /^First line\\\nsecond line with \\\[sic\\?\] and\n/);
    assert.match(older, /^!\[\]\([^)]+ "A caption"\)$/m);
    assert.match(older, /Boxed \*words\* stay and `\[box\]` stays code/);
    assert.match(
      older,
      /\[The plan\]\(\/media\/[\w-]+\.pdf\) and \[a page that is gone\]\(\/gone\)/,
    );
    assert.match(first.err, /"\/news\/older": \[contact-form-7\] shows something/);
    assert.match(first.err, /"\/news\/spring": the block latest-posts shows something/);
    assert.match(first.err, /the link "https:\/\/old\.example\.org\/gone\/" leads to nothing/);
    assert.equal(items.get("/authors/ada-byron")?.fields["sort_name"], "Byron, Ada");
    assert.equal(items.get("/search-page")?.title, "Search");
    for (const [from, to] of [
      ["/2019/05/spring", "/news/spring"],
      ["/2019/05/spring/feed", "/news/spring"],
      ["/2019/05/fruehling", "/news/spring"],
      ["/?p=10", "/news/spring"],
      ["/?page_id=12", "/about"],
      ["/category/garden/roses/*", "/topics/roses"],
      ["/?cat=2", "/topics/garden"],
      ["/author/ada/*", "/authors/ada-byron"],
      ["/2019/05", "/news"],
      ["/feed", "/feed.atom"],
      ["/?feed=rss2", "/feed.atom"],
      ["/wp-content/uploads/2019/05/garden.png", garden],
      ["/wp-content/uploads/2019/05/garden-300x200.png", garden],
      ["/2019/05/spring/file-0", garden],
    ] as const) {
      assert.equal(redirects.get(from), to, from);
    }
    const again = await line.run("import", file);
    assert.match(again.out, /^0 created, 0 updated, 12 unchanged, 0 failed$/m);
    assert.match(again.out, /^Redirects: 0 created/m);
  });

  it("keeps formulas, drawings with words and embedded pages, and reports what it cannot show", async () => {
    using line = openCommandLine();
    const content = `<p>So <math><mi>a</mi><mo>=</mo><mn>2</mn></math>.</p>
<iframe src="https://maps.example/x"></iframe>
<iframe srcdoc="x"></iframe>
<svg><text>North</text></svg>
[gallery ids="9,20,10"]`;
    const posts = [
      ...POSTS.filter(({ id }) => id === 20),
      { id: 30, title: "Sums", link: "/sums/", slug: "sums", content },
    ];
    line.file("old/uploads/2019/05/garden.png", png(6, 4));
    const { err } = await line.run("import", line.file("old/sums.xml", wordPressExport(posts)));
    const { items } = await importedContent(line);
    const { body = "" } = items.get("/news/sums") ?? {};
    assert.match(
      body,
      /^So a = 2\.\n\n<https:\/\/maps\.example\/x>\n\nNorth\n\n!\[[^\]]*\]\([^)]+\)\n$/,
    );
    assert.match(err, /"\/news\/sums": iframe shows something that the former site made/);
    assert.match(
      err,
      /"\/news\/sums": a gallery or playlist shows files that the export does not have; they are left out: 2 \(ids 9, 10\)/,
    );
  });

  it("makes nothing public that was not", async () => {
    using line = openCommandLine();
    const file = siteOf(line);
    const { err } = await line.run("import", "--publish", "--as", "portfolio=page", file);
    const { items } = await importedContent(line);
    const statuses = [...items.values()].map(({ body, status }) => [
      /SECRET-\w+/.exec(body)?.[0],
      status,
    ]);
    assert.deepEqual(statuses.filter(([secret]) => secret !== undefined).sort(), [
      ["SECRET-DRAFT", "draft"],
      ["SECRET-INSIDE", "draft"],
      ["SECRET-LATER", "scheduled"],
      ["SECRET-LOCKED", "draft"],
    ]);
    assert.equal(items.get("/topics/hidden-plan")?.status, "draft");
    assert.equal(items.get("/portfolio")?.status ?? items.get("/a-work")?.status, "published");
    assert.match(err, /it is kept as a draft: it was protected by a password/);
    assert(![...items.values()].some((item) => JSON.stringify(item).includes("private.example")));
    const drafts = await line.run("import", "--draft", "--as", "portfolio=page", file);
    assert.equal(drafts.code, 1, "a file is missing");
    const after = await importedContent(line);
    const open = [...after.items.values()].filter(
      ({ status, sourceKey }) => status !== "draft" && /\/\d+$/.test(sourceKey ?? ""),
    );
    assert.deepEqual(open, []);
  });

  it("fetches files into the folder once, and leaves what is refused, slow to come or no file", async () => {
    const asked: string[] = [];
    const server = createServer((request, response) => {
      asked.push(request.url ?? "");
      if (request.url === "/wp-content/uploads/good.png") {
        if (asked.length === 1) response.writeHead(503, { "Retry-After": "0" }).end();
        else response.end(png(5, 5));
      } else if (request.url === "/wp-content/uploads/moved.png") {
        response.writeHead(302, { Location: "http://10.0.0.1/inner.png" }).end();
      } else if (request.url === "/wp-content/uploads/page.png") {
        response.writeHead(200, { "Content-Type": "text/html" }).end("<p>Not found");
      } else response.writeHead(404).end();
    });
    const port = await listening(server);
    using line = openCommandLine({ WEBHOOK_PRIVATE_NETWORKS: "1" });
    const host = `http://127.0.0.1:${port}/wp-content/uploads`;
    const names = ["good.png", "page.png", "gone.png"];
    const posts: ExportedPost[] = [
      {
        ...{ id: 1, title: "One", link: "/one/" },
        content: names.map((name) => `<img src="${host}/${name}">`).join(""),
      },
      ...names.map((name, at) => ({
        ...{ id: 2 + at, type: "attachment", status: "inherit", title: name },
        attachmentUrl: `${host}/${name}`,
      })),
    ];
    const file = line.file("export.xml", wordPressExport(posts));
    const media = join(line.folder, "fetched");
    const words = ["import", file, "--as", "post=page", "--media", media, "--fetch"];
    const tried = await line.run(...words, "--dry-run");
    assert.match(tried.out, /3 files: a run fetches them/);
    assert.deepEqual([asked, existsSync(media)], [[], false]);
    const { err } = await line.run(...words);
    assert.match(err, /gone\.png" is not imported: The host answers 404/);
    assert.match(err, /page\.png" is not imported: The host answers with a page/);
    assert(existsSync(join(media, "good.png")));
    const before = asked.filter((url) => url.includes("good")).length;
    await line.run(...words);
    assert.deepEqual([before, asked.filter((url) => url.includes("good")).length], [2, 2]);
    await ended(server);
    using guarded = openCommandLine();
    const refused = await guarded.run(...words.with(1, file).with(5, join(line.folder, "other")));
    assert.match(refused.err, /is not imported: It leads into a private network/);
    const without = await guarded.run("import", file, "--fetch");
    assert.match(without.err, /Name the folder that keeps what is fetched/);
  });

  it("follows redirects of files to their end, and no further than the guard allows", async () => {
    const folder = "/wp-content/uploads";
    const leads = new Map([
      [`${folder}/loop.png`, `${folder}/loop.png`],
      [`${folder}/inner.png`, "http://127.0.0.1:1/inner.png"],
      [`${folder}/secret.png`, "file:///etc/hostname"],
      [`${folder}/chain.png`, "chain-1"],
      [`${folder}/chain-1`, "chain-2"],
      [`${folder}/long.png`, "long-1"],
      ...[1, 2, 3, 4, 5, 6].map((hop) => [`${folder}/long-${hop}`, `long-${hop + 1}`] as const),
    ]);
    const server = createServer(({ url = "" }, response) => {
      const to = leads.get(url);
      if (to === undefined) response.end(png(6, 6));
      else response.writeHead(302, { Location: to }).end();
    });
    const port = await listening(server);
    using line = openCommandLine({ WEBHOOK_PRIVATE_NETWORKS: "1" });
    const host = `http://127.0.0.1:${port}/wp-content/uploads`;
    const names = ["chain.png", "long.png", "loop.png", "inner.png", "secret.png"];
    const posts: ExportedPost[] = names.map((name, at) => ({
      ...{ id: 2 + at, type: "attachment", status: "inherit", title: name },
      attachmentUrl: `${host}/${name}`,
    }));
    const content = names.map((name) => `<img src="${host}/${name}">`).join("");
    const page = { id: 1, type: "page", title: "One", link: "/one/", content };
    const file = line.file("export.xml", wordPressExport([page, ...posts]));
    const media = join(line.folder, "fetched");
    const { err } = await line.run("import", file, "--media", media, "--fetch");
    await ended(server);
    assert(existsSync(join(media, "chain.png")), err);
    assert.match(err, /long\.png" is not imported: It redirects more than 5 times/);
    assert.match(err, /loop\.png" is not imported: It redirects more than 5 times/);
    assert.match(err, /inner\.png" is not imported: /);
    assert.match(err, /secret\.png" is not imported: /);
    assert.deepEqual(readdirSync(media), ["chain.png"]);
  });

  it("takes in no file through a symbolic link", async () => {
    using line = openCommandLine();
    const secret = line.file("outside/secret.png", png(7, 7));
    const media = join(line.folder, "media");
    mkdirSync(join(media, "2019"), { recursive: true });
    symlinkSync(secret, join(media, "2019/linked.png"));
    symlinkSync(join(line.folder, "outside"), join(media, "2020"));
    const links = ["2019/linked.png", "2020/secret.png"].map((name) => `${UPLOADS}/${name}`);
    const content = links.map((link) => `<img src="${link}">`).join("");
    const page = { id: 1, type: "page", title: "One", link: "/one/", content };
    const files = links.map((attachmentUrl, at) => ({
      ...{ id: 2 + at, type: "attachment", status: "inherit", title: `File ${at}`, attachmentUrl },
    }));
    const file = line.file("export.xml", wordPressExport([page, ...files]));
    const { code, err, out } = await line.run("import", file, "--media", media);
    assert.equal(code, 1);
    assert.match(err, /2 files, as ".*linked\.png", are missing/);
    assert.match(
      out,
      /Left out: 2 files: they are missing: put the folder that has them, such as uploads, beside the export/,
    );
  });

  it("refuses what is no whole export, and expands no entities", async () => {
    using line = openCommandLine();
    const whole = wordPressExport(POSTS);
    const cut = line.file("cut.xml", whole.slice(0, -400));
    const deep = line.file("deep.xml", whole.replace("<item>", `<item>${"<x>".repeat(100_000)}`));
    const endless = line.file("long.xml", `${whole.slice(0, 900)}<![CDATA[${"x".repeat(2 ** 25)}`);
    for (const [file, reason] of [
      [cut, /ends in the middle; export it again \(near line \d+\)/],
      [deep, /nests too deep/],
      [endless, /has a section without an end/],
    ] as const) {
      const { code, err } = await line.run("import", "--dry-run", file);
      assert.equal(code, 2);
      assert.match(err, reason);
    }
    const bomb = whole
      .replace("<rss", '<!DOCTYPE rss [<!ENTITY a "boom"><!ENTITY b "&a;&a;">]><rss')
      .replace("<![CDATA[About]]>", "About &b;");
    const { code, err } = await line.run(
      "import",
      "--dry-run",
      "--as",
      "portfolio=page",
      line.file("bomb.xml", bomb),
    );
    assert.equal(code, 1, "its files are missing");
    assert.doesNotMatch(err, /boom/);
    const { code: wrong, err: said } = await line.run("import", "--as", "post=nothing", cut);
    assert.equal(wrong, 2, said);
  });
});
