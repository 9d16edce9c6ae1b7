import assert from "node:assert/strict";
import { cpSync, existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { openStaticSource } from "../../src/app/site/static-site.ts";
import { readConfig } from "../../src/config.ts";
import { mainEdition } from "../../src/content/site/editions.ts";
import { createLog } from "../../src/log.ts";
import { findItems, readListEntries } from "../../src/static/browser/finding.ts";
import { splitAroundMatches } from "../../src/static/browser/marking.ts";
import { buildEditionSearchIndex } from "../../src/static/search/indexed-edition.ts";
import { type CommandLine, openCommandLine } from "../support/command-line.ts";

const SITE = `name: Four languages
description: A site in four languages.
language: en
languages: [de, ar, zh]
whenToUse: [try the search of a static copy]
whenNotToUse: [anything else]
contact: { email: editors@four.example }
contentSignal: { search: "yes", aiInput: "yes", aiTrain: "no" }
`;

const ITEMS = [
  { type: "author", path: "/authors/seneca", title: "Seneca" },
  { type: "topic", path: "/topics/time", title: "Time", body: "What passes." },
  {
    ...{ type: "quotation", path: "/quotations/short", authors: ["/authors/seneca"] },
    title: "It is not that we have a short time to live…",
    body: "It is not that we have a short time to live, but that we waste a lot of it.",
  },
  {
    ...{ type: "quotation", path: "/quotations/walking", title: "On a walk" },
    body: "While walking & talking, one has time < none. Time and time again.",
  },
  { type: "topic", path: "/de/topics/haeuser", title: "Häuser", language: "de", body: "Die Zeit." },
  {
    type: "topic",
    path: "/ar/topics/kutub",
    title: "الكتب",
    language: "ar",
    body: "الكتاب والقلم",
  },
  { type: "topic", path: "/ar/topics/waqt", title: "وقت", language: "ar", body: "كتاب عن الوقت" },
  {
    type: "topic",
    path: "/zh/topics/shijian",
    title: "时间",
    language: "zh",
    body: "管理时间的方法",
  },
];

async function openSite(): Promise<CommandLine> {
  const line = openCommandLine();
  line.file("site/site.yaml", SITE);
  await imported(line, "site/content/items.jsonl", ITEMS);
  return line;
}

async function imported(line: CommandLine, name: string, items: readonly object[]): Promise<void> {
  const text = items
    .map((item) => `${JSON.stringify({ status: "published", ...item })}\n`)
    .join("");
  line.file(name, text);
  const { code, out, err } = await line.run("import", join(line.folder, name.split("/")[0] ?? ""));
  assert.equal(code, 0, out + err);
}

async function exported(line: CommandLine, folder: string, ...words: string[]) {
  const { code, out, err } = await line.run("export", folder, "--json", ...words);
  assert.equal(code, 0, err);
  return JSON.parse(out);
}

/** The paths that the search page with this file finds, in order. */
async function found(folder: string, page: string, words: string): Promise<string[]> {
  const html = readFileSync(join(folder, "public", page), "utf8");
  const index = /data-index="([^"]+)"/.exec(html)?.[1] ?? "";
  const read = async (name: string) => readFileSync(join(folder, "public", index, name), "utf8");
  const { numbers } = await findItems(words, read);
  const entries = await readListEntries(numbers, read);
  return entries.map((entry) => decodeURI(/href="([^"]+)"/.exec(entry)?.[1] ?? ""));
}

describe("export --static --search", () => {
  let line: CommandLine;
  let folder: string;
  const read = (name: string) => readFileSync(join(folder, name), "utf8");
  before(async () => {
    line = await openSite();
    folder = join(line.folder, "web");
    await exported(line, folder, "--search");
  });
  after(() => line[Symbol.dispose]());

  it("writes a search page for each edition, and scripts for no other page", () => {
    for (const [page, button] of [
      ["search.html", "Search"],
      ["de/search.html", "Suchen"],
      ["ar/search.html", "بحث"],
      ["zh/search.html", "搜索"],
    ] as const) {
      const html = read(`public/${page}`);
      assert.match(html, new RegExp(`<button type="submit">${button}</button>`), page);
      assert.match(html, /<p role="status"><\/p>/);
      const [, script = ""] = /<script type="module" src="\/([^"]+)">/.exec(html) ?? [];
      assert(existsSync(join(folder, "public", script)), script);
      assert.match(html, /<noscript><p>[^<]*JavaScript|<noscript><p>[^<]*جافاسكريبت/);
      assert.match(html, /<noscript><p>[^<]+<a href="[^"]*\/topics"/);
      assert.doesNotMatch(html, /<select|toolname|toolparamdescription/);
    }
    for (const name of globSync("public/**/*.html", { cwd: folder })) {
      if (/(?:^|\/)search\.html$/.test(name)) continue;
      assert.doesNotMatch(read(name), /<script(?! type="application\/ld\+json")/, name);
    }
    assert.match(read("public/topics/time.html"), /<form class="search search-header"/);
    assert.doesNotMatch(read("public/topics/time.html"), /toolname/);
    assert.match(read("public/search.md"), /needs JavaScript here\. Or browse: \[/);
    assert.doesNotMatch(read("public/llms.txt"), /search\.md|\/mcp/);
  });

  it("loads only modules that are there, without types", () => {
    const scripts = globSync("public/assets/*.js", { cwd: folder });
    assert(scripts.length > 1);
    for (const name of scripts) {
      for (const [, imported = ""] of read(name).matchAll(/ from "([^"]+)"/g)) {
        assert(existsSync(join(folder, "public", imported)), imported);
      }
      assert.doesNotMatch(read(name), /: string/);
    }
  });

  it("finds all words, the last by its beginning, others by their stems, and titles first", async () => {
    const inEnglish = (words: string) => found(folder, "search.html", words);
    assert.deepEqual(await inEnglish("time"), [
      "/topics/time",
      "/quotations/short",
      "/quotations/walking",
    ]);
    assert.deepEqual(await inEnglish("wasted time liv"), ["/quotations/short"]);
    assert.deepEqual(await inEnglish("seneca wasting"), ["/quotations/short"]);
    assert.deepEqual(await inEnglish("time walke"), ["/quotations/walking"]);
    assert.deepEqual(await inEnglish("walked time"), ["/quotations/walking"]);
    assert.deepEqual(await inEnglish("the SENECA"), ["/authors/seneca", "/quotations/short"]);
    assert.deepEqual(await inEnglish("it is not that"), ["/quotations/short"]);
    assert.deepEqual(await inEnglish("time elephants"), []);
    assert.deepEqual(await inEnglish("?!"), []);
    assert.deepEqual(await inEnglish("Zeit"), []);
  });

  it("finds in the languages of the edition alone, in every script", async () => {
    assert.deepEqual(await found(folder, "de/search.html", "haus"), ["/de/topics/haeuser"]);
    assert.deepEqual(await found(folder, "de/search.html", "HÄUSER zeit"), ["/de/topics/haeuser"]);
    assert.deepEqual(await found(folder, "de/search.html", "time"), []);
    assert.deepEqual((await found(folder, "ar/search.html", "كتاب")).sort(), [
      "/ar/topics/kutub",
      "/ar/topics/waqt",
    ]);
    assert.deepEqual(await found(folder, "ar/search.html", "القلم الكتاب"), ["/ar/topics/kutub"]);
    for (const words of ["时间", "时", "间", "时间 方法", "管理时间"]) {
      assert.deepEqual(await found(folder, "zh/search.html", words), ["/zh/topics/shijian"], words);
    }
    assert.deepEqual(await found(folder, "zh/search.html", "方时"), []);
  });

  it("lists items as the site does, escaped, and divides them at the words found", () => {
    const [file = ""] = globSync("public/search/en-*/items/*.txt", { cwd: folder }).filter((name) =>
      read(name).includes("/quotations/walking"),
    );
    assert.match(read(file), /^\d+\t<li><p><a href="\/quotations\/walking">On a walk<\/a>/m);
    assert.match(read(file), /walking &amp; talking, one has time &lt; none/);
    assert.deepEqual(splitAroundMatches("Time, the Times", new Set(["time", "times"])), [
      ...["", "Time", ", the ", "Times", ""],
    ]);
    assert.deepEqual(splitAroundMatches("管理时间", new Set(["时间"])), ["管理", "时间", ""]);
  });

  it("allows the script on the search pages alone, with every host", async () => {
    const policy = /default-src 'none';[^"]*; script-src 'self'/;
    const nginx = read("nginx.conf");
    assert.match(nginx, new RegExp(`"~\\^/de/search\\(.*" "${policy.source}"`));
    assert.equal(nginx.match(/script-src/g)?.length, 4);
    const rulesFor = async (host: string, file: string) => {
      const copy = join(line.folder, host);
      await exported(line, copy, "--search", "--for", host);
      return readFileSync(join(copy, file), "utf8");
    };
    const caddy = await rulesFor("caddy", "Caddyfile");
    assert.match(caddy, new RegExp(`header /ar/search Content-Security-Policy "${policy.source}"`));
    const netlify = await rulesFor("netlify", "public/_headers");
    assert.match(
      netlify,
      new RegExp(`^/zh/search\n {2}Content-Security-Policy: ${policy.source}$`, "m"),
    );
    const cloudflare = await rulesFor("cloudflare", "public/_headers");
    assert.match(
      cloudflare,
      /^\/search\n {2}! Content-Security-Policy\n {2}Content-Security-Policy: .*script-src 'self'$/m,
    );
  });

  it("is off unless it is asked for, and goes when it is not asked for again", async () => {
    const copy = join(line.folder, "again");
    cpSync(folder, copy, { recursive: true });
    const second = await exported(line, copy, "--search");
    assert.equal(second.changed, 1, "only nginx.conf, which names the folder");
    await exported(line, copy, "--static");
    const plain = join(line.folder, "plain");
    await exported(line, plain, "--static");
    const files = (place: string) =>
      globSync("public/**", { cwd: place, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => join(parentPath, name).slice(place.length))
        .sort();
    assert.deepEqual(files(copy), files(plain));
    assert(files(plain).every((name) => !name.includes("search") && !name.endsWith(".js")));
    for (const name of files(plain)) {
      assert(readFileSync(plain + name).equals(readFileSync(copy + name)), name);
    }
    assert.doesNotMatch(readFileSync(join(copy, "public/index.html"), "utf8"), /<form/);
  });
});

it("changes few files of the index for a changed and a new item", async () => {
  using line = openCommandLine();
  const word = (number: number) => `w${((number * 2654435761) % 4001).toString(36)}`;
  const items = Array.from({ length: 2000 }, (_, number) => ({
    ...{ type: "topic", path: `/topics/t${number}`, title: `Topic ${number}` },
    body: Array.from({ length: 40 }, (_, at) => word(number * 40 + at)).join(" "),
  }));
  await imported(line, "items.jsonl", items);
  const before = await indexOf(line);
  const [, second] = items;
  await imported(line, "changed.jsonl", [
    { ...second, body: `${second?.body} ${word(7)} zebra` },
    { type: "topic", path: "/topics/new", title: "New", body: `${word(1)} ${word(2)}` },
  ]);
  const afterwards = await indexOf(line);
  const changed = [...afterwards].filter(([name, text]) => before.get(name) !== text);
  assert(afterwards.size > 60, `${afterwards.size} files`);
  assert(changed.length <= 12, changed.map(([name]) => name).join("\n"));
});

async function indexOf(line: CommandLine): Promise<Map<string, string>> {
  await using source = await openStaticSource(readConfig(line.environment), {
    log: createLog("silent"),
  });
  const { reading } = source;
  const files = buildEditionSearchIndex(reading, mainEdition(reading)).files();
  return new Map([...files].map(({ name, text }) => [name, text]));
}
