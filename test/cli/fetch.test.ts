import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import { join } from "node:path";
import { describe, it } from "node:test";
import { gzipSync } from "node:zlib";
import { openRecordForCommand } from "../../src/app/store.ts";
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
  others: (path: string) => OldPage = () => ({ status: 404 }),
): Promise<OldSite> {
  const asked: string[] = [];
  let bytes = 0;
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    asked.push(path);
    const page = pages(origin)[path] ?? others(path);
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
  const isFile = (name: string) => statSync(join(folder, name)).isFile();
  const files = names.filter((name) => name !== ".fetched.jsonl" && isFile(name));
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
    await using record = await openRecordForCommand(readConfig(line.environment));
    const home = await record.content.itemAt("/");
    assert.match(home?.body ?? "", /\[About\]\(\/about\)/);
    assert.match(home?.body ?? "", /!\[A dot\]\(\/media\//);
    assert.equal((await record.content.itemAt("/hidden-from-links"))?.title, "Hidden");
    assert.match((await record.content.itemAt("/minutes-php"))?.body ?? "", /Café/);
    const { "/uploads/p.png": picture, ...pages } = await redirectsOf(line);
    assert.match(String(picture), /^\/media\/[0-9a-f]{32}\.png$/);
    assert.deepEqual(pages, {
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
    const inner = await strict.run(
      ...["fetch", "https://127.0.0.1/", join(strict.folder, "copy"), "--pause", "0"],
    );
    assert.equal(inner.code, 2);
    assert.match(inner.err, /Cannot copy https:\/\/127\.0\.0\.1\/robots\.txt: /);
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

  it("takes www. and the other scheme for the same site, and counts what is elsewhere by host", async () => {
    let port = "";
    await using site = await openOldSite(() => ({
      "/": page(
        "Home",
        `<p><a href="https://www.localhost:${port}/a">A</a> <a href="http://www.localhost:${port}/b">B</a> <a href="https://x.example/1">1</a> <a href="https://x.example/2">2</a> <a href="https://y.example/">Y</a></p>`,
      ),
      "/a": page("A", ""),
      "/b": { status: 301, location: `https://www.localhost:${port}/b` },
    }));
    ({ port } = new URL(site.origin));
    using line = openLine();
    const folder = join(line.folder, "copy");
    const { code, out } = await line.run(
      ...["fetch", `http://localhost:${port}/`, folder, "--pause", "0"],
    );
    assert.equal(code, 1);
    assert.match(out, /^2 pages, 0 files/m);
    assert.match(
      out,
      /^Not followed, because they are on other hosts: 2 on x\.example, 1 on y\.example$/m,
    );
    assert.match(out, /^Not copied: http:\/\/localhost:\d+\/b\. It redirects in a circle$/m);
    assert.match(readFileSync(join(folder, "index.html"), "utf8"), /href="\/a"/);
  });

  it("ends where a site does not, and says what it left out", async () => {
    await using site = await openOldSite(
      () => ({ "/": page("Home", '<a href="/month/1">1</a>'), "/robots.txt": { status: 404 } }),
      (path) => {
        const month = Number(/^\/month\/(\d+)$/.exec(path)?.[1] ?? 0);
        const days = Array.from({ length: 9 }, (_, day) => `<a href="/day/${month}/${day}">D</a>`);
        return page(path, `<a href="/month/${month + 1}">Next</a>${days.join("")}`);
      },
    );
    using line = openLine();
    const { code, out } = await line.run(
      ...["fetch", site.origin, join(line.folder, "copy"), "--pause", "0", "--addresses", "20"],
      "--json",
    );
    assert.equal(code, 1);
    const report = JSON.parse(out);
    assert.equal(report.isCut, true);
    assert.deepEqual(Object.keys(report.leftOut), ["they are more than 20"]);
    assert.ok(report.leftOut["they are more than 20"].count > 0);
    assert.ok(site.asked.length <= 21, `${site.asked.length} requests`);
  });

  it("keeps pages below the addresses of files, and nothing that would be read as settings", async () => {
    const file = (body: string): OldPage => ({ type: "application/pdf", body });
    await using site = await openOldSite(() => ({
      "/": page(
        "Home",
        '<p><a href="/a">A</a> <a href="/a/b">B</a> <a href="/c.html/d">D</a> <a href="/c.html">C</a> <a href="/site.yaml">S</a> <a href="/.fetched.jsonl">J</a></p>',
      ),
      "/a": file("file"),
      "/a/b": page("Below", ""),
      "/c.html/d": page("Deep", ""),
      "/c.html": page("Cee", ""),
      "/site.yaml": file("name: Taken over"),
      "/.fetched.jsonl": file("{}"),
    }));
    using line = openLine();
    const folder = join(line.folder, "copy");
    const { code, out, err } = await line.run("fetch", site.origin, folder, "--pause", "0");
    assert.equal(code, 0, out + err);
    assert.match(out, /^4 pages, 1 files/m);
    assert.match(out, /^Left out 2, because their names are reserved: /m);
    const files = Object.keys(filesIn(folder));
    assert.deepEqual(
      files.filter((name) => name.includes("~")),
      ["a~/b.html", "c~.html"],
    );
    assert.equal(readFileSync(join(folder, "a"), "utf8"), "file");
    assert.match(readFileSync(join(folder, "redirects.csv"), "utf8"), /^"\/a\/b","\/a~\/b"$/m);
  });

  it("removes what the site removed, even if no page names it any longer", async () => {
    let isOld = true;
    await using site = await openOldSite((origin) => ({
      "/": page(isOld ? "Home" : "New", isOld ? '<a href="/a">A</a> <a href="/b">B</a>' : ""),
      "/a": isOld ? page("A", "") : { status: 410 },
      "/b": page("B", ""),
      "/c": isOld ? page("C", "") : { status: 301, location: "/b" },
      "/sitemap.xml": {
        type: "application/xml",
        body: `<urlset><url><loc>${origin}/c</loc></url></urlset>`,
      },
    }));
    using line = openLine();
    const folder = join(line.folder, "copy");
    await line.run("fetch", site.origin, folder, "--pause", "0");
    isOld = false;
    const { code, out } = await line.run("fetch", site.origin, folder, "--pause", "0");
    assert.equal(code, 0, out);
    assert.match(out, /^Gone from the site, and removed from the folder: \S+\/a\. /m);
    assert.deepEqual(Object.keys(filesIn(folder)), ["b.html", "index.html", "redirects.csv"]);
    const third = await line.run("fetch", site.origin, folder, "--pause", "0");
    assert.doesNotMatch(third.out, /^Gone|\/a\b/m);
  });

  it("asks for robots.txt before anything else, even elsewhere, and obeys it on the first page", async () => {
    await using site = await openOldSite(() => ({
      "/robots.txt": { status: 301, location: "/rules/robots.txt" },
      "/rules/robots.txt": { type: "text/plain", body: "User-agent: *\nDisallow: /" },
      "/": page("Home", ""),
    }));
    using line = openLine();
    const { code, err } = await line.run(
      ...["fetch", site.origin, join(line.folder, "copy"), "--pause", "0"],
    );
    assert.equal(code, 2);
    assert.match(err, /robots\.txt forbids it/);
    assert.deepEqual(site.asked, ["/robots.txt", "/rules/robots.txt"]);
  });

  it("leaves a host alone that answers no more, and goes on later", async () => {
    let isDown = true;
    const links = Array.from({ length: 30 }, (_, at) => `<a href="/p${at}">P</a>`).join(" ");
    await using site = await openOldSite(() => ({
      "/": page("Home", links),
      ...Object.fromEntries(
        Array.from({ length: 30 }, (_, at) => [
          `/p${at}`,
          isDown ? (response: ServerResponse) => response.destroy() : page(`P${at}`, ""),
        ]),
      ),
    }));
    using line = openLine();
    const folder = join(line.folder, "copy");
    const { code, out } = await line.run("fetch", site.origin, folder, "--pause", "0");
    assert.equal(code, 1);
    assert.match(out, /^Left out 20, because the host no longer answers: /m);
    assert.match(out, /^The copy is not complete: run it again later to go on$/m);
    isDown = false;
    const again = await line.run("fetch", site.origin, folder, "--pause", "0");
    assert.equal(again.code, 0, again.out);
    assert.match(again.out, /^Goes on with the copy that was interrupted$/m);
    assert.match(again.out, /^31 pages/m);
  });
});
