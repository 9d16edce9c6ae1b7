import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import { join } from "node:path";
import { describe, it } from "node:test";
import { gzipSync } from "node:zlib";
import { openStore } from "../../src/app/store.ts";
import { readConfig } from "../../src/config.ts";
import { type CommandLine, INHERITED, MAIN, openCommandLine } from "../support/command-line.ts";
import { ended, listening } from "../support/listening.ts";
import { redirectsOf } from "../support/redirects-of.ts";

interface OldPage {
  status?: number;
  type?: string;
  location?: string;
  body?: string | Buffer;
  etag?: string;
}

/** A site that is to be copied, and what it was asked for. */
interface OldSite extends AsyncDisposable {
  origin: string;
  asked: string[];
  bytesSent(): number;
}

async function openOldSite(
  pages: (origin: string) => Record<string, OldPage | ((response: ServerResponse) => void)>,
): Promise<OldSite> {
  const asked: string[] = [];
  let bytes = 0;
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    asked.push(path);
    const page = pages(origin)[path] ?? { status: 404 };
    if (typeof page === "function") return page(response);
    const { status = 200, type = "text/html; charset=utf-8", location, body = "", etag } = page;
    if (etag !== undefined && request.headers["if-none-match"] === etag) {
      response.writeHead(304).end();
      return;
    }
    bytes += body.length;
    response.writeHead(status, {
      "Content-Type": type,
      ...(location === undefined ? {} : { Location: location }),
      ...(etag === undefined ? {} : { ETag: etag }),
    });
    response.end(body);
  });
  const origin = `http://127.0.0.1:${await listening(server)}`;
  return {
    origin,
    asked,
    bytesSent: () => bytes,
    [Symbol.asyncDispose]: () => ended(server),
  };
}

const PICTURE = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

function page(title: string, body: string): OldPage {
  const html = `<!doctype html><html lang="en"><title>${title} | Society</title><nav><a href="/">Home</a></nav><main><h1>${title}</h1>${body}</main></html>`;
  return { body: html, etag: `"${title}"` };
}

function openLine(): CommandLine {
  return openCommandLine({ WEBHOOK_PRIVATE_NETWORKS: "true" });
}

/** The site of a society, with what real sites have of traps. */
function society(origin: string): Record<string, OldPage> {
  return {
    "/robots.txt": {
      type: "text/plain",
      body: `User-agent: *\nDisallow: /private/\nSitemap: ${origin}/sitemap_index.xml\n`,
    },
    "/sitemap_index.xml": {
      type: "application/xml",
      body: `<sitemapindex><sitemap><loc>${origin}/pages.xml.gz</loc></sitemap></sitemapindex>`,
    },
    "/pages.xml.gz": {
      type: "application/gzip",
      body: gzipSync(`<urlset><url><loc>${origin}/hidden-from-links/</loc></url></urlset>`),
    },
    "/": page(
      "Home",
      `<p><a href="/about">About</a> <a href="${origin}/news/first.html?x=1#top">First</a> <a href="/news/first.html">First</a> <a href="/private/list">List</a> <a href="/calendar?month=2">Next</a> <a href="http://10.0.0.7/inner">Inner</a> <a href="/loop/">Loop</a> <a href="/minutes.php">Minutes</a> <a href="/gone">Gone</a> <img src="/uploads/p.png?w=1" alt="A dot"></p>`,
    ),
    "/about": { status: 301, location: "/about/" },
    "/about/": page("About", `<p>See <a href="${origin}/old-name">us</a>.</p>`),
    "/old-name": { status: 308, location: "/about/" },
    "/news/first.html": page("First", "<p>News.</p>"),
    "/hidden-from-links/": page("Hidden", "<p>From the sitemap.</p>"),
    "/loop/": page("Loop", '<p><a href="a/">on</a></p>'),
    "/minutes.php": {
      type: "text/html; charset=windows-1252",
      body: Buffer.from("<main><h1>Minutes</h1><p>Caf\xe9</p></main>", "latin1"),
    },
    "/uploads/p.png": { type: "image/png", body: PICTURE, etag: '"p"' },
  };
}

/** What a copy holds, by the names of its files; its journal is in another order. */
function filesIn(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
  const files = names.filter((name) => name !== ".fetched.jsonl" && /\.\w+$/.test(name));
  return Object.fromEntries(
    files.map((name) => [name, readFileSync(join(folder, name)).toString("base64")]),
  );
}

describe("copying a live site", () => {
  it("copies what sitemaps and links lead to, obeys robots.txt and leaves traps alone; import takes it in", async () => {
    await using site = await openOldSite(society);
    using line = openLine();
    const folder = join(line.folder, "copy");
    const { code, out, err } = await line.run("fetch", `${site.origin}/`, folder, "--pause", "0");
    assert.equal(code, 1, err);
    assert.match(out, /^6 pages, 1 files, 1 redirects; 0 unchanged, 2 failed$/m);
    assert.match(out, /^Not copied: http:\/\/127\.0\.0\.1:\d+\/gone\. The host answers 404$/m);
    assert.match(out, /^Left out 1, because robots\.txt forbids it: \S+\/private\/list$/m);
    assert.match(out, /^Left out 2, because they have a query: /m);
    assert.ok(!site.asked.some((path) => path.startsWith("/private") || path.includes("month")));
    assert.equal(site.asked.filter((path) => path === "/").length, 1);
    const imported = await line.run("import", folder, "--publish");
    assert.equal(imported.code, 0, imported.err + imported.out);
    await using record = await openStore(readConfig(line.environment));
    const home = await record.content.itemAt("/");
    assert.match(home?.body ?? "", /\[About\]\(\/about\)/);
    assert.match(home?.body ?? "", /!\[A dot\]\(\/media\//);
    assert.equal((await record.content.itemAt("/hidden-from-links"))?.title, "Hidden");
    assert.match((await record.content.itemAt("/minutes-php"))?.body ?? "", /Café/);
    assert.deepEqual(await redirectsOf(line), {
      "/about/index.html": "/about",
      "/hidden-from-links/index.html": "/hidden-from-links",
      "/index.html": "/",
      "/loop/index.html": "/loop",
      "/minutes.php": "/minutes-php",
      "/minutes.php.html": "/minutes-php",
      "/news/first.html": "/news/first",
      "/old-name": "/about",
    });
  });

  it("asks only for what changed when it is run again", async () => {
    await using site = await openOldSite(society);
    using line = openLine();
    const folder = join(line.folder, "copy");
    await line.run("fetch", site.origin, folder, "--pause", "0");
    const before = site.bytesSent();
    const { out } = await line.run("fetch", site.origin, folder, "--pause", "0");
    assert.match(out, /^6 pages, 1 files, 1 redirects; 6 unchanged, 2 failed$/m);
    assert.ok(site.bytesSent() - before < before);
  });

  it("goes on where it was interrupted, without asking for what it has", async () => {
    await using site = await openOldSite(society);
    using line = openLine();
    const folder = join(line.folder, "copy");
    await line.run("fetch", site.origin, folder, "--pause", "0");
    const journal = readFileSync(join(folder, ".fetched.jsonl"), "utf8").trimEnd().split("\n");
    line.file("copy/.fetched.jsonl", `${journal.slice(0, 4).join("\n")}\n{"url":"http://cut`);
    const again = journal.slice(4).find((each) => each.includes("about/index.html"));
    assert(again !== undefined, "a page that is asked for again");
    line.file("copy/.fetched.part", "cut");
    site.asked.length = 0;
    const { out } = await line.run("fetch", site.origin, folder, "--pause", "0");
    assert.match(out, /^Goes on with the copy that was interrupted$/m);
    assert.match(out, /^6 pages, 1 files, 1 redirects; 0 unchanged, 2 failed$/m);
    assert.ok(!site.asked.some((path) => path === "/" || path === "/news/first.html"));
    const lines = readFileSync(join(folder, ".fetched.jsonl"), "utf8").trimEnd().split("\n");
    assert.deepEqual(
      lines.filter((each) => !each.endsWith("}")),
      ['{"url":"http://cut'],
    );
    assert.ok(!existsSync(join(folder, ".fetched.part")));
  });

  it("killed at any moment and run again, makes the same folder as a copy in one go", async () => {
    const kills: number[] = [];
    let answered = 0;
    let onAnswer = () => {};
    await using site = await openOldSite((origin) => {
      answered += 1;
      onAnswer();
      return society(origin);
    });
    using line = openLine();
    const [whole, killed] = [join(line.folder, "whole"), join(line.folder, "killed")];
    await line.run("fetch", site.origin, whole, "--pause", "0");
    for (let kill = 0; kill < 8; kill += 1) {
      answered = 0;
      const child = spawn(
        ...([process.execPath, [MAIN, "fetch", site.origin, killed, "--pause", "0"]] as const),
        { env: { ...INHERITED, ...line.environment }, stdio: "ignore" },
      );
      const closed = once(child, "close");
      onAnswer = () => {
        if (answered === 1 + kill) setTimeout(() => child.kill("SIGKILL"), kill % 4);
      };
      const [code] = await closed;
      if (code === null) kills.push(kill);
    }
    assert.ok(kills.length >= 4, `only ${kills.length} copies were killed`);
    onAnswer = () => {};
    await line.run("fetch", site.origin, killed, "--pause", "0");
    assert.deepEqual(filesIn(killed), filesIn(whole));
  });

  it("removes a list of redirects that the site no longer has", async () => {
    let isMoved = true;
    await using site = await openOldSite(() => ({
      "/": isMoved ? page("Home", '<p><a href="/a">A</a></p>') : page("New home", ""),
      "/a": { status: 301, location: "/" },
    }));
    using line = openLine();
    const folder = join(line.folder, "copy");
    await line.run("fetch", site.origin, folder, "--pause", "0");
    assert.ok(existsSync(join(folder, "redirects.csv")));
    isMoved = false;
    await line.run("fetch", site.origin, folder, "--pause", "0");
    assert.ok(!existsSync(join(folder, "redirects.csv")));
  });

  it("waits as it is asked to, and follows pages only below where it began", async () => {
    let busy = 2;
    await using site = await openOldSite((origin) => ({
      "/docs/": page("Docs", '<p><a href="/docs/a">A</a> <a href="/other">Other</a></p>'),
      "/docs/a": (response) => {
        busy -= 1;
        if (busy >= 0) response.writeHead(429, { "Retry-After": "0" }).end();
        else response.writeHead(200, { "Content-Type": "text/html" }).end("<h1>A</h1>");
      },
      "/other": page("Other", origin),
    }));
    using line = openLine();
    const folder = join(line.folder, "copy");
    const { code, out } = await line.run("fetch", `${site.origin}/docs/`, folder, "--pause", "0");
    assert.equal(code, 0, out);
    assert.match(out, /^2 pages, 0 files/m);
    assert.ok(!site.asked.includes("/other"));
  });

  it("refuses a site whose robots.txt cannot be had, and one in a private network", async () => {
    await using site = await openOldSite(() => ({
      "/": page("Home", ""),
      "/robots.txt": { status: 500 },
    }));
    using line = openLine();
    const folder = join(line.folder, "copy");
    const refused = await line.run("fetch", site.origin, folder, "--pause", "0");
    assert.equal(refused.code, 2);
    assert.match(refused.err, /robots\.txt: The host answers 500/);
    using strict = openCommandLine();
    const inner = await strict.run("fetch", "https://127.0.0.1/", join(strict.folder, "copy"));
    assert.equal(inner.code, 2);
    assert.match(inner.err, /Cannot copy https:\/\/127\.0\.0\.1\/: /);
  });

  it("keeps files whose names lead elsewhere out, each alone", async () => {
    await using site = await openOldSite(() => ({
      "/": page("Home", '<p><a href="/..%2f..%2fout.html">Out</a> <a href="/a">A</a></p>'),
      "/..%2f..%2fout.html": page("Out", ""),
      "/a": page("A", ""),
    }));
    using line = openLine();
    const { code, out } = await line.run(
      ...["fetch", site.origin, join(line.folder, "deep/copy"), "--pause", "0"],
    );
    assert.equal(code, 1);
    assert.match(out, /^Not copied: \S+out\.html\. Cannot use ".*" as the name of a file$/m);
    assert.match(out, /^2 pages/m);
    assert.ok(!existsSync(join(line.folder, "out.html")));
  });
});
