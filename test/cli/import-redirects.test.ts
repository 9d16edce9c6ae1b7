import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { describe, it } from "node:test";
import { openRecordForCommand } from "../../src/app/store.ts";
import { readConfig } from "../../src/config.ts";
import { openApiClient } from "../support/api-client.ts";
import { openCommandLine } from "../support/command-line.ts";
import { ended, listening } from "../support/listening.ts";
import { png } from "../support/media-bytes.ts";
import { redirectsOf } from "../support/redirects-of.ts";
import { serve } from "../support/served.ts";

describe("addresses of a former site in an import", () => {
  it("lead to the item that states them, under the names other generators use", async () => {
    using line = openCommandLine();
    const folder = line.file(
      "site/jekyll.md",
      "---\ntitle: A\nredirect_from:\n  - /2019/a.html\n  - /old/a/\nstatus: published\n---\nText\n",
    );
    line.file("site/single.md", "---\ntitle: B\nredirect_from: /2019/b.html\n---\nText\n");
    line.file("site/hugo.md", "---\ntitle: C\naliases: [/posts/c]\n---\nText\n");
    line.file("site/seneca.md", "---\ntype: author\ntitle: Seneca\naliases: [The Younger]\n---\n");
    const site = folder.replace(/\/jekyll\.md$/, "");
    const first = await line.run("import", site);
    assert.equal(first.code, 0, first.err);
    const expected = {
      "/2019/a.html": "/jekyll",
      "/old/a": "/jekyll",
      "/2019/b.html": "/single",
      "/posts/c": "/hugo",
      // What Jekyll called the files, unless its settings say otherwise.
      "/jekyll.html": "/jekyll",
      "/single.html": "/single",
      "/hugo.html": "/hugo",
      "/seneca": "/authors/seneca",
      "/seneca.html": "/authors/seneca",
    };
    assert.deepEqual(await redirectsOf(line), expected);
    const again = await line.run("import", site);
    assert.match(again.out, /^0 created, 0 updated, 4 unchanged, 0 failed/m);
    assert.deepEqual(await redirectsOf(line), expected);
  });

  it("of files that only drafts show lead nowhere, since that would make the files public", async () => {
    using line = openCommandLine();
    const folder = line.file("site/open.md", "---\nlayout: page\n---\n# Open\n\n![](open.png)\n");
    line.file("site/open.png", png(2, 2));
    const draft = "layout: page\npublished: false\n---\n# Pay\n\n![](slip.png)\n";
    line.file("site/pay.md", `---\n${draft}`);
    line.file("site/slip.png", png(3, 3));
    const site = folder.replace(/\/open\.md$/, "");
    const dryRun = await line.run("import", site, "--publish", "--dry-run");
    const run = await line.run("import", site, "--publish");
    for (const { out } of [dryRun, run]) assert.match(out, /^Redirects: 1 created/m);
    const redirects = Object.keys(await redirectsOf(line));
    assert(redirects.includes("/open.png"));
    assert(!redirects.includes("/slip.png"));
    line.file("site/pay.md", `---\n${draft.replace("published: false\n", "")}`);
    await line.run("import", site, "--publish");
    assert(Object.keys(await redirectsOf(line)).includes("/slip.png"));
  });

  it("of Jekyll's pages and of files that texts show lead on, as a dry run says", async () => {
    using line = openCommandLine();
    const page = "---\nlayout: page\n";
    const about = line.file(
      "site/club/about.md",
      `${page}redirect_from: [who/us, ../them]\n---\n# About\n\n![](plan.png) [Rules](/files/our%20rules.pdf)\n`,
    );
    line.file("site/club/about.es.md", `${page}---\n# Sobre\n`);
    line.file("site/club/plan.png", png(2, 2));
    line.file("site/club/unused.png", png(2, 2));
    line.file("site/files/our rules.pdf", "%PDF-1.4\n%%EOF\n");
    line.file("site/_hidden/plan.png", png(2, 2));
    line.file("site/_people/ann.md", `${page}---\n# Ann\n`);
    const site = about.replace(/\/club\/about\.md$/, "");
    const dryRun = await line.run("import", site, "--publish", "--dry-run");
    const run = await line.run("import", site, "--publish");
    assert.match(run.out, /Redirects: 2 created, 0 unchanged, 0 not needed, 0 failed/);
    assert.match(dryRun.out, /Redirects: 2 created, 0 unchanged, 0 not needed, 0 failed/);
    const {
      "/club/plan.png": plan,
      "/files/our rules.pdf": rules,
      ...pages
    } = await redirectsOf(line);
    assert.match(String(plan), /^\/media\/[0-9a-f]{32}\.png$/);
    assert.match(String(rules), /^\/media\/[0-9a-f]{32}\.pdf$/);
    assert.deepEqual(pages, {
      "/who/us": "/club/about",
      "/them": "/club/about",
      "/club/about.html": "/club/about",
      "/club/about.es.html": "/es/club/about",
      "/people/ann.html": "/people/ann",
    });
    const again = await line.run("import", site, "--publish");
    assert.match(again.out, /Redirects: 0 created, 2 unchanged, 0 not needed, 0 failed/);
  });

  it("are reported where they are wrong or taken, and cost no item", async () => {
    using line = openCommandLine();
    const pages = [
      { title: "A", path: "/a", redirectFrom: ["/shared"] },
      { title: "B", path: "/b", redirectFrom: ["/fine", "/shared"] },
      { title: "C", path: "/c", redirectFrom: ["/a"] },
      { title: "D", path: "/d", redirectFrom: ["/x#p"] },
      { title: "E", path: "/e", redirectFrom: ["relative"] },
      { title: "F", path: "/f", redirectFrom: ["/topics"] },
      { title: "G", path: "/g", redirectFrom: ["/g"] },
      { title: "H", path: "/h", redirectFrom: ["/blog/*.htm"] },
    ];
    const file = line.file(
      "pages.jsonl",
      pages.map((page) => JSON.stringify({ type: "page", ...page })).join("\n"),
    );
    const { code, out, err } = await line.run("import", file);
    assert.equal(code, 1);
    assert.match(out, /^8 created, 0 updated, 0 unchanged, 0 failed/);
    for (const told of [
      /:2: redirectFrom\[1\]: it is redirected to \/a already.*; the redirect is left out/,
      /:3: redirectFrom\[0\]: it is the path of "A"/,
      /:4: redirectFrom\[0\]: browsers keep what follows #/,
      /:5: redirectFrom\[0\]: "relative" must start with "\/"/,
      /:6: redirectFrom\[0\]: "\/topics" is the list of Topics/,
      /:8: redirectFrom\[0\]: "\/blog\/\*\.htm" looks like a pattern/,
    ]) {
      assert.match(err, told);
    }
    assert.deepEqual(await redirectsOf(line), { "/shared": "/a", "/fine": "/b" });
  });

  it("that a list says are gone answer so, only once, also where a deleted page was", async () => {
    using line = openCommandLine();
    const page = line.file("site/page.md", "---\npath: /page\nstatus: published\n---\n# Page\n");
    const site = page.replace(/\/page\.md$/, "");
    const deleted = { type: "page", status: "deleted", title: "Old", path: "/deleted" };
    line.file("site/items.jsonl", JSON.stringify(deleted));
    line.file(
      "site/.htaccess",
      "Redirect gone /away.html\nRewriteRule ^left$ - [G]\nRedirect 410 /page\nRedirectMatch 410 ^/shop/.*$\n",
    );
    line.file("site/moves.csv", "old,new,status\n/closed,,410\n/deleted,,410\n/led,/closed,301\n");
    line.file("site/_redirects", "/net /404.html 410\n");
    const tried = await line.run("import", site, "--dry-run", "--json");
    const first = await line.run("import", site, "--json");
    const report = JSON.parse(first.out);
    assert.equal(first.code, 0, first.out + first.err);
    assert.deepEqual(report, { ...JSON.parse(tried.out), dryRun: false });
    assert.deepEqual(report.redirects, { created: 7, unchanged: 1, skipped: 1, failed: 0 });
    const again = await line.run("import", site);
    assert.match(again.out, /^Redirects: 0 created, 8 unchanged, 1 not needed, 0 failed$/m);
    const gone = "/away.html /left /shop/one /closed /deleted /led /net /page/below".split(" ");
    const old = line.file("old.txt", [...gone, "/page"].join("\n"));
    await using server = await serve(line);
    const checked = await line.run("check", server.origin, "--old-addresses", old);
    assert.equal(checked.code, 0, checked.out + checked.err);
    assert.match(checked.out, /^pass\s+410\s+\/closed/m);
  });

  it("come in lists of other programs, after the pages they lead to, and only once", async () => {
    using line = openCommandLine();
    const page = (path: string) => `---\npath: ${path}\nstatus: published\n---\n# Page\n`;
    line.file("site/new.md", page("/new"));
    line.file("site/own.md", page("/own"));
    line.file("site/static/_redirects", "/old /new\n/new/ /new\n/own /new\n/none /nowhere\n");
    line.file("site/moves.csv", "old,new\n/shop,https://shop.example/\n/?p=7,/own\n/topics,/new\n");
    const site = line
      .file("site/.htaccess", "Redirect 301 /blog /new\nRedirect 301 /old /own\n")
      .replace(/\/\.htaccess$/, "");
    const tried = await line.run("import", site, "--dry-run", "--json");
    const first = await line.run("import", site, "--json");
    assert.equal(first.code, 1);
    const report = JSON.parse(first.out);
    assert.deepEqual(report, { ...JSON.parse(tried.out), dryRun: false });
    assert.deepEqual(report.redirects, { created: 6, unchanged: 0, skipped: 2, failed: 3 });
    assert.deepEqual(report.leftOut, {});
    const told = report.problems.map(
      ({ file, line: at, message }: Record<string, string>) =>
        `${file?.slice(site.length + 1)}:${at}: ${message}`,
    );
    assert.deepEqual(told.sort(), [
      'moves.csv:4: the redirect from /topics: "/topics" is the list of Topics',
      "static/_redirects:1: the redirect from /old: it is redirected to /own already; remove that redirect first",
      'static/_redirects:4: the redirect from /none: nothing is at "/nowhere"',
    ]);
    const expected = {
      "/blog": "/new",
      "/blog/*": "/new/:splat",
      "/old": "/own",
      "/old/*": "/own/:splat",
      "/shop": "https://shop.example/",
      "/?p=7": "/own",
    };
    assert.deepEqual(await redirectsOf(line), expected);
    const again = await line.run("import", site);
    assert.match(again.out, /^Redirects: 0 created, 6 unchanged, 2 not needed, 3 failed$/m);
    assert.match(
      again.out,
      /^Not needed: .*_redirects:3: the redirect from \/own: the page "Page" is there$/m,
    );
    assert.deepEqual(await redirectsOf(line), expected);
  });

  it("are those of pages that only lead on, and come out again with an export", async () => {
    using line = openCommandLine();
    line.file("site/_config.yml", "title: Old");
    line.file("site/new.md", "---\ntitle: New\n---\nText");
    line.file(
      "site/away.md",
      "---\nredirect_to: https://other.example/x\nredirect_from: /was/\n---\n",
    );
    line.file("site/help/index.md", "---\nredirect_to: ../new.html\n---\n");
    const site = line
      .file(
        "site/moved.html",
        '<html><head><meta http-equiv="Refresh" content="0; url=/new"></head><body>Moved</body></html>',
      )
      .replace(/\/moved\.html$/, "");
    const { code, out, err } = await line.run("import", site, "--publish");
    assert.equal(code, 0, out + err);
    assert.match(out, /^1 created, 0 updated, 0 unchanged, 0 failed, 3 skipped$/m);
    const expected = {
      "/new.html": "/new",
      "/away": "https://other.example/x",
      "/away.html": "https://other.example/x",
      "/was": "https://other.example/x",
      "/help": "/new",
      "/help/index.html": "/new",
      "/moved": "/new",
      "/moved.html": "/new",
    };
    assert.deepEqual(await redirectsOf(line), expected);
    const folder = `${line.folder}/exported`;
    assert.equal((await line.run("export", folder)).code, 0);
    assert.equal(
      readFileSync(`${folder}/redirects.csv`, "utf8"),
      "from,to\n/away,https://other.example/x\n/away.html,https://other.example/x\n/was,https://other.example/x\n",
    );
    using empty = openCommandLine();
    const taken = await empty.run("import", folder);
    assert.equal(taken.code, 0, taken.out + taken.err);
    assert.deepEqual(await redirectsOf(empty), expected);
  });

  it("are those of the files that HTML pages were, with their endings", async () => {
    using line = openCommandLine();
    const text = "<h1>Page</h1><p>Words</p>";
    line.file("old/index.htm", text);
    line.file("old/club/index.htm", `${text}<a href="history.HTM">h</a>`);
    line.file("old/club/history.HTM", text);
    line.file("old/club/moved.htm", '<meta http-equiv="refresh" content="0; url=/rules.html">');
    line.file(
      "old/plan.xhtml",
      '<?xml version="1.0"?><script src="a.js"/><h1>Plan<br/></h1><p>All</p>',
    );
    const folder = line.file("old/rules.html", text).replace("/rules.html", "");
    const { code, err } = await line.run("import", folder, "--publish");
    assert.deepEqual([code, err], [0, ""]);
    assert.deepEqual(await redirectsOf(line), {
      "/club/history.HTM": "/club/history",
      "/club/index.htm": "/club",
      "/club/moved": "/rules",
      "/club/moved.htm": "/rules",
      "/index.htm": "/",
      "/plan.xhtml": "/plan",
      "/rules.html": "/rules",
    });
    await using record = await openRecordForCommand(readConfig(line.environment));
    assert.equal((await record.content.itemAt("/club"))?.body, "[h](/club/history)");
    assert.equal((await record.content.itemAt("/plan"))?.body, "All");
  });

  it("are spelled as files and folders are named, where the program served them so", async () => {
    using line = openCommandLine();
    const folder = `${line.folder}/html`;
    const page = (body: string) => `<h1>Page</h1><p>${body}</p>`;
    line.file("html/Our Rules/index.html", page("Rules"));
    line.file("html/Our Rules/C# 100%?.html", page("Odd"));
    line.file("html/topics/Größe.html", page("Size"));
    line.file("html/Old Rules/index.html", '<meta http-equiv=refresh content="0; url=/x">');
    line.file(
      "html/x.html",
      page(
        '<a href="/Our%20Rules/">a</a> <a href="Our%20Rules/#b">b</a> <a href="/topics/Gr%C3%B6%C3%9Fe">c</a>',
      ),
    );
    const { code, err } = await line.run("import", folder, "--publish");
    assert.deepEqual([code, err], [0, ""]);
    assert.deepEqual(await redirectsOf(line), {
      "/Old Rules": "/x",
      "/Old Rules/index.html": "/x",
      "/old-rules": "/x",
      "/Our Rules": "/our-rules",
      "/Our Rules/index.html": "/our-rules",
      "/Our Rules/C# 100%?": "/our-rules/c-100",
      "/Our Rules/C# 100%?.html": "/our-rules/c-100",
      "/topics/Größe": "/topics/grosse",
      "/topics/Größe.html": "/topics/grosse",
      "/x.html": "/x",
    });
    {
      await using record = await openRecordForCommand(readConfig(line.environment));
      const body = (await record.content.itemAt("/x"))?.body;
      assert.equal(body, "[a](/our-rules) [b](/our-rules#b) [c](/topics/grosse)");
    }
    const list = line.file("list.txt", "/Our%20Rules/\n/Our%20Rules/C%23%20100%25%3F.html\n");
    await using site = await serve(line);
    const checked = await line.run("check", site.origin, "--old-addresses", list);
    assert.match(checked.out, /^2 of 2 addresses passed$/m);

    const redirectsIn = async (files: Readonly<Record<string, string>>) => {
      using other = openCommandLine();
      for (const [name, text] of Object.entries(files)) other.file(`old/${name}`, text);
      const done = await other.run("import", `${other.folder}/old`, "--publish");
      assert.deepEqual([done.code, done.err], [0, ""]);
      return await redirectsOf(other);
    };
    const note = { "Über uns.md": "# Us\n\n[[Über uns]]", "fine.md": "# Fine" };
    assert.deepEqual(await redirectsIn({ ".obsidian/app.json": "{}", ...note }), {
      "/Über uns": "/uber-uns",
      "/Über+uns": "/uber-uns",
    });
    const hugo = { "hugo.toml": "", "content/Wir & Ihr/Über uns.md": "---\ntitle: Us\n---\nText" };
    assert.deepEqual(await redirectsIn(hugo), { "/wir-ihr/über-uns": "/wir-ihr/uber-uns" });
    const named = "---\ntitle: A\ntype: topic\nslug: size\ntags: [x]\n---\nText";
    assert.deepEqual(await redirectsIn({ "Die Größe/a.md": named, "b c.md": "Text" }), {
      "/Die Größe/size": "/topics/size",
      "/die-grosse/size": "/topics/size",
      "/b c": "/b-c",
    });
  });

  it("are told by check, each with what it answers", async () => {
    await using api = await openApiClient();
    const add = (from: string, to: string) =>
      api.request("POST", "/redirects", { body: { from, to } });
    await add("/old", "/about");
    await add("/shop", "https://shop.example/");
    await add("/?p=7", "/topics");
    const server = createServer(async (incoming, outgoing) => {
      const { accept = "*/*" } = incoming.headers;
      const { status, headers } = await api.app.get(incoming.url ?? "/", { accept });
      outgoing.writeHead(status, { location: headers.get("location") ?? "" }).end();
    });
    const origin = `http://127.0.0.1:${await listening(server)}`;
    using line = openCommandLine();
    const file = line.file("old.txt", "/about\n/old/\nhttps://was.example/shop\n/?p=7\n/never\n");
    const { code, out, err } = await line.run("check", origin, "--old-addresses", file);
    assert.equal(code, 1, err);
    assert.match(out, /^pass\s+200\s+\/about\s*$/m);
    assert.match(out, /^pass\s+308\s+\/old\/\s+leads to \/about$/m);
    assert.match(out, /^pass\s+308\s+\/shop\s+leads to https:\/\/shop\.example\/$/m);
    assert.match(out, /^pass\s+308\s+\/\?p=7\s+leads to \/topics$/m);
    assert.match(out, /^FAIL\s+404\s+\/never\s+answers 404$/m);
    assert.match(out, /^4 of 5 addresses passed$/m);
    const json = JSON.parse(
      (await line.run("check", origin, "--old-addresses", file, "--json")).out,
    );
    assert.equal(json.addresses.length, 5);
    const doubtful = line.file(
      "doubtful.txt",
      "Old URL,visits\n# those\n/?p=99\nhttps://was.example/?attachment_id=20\n/about?page_id=5\n/?utm_source=x&fbclid=1\n/about?utm_source=x\n/about?print=1\nseite.html\nwww.example.org/seite\n",
    );
    const doubted = await line.run("check", origin, "--old-addresses", doubtful);
    assert.equal(doubted.code, 1);
    const told = doubted.out.split("\n").map((each) => each.replaceAll(/\s+/g, " ").trim());
    const ignored = (query: string, page: string) =>
      `nothing is there: the site ignores ${query}, and ${page} answers`;
    assert.deepEqual(told.slice(0, 8), [
      `FAIL 200 /?p=99 ${ignored("?p=99", "the home page")}`,
      `FAIL 200 /?attachment_id=20 ${ignored("?attachment_id=20", "the home page")}`,
      `FAIL 200 /about?page_id=5 ${ignored("?page_id=5", "/about")}`,
      "pass 200 /?utm_source=x&fbclid=1",
      "pass 200 /about?utm_source=x",
      "pass 200 /about?print=1",
      "3 of 6 addresses passed",
      "2 lines are no addresses: seite.html, www.example.org/seite",
    ]);
    const noAddress = line.file("no-address.txt", "/about\nGOVERNANCE\n");
    assert.equal((await line.run("check", origin, "--old-addresses", noAddress)).code, 1);
    await ended(server);
    const empty = line.file("empty.txt", "nothing\n");
    assert.equal((await line.run("check", origin, "--old-addresses", empty)).code, 2);
  });
});
