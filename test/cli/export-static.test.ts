import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { openStaticSource } from "../../src/app/site/static-site.ts";
import { readConfig } from "../../src/config.ts";
import { createLog } from "../../src/log.ts";
import { buildRemovalPatterns, EXPORT_REMOVALS } from "../../src/static/removals.ts";
import type { HostRulesInput } from "../../src/static/rules/host.ts";
import { EXPORT_HOSTS } from "../../src/static/rules/hosts.ts";
import { writeStaticSite } from "../../src/static/writing-site.ts";
import { type CommandLine, openCommandLine, openSiteLine } from "../support/command-line.ts";

const FIXTURE = join(import.meta.dirname, "../support/fixture");

/** A topic with more quotations than fit on a page, and addresses of a former site. */
async function openSite(): Promise<CommandLine> {
  const line = openCommandLine();
  const topic = { type: "topic", path: "/topics/much", title: "Much", status: "published" };
  const withdrawn = { type: "topic", path: "/topics/gone", title: "Gone" };
  const quotations = Array.from({ length: 27 }, (_, number) => ({
    type: "quotation",
    path: `/quotations/line-${number}`,
    title: `Line ${number}`,
    body: `Words number ${number}.`,
    status: "published",
    topics: ["/topics/much"],
  }));
  const items = [topic, { ...withdrawn, status: "published" }, ...quotations];
  const lines = (list: readonly object[]) =>
    list.map((each) => `${JSON.stringify(each)}\n`).join("");
  for (const path of [
    FIXTURE,
    line.file("items.jsonl", lines(items)),
    line.file("withdrawn.jsonl", lines([{ ...withdrawn, status: "archived" }])),
    line.file(
      "redirects.csv",
      "from,to\n/old/a.html,/topics/much\n/blog/*,/topics/:splat\n/?p=1,/topics\n",
    ),
  ]) {
    const { code, out, err } = await line.run("import", path);
    assert.equal(code, 0, out + err);
  }
  return line;
}

async function exported(line: CommandLine, folder: string, host = "nginx") {
  const { code, out, err } = await line.run("export", "--static", folder, "--for", host, "--json");
  assert.equal(code, 0, err);
  return JSON.parse(out);
}

async function openSource(line: CommandLine) {
  return await openStaticSource(readConfig(line.environment), { log: createLog("silent") });
}

it("sizes the hash of nginx for more former addresses than a call takes arguments", () => {
  const former = Array.from({ length: 150_000 }, (_, number) => ({
    kind: "gone" as const,
    from: `/old/${number}`,
  }));
  const [file] = EXPORT_HOSTS.nginx.rules({
    ...{ root: "/srv/public", origin: "https://example.org", former, headers: {} },
    ...{ pageCaching: "no-cache", types: new Map(), namedTypes: new Map(), policies: new Map() },
    ...{ files: new Map(), scriptPaths: [] },
  });
  assert.match(file?.text ?? "", /^map_hash_bucket_size 128;$/m);
});

describe("the limits of hosts", () => {
  const redirects = (count: number, from: (number: number) => string) =>
    Array.from({ length: count }, (_, number) => ({
      ...{ kind: "moved" as const, from: from(number), to: "/topics", isElsewhere: false },
    }));
  const input = (more: Partial<HostRulesInput>): HostRulesInput => ({
    ...{ root: "/srv/public", origin: "https://example.org", former: [], headers: {} },
    ...{ pageCaching: "no-cache", types: new Map(), namedTypes: new Map(), policies: new Map() },
    ...{ files: new Map(), scriptPaths: [] },
    ...more,
  });

  it("are counted at Cloudflare for redirects, patterns, headers, files and their size", () => {
    const { limits, rules } = EXPORT_HOSTS.cloudflare;
    const former = [
      ...redirects(2003, (number) => `/old/${number}`),
      ...redirects(102, (number) => `/blog/${number}/*`),
      ...redirects(1, () => `/${"x".repeat(1000)}`),
    ];
    const namedTypes = new Map(Array.from({ length: 98 }, (_, at) => [`${at}.bin`, "text/plain"]));
    const files = new Map(Array.from({ length: 20_001 }, (_, at) => [`${at}.html`, 1]));
    files.set("media/film.mp4", 25 * 1024 * 1024 + 1);
    const headers = { "Content-Security-Policy": "x".repeat(2000) };
    const large = input({ former, namedTypes, files, headers });
    assert.deepEqual(limits(large), [
      "3 redirects beyond the 2000 that Cloudflare takes",
      "2 patterns beyond the 100 that Cloudflare takes",
      "1 redirects of more than 1000 characters",
      "1 rules for headers beyond the 100 that Cloudflare takes",
      "1 headers of more than 2000 characters, which Cloudflare does not take",
      "20002 files: Cloudflare takes 20000 without a paid plan, and 100000 with one",
      "1 files of more than 25 MiB, which Cloudflare does not take, such as media/film.mp4",
    ]);
    const written = rules(large).find(({ name }) => name.endsWith("_redirects"));
    assert.equal(written?.text.split("\n").length, 2000 + 100 + 1);
    assert.deepEqual(limits(input({})), []);
  });

  it("are counted at Netlify for redirects, and at GitHub Pages for the size of the site", () => {
    const many = (count: number) => input({ former: redirects(count, (at) => `/old/${at}`) });
    assert.deepEqual(EXPORT_HOSTS.netlify.limits(many(9999)), []);
    const [note = ""] = EXPORT_HOSTS.netlify.limits(many(10_000));
    assert.match(note, /^10000 redirects .* a deploy at Netlify may fail/);
    const github = (bytes: number) =>
      EXPORT_HOSTS["github-pages"]
        .limits(input({ files: new Map([["film.mp4", bytes]]) }))
        .join("\n");
    assert.match(github(1_200_000_000), /1\.2 GB in all: GitHub Pages takes sites of up to 1 GB/);
    assert.doesNotMatch(github(900_000_000), /GB/);
  });
});

describe("export --static", () => {
  let line: CommandLine;
  let folder: string;
  let first: { changed: number; files: number };
  before(async () => {
    line = await openSite();
    folder = join(line.folder, "web");
    first = await exported(line, folder);
  });
  after(() => line[Symbol.dispose]());

  it("writes every page in both forms, and of the service only what needs no server", () => {
    const read = (name: string) => readFileSync(join(folder, "public", name), "utf8");
    assert.match(read("topics/much.html"), /<h1>Much<\/h1>/);
    assert.match(read("topics/much/page-2.html"), /Line \d/);
    assert.match(read("topics/much/page-2.md"), /Line \d/);
    assert.match(read("sitemap.xml"), /\/topics\/much</);
    for (const name of ["index.html", "index.md", "topics.html", "topics.md", "llms.txt"]) {
      assert.doesNotMatch(read(name), /\/search|\/random|\/mcp|mode=agent|<form/, name);
    }
    for (const name of ["contact.html", "contact.md"]) {
      assert.doesNotMatch(read(name), /<form|\/contact\/claim/, name);
    }
    for (const name of ["search.html", "opensearch.xml", ".well-known/mcp/server-card.json"]) {
      assert(!existsSync(join(folder, "public", name)), name);
    }
    assert.match(read(".gone/topics/gone.html"), /Gone/);
  });

  it("has no removal that removes nothing", async () => {
    const served = { html: "", markdown: "", llms: "" };
    await using source = await openSource(line);
    const targets = {
      html: ["/", "/contact", "/quotations"],
      markdown: ["/index.md", "/contact.md", "/quotations.md"],
      llms: ["/llms.txt"],
    };
    for (const format of ["html", "markdown", "llms"] as const) {
      for (const target of targets[format])
        served[format] += String((await source.ask(target)).bytes);
    }
    const { reading, origin } = source;
    for (const { what, format, only, remove } of EXPORT_REMOVALS) {
      const site = buildRemovalPatterns(reading, { origin, hasSearch: only === "with search" });
      assert.notEqual(remove(served[format], site), served[format], `${format}: ${what}`);
    }
  });

  it("stops at an answer that is a fault, and removes nothing for it", async () => {
    await using source = await openSource(line);
    const file = join(folder, "public/quotations/line-9.html");
    assert(existsSync(file));
    const faulty: typeof source.ask = async (target) => {
      const answer = await source.ask(target);
      return target === "/quotations/line-9" ? { ...answer, status: 503 } : answer;
    };
    await assert.rejects(
      writeStaticSite(
        folder,
        { ...source, ask: faulty },
        { host: EXPORT_HOSTS.nginx, hasSearch: false, onPages: () => {} },
      ),
      /Cannot export \/quotations\/line-9: it answers 503/,
    );
    assert(existsSync(file));
  });

  it("writes what changed, removes what it wrote, and touches nothing else", async () => {
    assert.equal(first.changed, first.files);
    writeFileSync(join(folder, "public", "mine.txt"), "mine");
    const second = await exported(line, folder);
    assert.deepEqual([second.changed, second.removed], [0, 0]);
    const [picture = ""] = globSync("public/**/*.png", { cwd: folder });
    const before = readFileSync(join(folder, picture));
    // As a power cut can leave it.
    writeFileSync(join(folder, picture), "");
    assert.equal((await exported(line, folder)).changed, 1);
    assert(readFileSync(join(folder, picture)).equals(before));
    const archived = {
      type: "quotation",
      path: "/quotations/line-7",
      title: "Line 7",
      status: "archived",
    };
    await line.run("import", line.file("archive.jsonl", JSON.stringify(archived)));
    const third = await exported(line, folder);
    assert(third.removed >= 2 && third.changed > 0, JSON.stringify(third));
    assert(!existsSync(join(folder, "public/quotations/line-7.html")));
    assert(existsSync(join(folder, "public/.gone/quotations/line-7.html")));
    assert.equal(readFileSync(join(folder, "public/mine.txt"), "utf8"), "mine");

    rmSync(join(folder, "written.json"));
    writeFileSync(join(folder, "public/topics/much.html"), "somebody's");
    const refused = await line.run("export", "--static", folder);
    assert.equal(refused.code, 1);
    assert.match(refused.err, /much\.html: something is there that no export wrote/);
    assert.equal(readFileSync(join(folder, "public/topics/much.html"), "utf8"), "somebody's");
  });

  it("writes the rules of each host, and says what the host cannot do", async () => {
    const of = async (host: string) => {
      const folder = join(line.folder, host);
      const { limits } = await exported(line, folder, host);
      return {
        limits: limits.join("\n"),
        read: (name: string) => readFileSync(join(folder, name), "utf8"),
      };
    };
    const nginx = await of("nginx");
    assert.match(nginx.read("nginx.conf"), /"\/old\/a\.html" "\/topics\/much\$is_args\$args";/);
    assert.match(nginx.read("nginx.conf"), /"\/topics\/gone" 1;/);
    assert.match(
      nginx.read("nginx.conf"),
      /^ {2}gzip_types (?=.*"text\/html; charset=utf-8")(?=.*"text\/markdown; charset=utf-8").*;$/m,
    );
    const caddy = await of("caddy");
    assert.match(caddy.read("Caddyfile"), /"\/old\/a\.html" "\/topics\/much"/);
    const netlify = await of("netlify");
    assert.match(netlify.read("public/_redirects"), /^\/ p=1 \/topics 301$/m);
    assert.match(
      netlify.read("public/_redirects"),
      /^\/topics\/gone \/\.gone\/topics\/gone\.html 410$/m,
    );
    assert.match(netlify.read("public/topics/much.html"), /href="\/topics\/much\/page-2"/);
    assert.match(netlify.read("public/topics/much.md"), /\/topics\/much\/page-2\.md\)/);
    const cloudflare = await of("cloudflare");
    assert.match(cloudflare.read("public/_redirects"), /^\/blog\/\* \/topics\/:splat 308$/m);
    assert.match(cloudflare.limits, /1 former addresses with a query/);
    const github = await of("github-pages");
    assert.match(
      github.read("public/old/a.html"),
      /http-equiv="refresh" content="0; url=[^"]*\/topics\/much"/,
    );
    assert.match(github.limits, /404 instead of 410/);
  });

  it("leaves out what no file can be named after, says so, and writes the rest", async () => {
    using other = openCommandLine();
    const long = "x".repeat(251);
    const items = [
      { path: `/topics/${long}`, title: "Long" },
      { path: `/topics/${"ü".repeat(140)}`, title: "Many bytes" },
      { path: `/topics/${"y".repeat(252)}`, title: "Withdrawn", status: "archived" },
      { path: "/topics/short", title: "Short" },
    ].map((item) => `${JSON.stringify({ type: "topic", status: "published", ...item })}\n`);
    await other.run("import", FIXTURE);
    await other.run("import", other.file("long.jsonl", items.join("")));
    const folder = join(other.folder, "web");
    const { code, out, err } = await other.run("export", "--static", folder, "--json");
    assert.equal(code, 1, err);
    const { unnameable } = JSON.parse(out);
    assert(unnameable.includes(`/topics/${long}.html`), unnameable.join("\n"));
    assert(unnameable.some((address: string) => address.startsWith("/topics/üü")));
    assert(existsSync(join(folder, "public/topics/short.html")));
    assert(existsSync(join(folder, `public/topics/${long}.md`)));
    const again = await other.run("export", "--static", folder);
    assert.equal(again.code, 1);
    assert.match(
      again.err,
      /error: left out, because no file can have such a name .*: \/topics\/x/,
    );
  });

  it("leaves out on Windows what Windows refuses, and writes it elsewhere", async (t) => {
    using other = await openSiteLine();
    const topic = { type: "topic", status: "published", path: "/topics/con", title: "Con" };
    await other.run("import", other.file("con.jsonl", JSON.stringify(topic)));
    const folder = join(other.folder, "web");
    const here = await other.run("export", "--static", folder);
    assert.equal(here.code, 0, here.err);
    assert(existsSync(join(folder, "public/topics/con.html")));
    const { platform } = process;
    t.after(() => Object.defineProperty(process, "platform", { value: platform }));
    Object.defineProperty(process, "platform", { value: "win32" });
    const there = join(other.folder, "windows");
    const { code, out } = await other.run("export", "--static", there, "--json");
    assert.equal(code, 1, out);
    assert(JSON.parse(out).unnameable.includes("/topics/con.html"), out);
    assert.deepEqual(globSync(join(there, "**/con.*")), []);
    assert(existsSync(join(there, "public/topics.html")));
  });

  it("exports no hidden site", async () => {
    using hidden = openCommandLine();
    assert.equal((await hidden.run("init", "--hidden")).code, 0);
    const refused = await hidden.run("export", "--static", join(hidden.folder, "web"));
    assert.equal(refused.code, 1);
    assert.match(refused.err, /The site is hidden/);
    assert(!existsSync(join(hidden.folder, "web")));
  });
});
