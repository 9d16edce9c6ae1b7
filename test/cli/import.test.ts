import assert from "node:assert/strict";
import { readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { openRecordForCommand } from "../../src/app/store.ts";
import { readConfig } from "../../src/config.ts";
import { changeItem, saveItem } from "../../src/content/editing/editing.ts";
import { LINE_BYTES_MAX } from "../../src/content/import/lines.ts";
import type { Item } from "../../src/content/items/item.ts";
import type { MergePatch } from "../../src/content/items/merge-patch.ts";
import { type CommandLine, openCommandLine, openSiteLine } from "../support/command-line.ts";

/** What the record holds at a path. */
async function itemAt(line: CommandLine, path: string): Promise<Item | null> {
  await using record = await openRecordForCommand(readConfig(line.environment));
  return await record.content.itemAt(path);
}

async function edit(line: CommandLine, path: string, status: "published"): Promise<void> {
  const file = line.file(
    "edit.jsonl",
    JSON.stringify({ type: "page", path, title: "Edited", status }),
  );
  assert.equal((await line.run("import", file)).code, 0);
}

const GOOD = '{"type":"topic","slug":"a","title":"A","status":"published","sourceKey":"t:a"}';

describe("commonplace import", () => {
  it("refuses texts nested too deeply alone, whatever their status, and keeps the others", async () => {
    using line = openCommandLine();
    const deep = "> ".repeat(5000);
    const page = (path: string, body: string, status: string) =>
      JSON.stringify({ type: "page", path, title: "T", body, status });
    const lines = line.file(
      "pages.jsonl",
      [
        page("/before", "text", "published"),
        page("/deep", `${deep}x`, "published"),
        page("/deep-draft", `${"- ".repeat(60)}x`, "draft"),
        page("/html", `${"<div>".repeat(2000)}x`, "published"),
        JSON.stringify({ type: "quotation", title: "Q", original_text: `${deep}x` }),
        page("/after", "text", "published"),
      ].join("\n"),
    );
    const markdown = line.file(
      "site/deep.md",
      `---\ntitle: Deep\nstatus: published\n---\n${deep}x\n`,
    );
    const { code, out, err } = await line.run("import", lines, markdown);
    assert.equal(code, 1);
    assert.match(out, /^2 created, 0 updated, 0 unchanged, 5 failed/);
    assert.equal((await itemAt(line, "/after"))?.status, "published");
    for (const place of [
      ":2: body",
      ":3: body",
      ":4: body",
      ":5: fields.original_text",
      "deep.md:5: body",
    ]) {
      assert.match(err, new RegExp(`${place}: .*nests deeper`));
    }
  });

  it("reports file, line and key of every bad line and keeps the good ones", async () => {
    using line = openCommandLine();
    const file = line.file(
      "topics.jsonl",
      Buffer.concat([
        Buffer.from(`${GOOD}\r\n\n{"type":"topic","titel":"B"}\nnot json\n`),
        Buffer.from([0x7b, 0xff, 0x0a]),
        Buffer.from(`{"type":"topic","title":"${"x".repeat(LINE_BYTES_MAX)}"}\n`),
        Buffer.from('{"type":"quotation","title":"C","verification":"maybe","year":"old"}\n'),
        Buffer.from('{"type":"topic","path":"/elsewhere/d","title":"D"}\n'),
        Buffer.from('{"type":"topic","slug":"e","title":"E"}'),
      ]),
    );
    const { code, out, err } = await line.spawn("import", file);
    assert.equal(code, 1);
    assert.equal(out.split("\n")[0], "2 created, 0 updated, 0 unchanged, 6 failed");
    assert.deepEqual(
      err.split("\n").map((told) => told.replace(`${file}:`, "")),
      [
        "3: titel: is not a key of topics; did you mean title?",
        "3: title: is missing",
        err
          .split("\n")
          .find((told) => told.includes(":4:"))
          ?.replace(`${file}:`, ""),
        "5: is not UTF-8",
        "6: is longer than 4 MiB",
        "7: fields.year: give a whole number",
        "7: fields.verification: use one of verified, attributed, disputed, misattributed",
        "8: path: Topics stand below /topics/",
      ],
    );
    assert.match(err, /:4: is not JSON: /);
    assert.equal((await itemAt(line, "/topics/a"))?.status, "published");
    assert.equal((await itemAt(line, "/topics/e"))?.status, "draft");
  });

  it("changes nothing the second time", async () => {
    using line = openCommandLine();
    const file = line.file("a.jsonl", `${GOOD}\n`);
    assert.match(
      (await line.run("import", file)).out,
      /^1 created, 0 updated, 0 unchanged, 0 failed/,
    );
    assert.match(
      (await line.run("import", file)).out,
      /^0 created, 0 updated, 1 unchanged, 0 failed/,
    );
    assert.equal((await itemAt(line, "/topics/a"))?.revision, 1);
  });

  it("makes links to items that come later, and tells those to none, keeping the item", async () => {
    using line = openCommandLine();
    const quotation =
      '{"type":"quotation","slug":"q","title":"Q","authors":"a:1","topics":["t:a","t:gone"]}';
    const author = '{"type":"author","slug":"x","title":"X","sourceKey":"a:1"}';
    const file = line.file("all.jsonl", [quotation, GOOD, author].join("\n"));
    const { code, out, err } = await line.run("import", file);
    assert.equal(code, 1);
    assert.match(out, /^3 created, 0 updated, 0 unchanged, 0 failed/);
    assert.equal(
      err,
      `${file}:1: relations.topics: there is no item "t:gone"; the link is left out`,
    );
    const item = await itemAt(line, "/quotations/q");
    assert.equal(item?.relations["authors"]?.length, 1);
    assert.equal(item?.relations["topics"]?.length, 1);
  });

  it("reads a folder of Markdown and says what it left out", async () => {
    using line = openCommandLine();
    line.file("docs/index.md", "# Start\n\n[More](more.md)");
    line.file("docs/more.md", "---\ntitle: More\nmood: wide\n---\n[Start](./index.md)");
    line.file("docs/a.md", "# One");
    line.file("docs/a/index.md", "# Two");
    line.file("docs/picture.png", "");
    line.file("docs/.hidden/secret.md", "# Secret");
    line.file("docs/node_modules/x/readme.md", "# X");
    const docs = join(line.folder, "docs");
    const strict = await line.run("import", docs, "--json");
    assert.equal(strict.code, 1);
    const report = JSON.parse(strict.out);
    assert.deepEqual(
      report.problems.map((problem: Record<string, unknown>) => [
        problem["file"],
        problem["line"],
        problem["field"],
        problem["message"],
      ]),
      [
        [`${docs}/a/index.md`, 1, "path", `/a is also the path of ${docs}/a.md`],
        [`${docs}/more.md`, 3, "mood", "is not a key of pages"],
      ],
    );
    assert.deepEqual(report.leftOut, { ".png": 1, "hidden files and folders": 1 });
    assert.deepEqual([report.created, report.updated, report.failed], [1, 1, 2]);
    assert.equal((await itemAt(line, "/"))?.body, "[More](/more)");

    const lenient = await line.run("import", docs, "--lenient", "--publish");
    assert.equal(lenient.code, 1, "two files still want one path");
    assert.match(lenient.err, /more\.md:3: mood: warning: is not a key of pages/);
    assert.equal((await itemAt(line, "/more"))?.status, "published");
    assert.equal(await itemAt(line, "/secret"), null);
  });

  it("publishes nothing that says it is not public, under any flag", async () => {
    using line = openCommandLine();
    const hidden = [
      "draft: true",
      "draft: yes",
      "Draft: true",
      "private: true",
      "unlisted: true",
      "headless: true",
      "build: { render: never }",
      "_build: { render: false }",
      "published: false",
      'published: "2999-01-01"',
      "expiryDate: 2020-01-01",
      "expires: 2020-01-01T00:00:00Z",
      "unpublishdate: soon",
      "publishDate: 2999-01-01",
      "date: 2999-01-01 10:00:00 +0100",
      "date: some day in 2999",
      "publishDate: 2999/01/01",
      "publishDate: 29990101",
      "publishDate: 2999-01",
      "publishDate: 31.12.2999",
      "publishDate: soon",
      "pubDate: 1 Feb 2999",
      "pubDate: 30 Feb 2020",
    ];
    const open = [
      "build: { list: never }",
      "draft: false",
      "published: true",
      "date: 2020-01-01",
      "date: 13.5.2020",
      "publishDate: 2020/01/01",
      "expiryDate: 2999-01-01",
    ];
    for (const [at, key] of [...hidden, ...open].entries()) {
      line.file(`site/page-${at}.md`, `---\ntitle: Page\n${key}\n---\nText`);
    }
    const site = join(line.folder, "site");
    const strict = await line.run("import", site, "--publish", "--json");
    assert.equal(strict.code, 1);
    for (const [at, key] of hidden.entries()) {
      assert.equal(await itemAt(line, `/page-${at}`), null, key);
    }
    for (const flags of [["--lenient"], ["--lenient", "--publish"], ["--lenient", "--draft"]]) {
      const { out } = await line.run("import", site, "--json", ...flags);
      const { problems } = JSON.parse(out);
      for (const [at, key] of hidden.entries()) {
        assert.equal((await itemAt(line, `/page-${at}`))?.status, "draft", `${key} ${flags}`);
        const file = join(site, `page-${at}.md`);
        const told = problems.find((problem: { file: string }) => problem.file === file);
        assert.match(told?.message ?? "", /: the item is kept as a draft/, key);
        assert.equal(told?.line, 3);
      }
    }
    await line.run("import", site, "--lenient", "--publish");
    for (const at of open.keys()) {
      const { status } = (await itemAt(line, `/page-${hidden.length + at}`)) ?? {};
      assert.equal(status, "published", String(open[at]));
    }
    const last = await itemAt(line, `/page-${hidden.length + open.length - 1}`);
    assert.equal(last?.expireAt, "2999-01-01T00:00:00.000Z");
  });

  it("says which files that look like content it left out and why, and ends with 1", async () => {
    using line = openCommandLine();
    const folder = line.file("old/a.md", "# A\n\n[Linked](linked.pdf)").replace(/\/a\.md$/, "");
    const pdf = "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n%%EOF\n";
    const prose = `${"We met on Thursday and talked about the garden. ".repeat(5)}\n`;
    line.file("old/linked.pdf", pdf);
    for (const name of ["robots.txt", "pictures/a.png", "_data/list.csv"])
      line.file(`old/${name}`, prose);
    assert.equal((await line.run("import", folder)).code, 0);
    line.file("old/minutes.pdf", pdf);
    line.file("old/history.txt", prose);
    line.file("old/members.xlsx", "x");
    line.file("old/help/index.php", "<?php echo 1;");
    symlinkSync(join(folder, "a.md"), join(folder, "b.md"));
    symlinkSync(join(folder, "help"), join(folder, "c"));
    const { code, out } = await line.run("import", folder);
    assert.equal(code, 1);
    const told = [
      ...out
        .replaceAll(`${folder}/`, "")
        .matchAll(/^Left out: 1 files (\([^)]*\)): .* \((.*)\)$/gm),
    ];
    assert.deepEqual(
      told.map(([_line, kind, name]) => `${kind} ${name}`),
      [
        "(.php) help/index.php",
        "(.txt) history.txt",
        "(.xlsx) members.xlsx",
        "(.pdf) minutes.pdf",
        "(symbolic links) b.md",
      ],
    );
    assert.match(out, /not content were left out: 1 \.csv, 1 \.png, 1 \.txt, 1 symbolic links$/m);
  });

  it("leaves the status of an item alone unless the import states one", async () => {
    using line = openCommandLine();
    await edit(line, "/guide", "published");
    const file = line.file("guide.md", "# Guide");
    assert.equal((await line.run("import", file)).code, 0);
    assert.partialDeepStrictEqual(await itemAt(line, "/guide"), {
      status: "published",
      title: "Guide",
    });
    assert.equal((await line.run("import", file, "--draft")).code, 0);
    assert.equal((await itemAt(line, "/guide"))?.status, "draft");
  });

  it("makes no site in a dry run", async () => {
    using line = openCommandLine();
    const file = line.file("a.jsonl", `${GOOD}\n{}\n`);
    const { code, out } = await line.run("import", file, "--dry-run");
    assert.equal(code, 1);
    assert.match(out, /^Would import: 1 created, 0 updated, 0 unchanged, 1 failed/);
    assert.deepEqual(readdirSync(line.folder), ["a.jsonl"]);
  });

  it("changes nothing in a dry run", async () => {
    using line = await openSiteLine();
    const file = line.file("a.jsonl", `${GOOD}\n{}\n`);
    const { code, out } = await line.run("import", file, "--dry-run");
    assert.equal(code, 1);
    assert.match(out, /^Would import: 1 created, 0 updated, 0 unchanged, 1 failed/);
    assert.equal(await itemAt(line, "/topics/a"), null);
  });

  it("reads a site folder: profile, types, content", async () => {
    using line = openCommandLine();
    const fixture = join(import.meta.dirname, "../support/fixture");
    const { code, err } = await line.run("import", fixture);
    assert.deepEqual([code, err], [0, ""]);
    await using record = await openRecordForCommand(readConfig(line.environment));
    assert.equal((await record.content.site())?.name, "Quotations Association");
    assert.ok((await record.content.types()).has("event"));
  });

  it("merges what comes again with what was edited on the site, and overwrites nothing unseen", async () => {
    using line = openCommandLine();
    const text = "# Time\n\nOne line.\n\nAnother line.\n\nA third line.\n";
    const file = line.file("docs/time.md", text);
    const folder = join(line.folder, "docs");
    assert.equal((await line.run("import", folder)).code, 0);
    const edit = async (patch: MergePatch) => {
      await using record = await openRecordForCommand(readConfig(line.environment));
      const { id } = (await record.content.itemAt("/time")) ?? assert.fail();
      await changeItem(record.content, { kind: "operator" }, id, { patch, now: new Date() });
    };
    await edit({ summary: "Edited here.", body: text.slice(8).replace("Another", "An edited") });
    const kept = /^Edited on the site, kept: \/time \(.*time\.md:1\): /m;

    const same = await line.run("import", folder);
    assert.equal(same.code, 0);
    assert.match(same.out, /^0 created, 0 updated, 1 unchanged, 0 failed$/m);
    assert.match(same.out, new RegExp(`${kept.source}summary, body$`, "m"));

    line.file("docs/time.md", text.replace("A third", "The third"));
    const merged = await line.run("import", folder);
    assert.match(merged.out, /^0 created, 1 updated, 0 unchanged, 0 failed$/m);
    const both = (await itemAt(line, "/time"))?.body ?? "";
    assert.match(both, /An edited line\.\n\nThe third line\./);

    line.file("docs/time.md", text.replace("Another", "Not another"));
    for (const options of [["--dry-run"], []]) {
      const { code, out, err } = await line.run("import", folder, ...options);
      assert.equal(code, 1);
      assert.match(out, /0 created, 0 updated, 0 unchanged, 0 failed, 1 in conflict$/m);
      assert.match(
        err,
        /time\.md:\d+: body: was changed on the site and in the file, to "One line\. An edited line\. The third line\." and to "One line\. Not another line\. A third line\."; the site's is/,
      );
    }
    assert.equal((await itemAt(line, "/time"))?.body, both);

    await edit({ body: `${both}\n\n${"Long. ".repeat(30)}` });
    const long = await line.run("import", folder);
    assert.match(
      long.err,
      /, to "…An edited line\. The third line\. Long\. .*…" and to "…Not another/,
    );
    await edit({ body: both });

    assert.equal((await line.run("import", file, "--prefer", "site")).code, 0);
    assert.equal((await itemAt(line, "/time"))?.body, both);
    await edit({ title: "Times" });
    line.file("docs/time.md", text.replace("# Time", "# The time"));
    const titles = await line.run("import", folder);
    assert.match(
      titles.err,
      /title: was changed .*, to "Times" and to "The time"; the site's is kept/,
    );
    assert.equal((await line.run("import", folder, "--prefer", "file")).code, 0);
    const settled = await itemAt(line, "/time");
    assert.deepEqual([settled?.title, settled?.summary], ["The time", "Edited here."]);
  });

  it("reports what it would change of a page that no import has brought", async () => {
    using line = openCommandLine();
    line.file("docs/index.md", "# Start\n");
    assert.equal((await line.run("import", join(line.folder, "docs"))).code, 0);
    {
      await using record = await openRecordForCommand(readConfig(line.environment));
      const page = { type: "page", path: "/own", title: "Own", summary: "", body: "Written here." };
      const rest = { fields: {}, relations: {}, status: "draft" as const };
      await saveItem(record.content, { kind: "operator" }, { ...page, ...rest }, new Date());
    }
    line.file("docs/own.md", "# Own\n\nFrom a file.\n");
    const { code, err } = await line.run("import", join(line.folder, "docs"));
    assert.equal(code, 1);
    assert.match(err, /own\.md:\d+: body: was changed on the site and in the file/);
    assert.equal((await itemAt(line, "/own"))?.body, "Written here.");
  });

  it("names the settings and types that a site folder replaces", async () => {
    using line = openCommandLine();
    const profile = (name: string) =>
      `name: ${name}\ndescription: b\nwhenToUse: [c]\ncontact: {email: a@b.example}\n`;
    line.file("site/site.yaml", profile("One"));
    line.file("site/content/index.md", "# Home\n");
    const first = await line.run("import", join(line.folder, "site"));
    assert.deepEqual([first.code, first.out.includes("replaces")], [0, false]);
    line.file("site/site.yaml", profile("Two"));
    line.file(
      "site/types/event.yaml",
      "name: event\nlabel: Event\nplural: Events\nlistPath: /events\n",
    );
    const { out } = await line.run("import", join(line.folder, "site"), "--dry-run");
    assert.match(out, /site\.yaml replaces settings of the site: name, types\.event$/m);
  });

  it("merges settings and types with what was changed on the site since the last import", async () => {
    using line = openCommandLine();
    const folder = join(line.folder, "site");
    const describe = (name: string, email: string) =>
      line.file(
        "site/site.yaml",
        `name: ${name}\ndescription: b\nwhenToUse: [c]\ncontact: {email: ${email}}\n`,
      );
    const declare = (name: string, label: string) =>
      line.file(
        `site/types/${name}.yaml`,
        `name: ${name}\nlabel: ${label}\nplural: ${label}s\nlistPath: /${name}s\n`,
      );
    const api = async (...words: string[]) => {
      const { code, out, err } = await line.run("api", ...words);
      assert.equal(code, 0, err);
      return JSON.parse(out);
    };
    const onSite = async () => {
      const { name, description, contact } = await api("GET", "/settings");
      const { types } = await api("GET", "/settings/types");
      const labels = types.map((type: { label: string }) => type.label);
      return [name, description, contact.email, ...labels];
    };
    const patch = async (settings: object) =>
      await api(
        "PATCH",
        "/settings",
        "--header",
        "If-Match: *",
        "--data",
        JSON.stringify(settings),
      );
    describe("One", "a@b.example");
    declare("event", "Event");
    line.file("site/content/index.md", "# Home\n");
    assert.equal((await line.run("import", folder)).code, 0);

    await patch({ description: "On the site", contact: { email: "site@b.example" } });
    const { types } = await api("GET", "/settings/types");
    const zine = { name: "zine", label: "Zine", plural: "Zines", listPath: "/zines" };
    const declared = JSON.stringify({ types: [...types, zine] });
    await api("PUT", "/settings/types", "--header", "If-Match: *", "--data", declared);
    describe("Two", "a@b.example");
    declare("album", "Album");
    const merged = await line.run("import", folder);
    assert.equal(merged.code, 0, merged.err);
    assert.match(merged.out, /replaces settings of the site: name, types\.album$/m);
    assert.match(merged.out, /are kept: .*description/);
    const both = ["Two", "On the site", "site@b.example", "Album", "Event", "Zine"];
    assert.deepEqual(await onSite(), both);

    describe("Two", "file@b.example");
    const inConflict = await line.run("import", folder);
    assert.equal(inConflict.code, 1);
    assert.match(
      inConflict.err,
      /site\.yaml:1: contact\.email: was changed on the site and in the/,
    );
    assert.deepEqual(await onSite(), both);
    assert.equal((await line.run("import", folder, "--prefer", "site")).code, 0);
    assert.equal((await line.run("import", folder)).code, 0);
    assert.deepEqual(await onSite(), both);
    describe("Two", "later@b.example");
    assert.equal((await line.run("import", folder, "--prefer", "file")).code, 0);
    assert.equal((await onSite())[2], "later@b.example");
  });

  it("imports nothing when the site is described wrongly", async () => {
    using line = openCommandLine();
    line.file(
      "site/site.yaml",
      "name: A\ndescription: b\nwhenToUse: []\ncontact: {email: a@b.example}\n",
    );
    line.file("site/types/event.yaml", "name: Event\n");
    line.file("site/content/a.jsonl", GOOD);
    const { code, err } = await line.run("import", join(line.folder, "site"));
    assert.equal(code, 2);
    assert.match(err, /site\.yaml:3: whenToUse: /);
    assert.match(err, /types\/event\.yaml:1: name: /);
    assert.match(err, /error: Nothing was imported: correct the description of the site first$/);
    assert.equal(await itemAt(line, "/topics/a"), null);
  });

  it("says where theme.css is wrong, and refuses a folder that states rules twice", async () => {
    using line = openCommandLine();
    const profile =
      "name: A\ndescription: b\nwhenToUse: [c]\ncontact: {email: a@b.example}\nlanguage: en\n";
    line.file("site/site.yaml", profile);
    line.file("site/content/a.jsonl", GOOD);
    const outcome = async (css: string) => {
      line.file("site/theme.css", css);
      const { code, err } = await line.run("import", join(line.folder, "site"));
      return { code, err };
    };
    const fixed = await outcome("a { color: red }\n.lead { position: fixed }\n");
    assert.equal(fixed.code, 2);
    assert.match(fixed.err, /theme\.css:2: position: fixed is not allowed/);
    const long = await outcome(`/* ${"a".repeat(20_000)} */`);
    assert.equal(long.code, 2);
    assert.match(long.err, /theme\.css:1: .*20,?000/);
    line.file("site/site.yaml", `${profile}look: { css: "a { color: red }" }\n`);
    const twice = await outcome("a { color: blue }\n");
    assert.equal(twice.code, 2);
    assert.match(twice.err, /theme\.css:1: site\.yaml states rules too \(look\.css\)/);
    assert.equal(await itemAt(line, "/topics/a"), null);
    assert.equal((await outcome("\n")).code, 0);
  });

  it("leaves a theme.css next to the texts of another program alone", async () => {
    using line = openCommandLine();
    line.file(
      "site/site.yaml",
      "name: A\ndescription: b\nwhenToUse: [c]\ncontact: {email: a@b.example}\n",
    );
    line.file("site/page.md", "# Page\n\nText.\n");
    line.file("site/theme.css", "@import 'https://elsewhere.example/a.css';\n");
    const { code, err } = await line.run("import", join(line.folder, "site"));
    assert.equal(code, 0, err);
    assert.notEqual(await itemAt(line, "/page"), null);
  });

  it("takes many more items than one batch, and keeps their order", async () => {
    using line = openCommandLine();
    const lines = Array.from({ length: 450 }, (_, number) =>
      JSON.stringify({
        type: "topic",
        slug: `n${number}`,
        title: `N${number}`,
        see_also: `/topics/n${449 - number}`,
      }),
    );
    const { code, out } = await line.run("import", line.file("many.jsonl", lines.join("\n")));
    assert.equal(code, 0);
    assert.match(out, /^450 created/);
    const [first, last] = [await itemAt(line, "/topics/n0"), await itemAt(line, "/topics/n449")];
    assert.deepEqual(first?.relations["see_also"], [{ to: last?.id, note: null }]);
    assert.ok((first?.id ?? "") < (last?.id ?? ""), "ids follow the order of the file");
  });

  it("is told what it cannot take: exit 2, one line", async () => {
    using line = openCommandLine();
    const picture = line.file("a.png", "");
    for (const [words, message] of [
      [
        ["import", join(line.folder, "nothing")],
        /^error: Cannot import .*nothing: it does not exist$/,
      ],
      [["import", picture], /^error: Cannot import .*a\.png: give a folder, a Markdown file/],
      [["import"], /^error: missing required argument 'path'$/],
      [
        ["import", picture, "--publish", "--draft"],
        /^error: option '--publish' cannot be used with/,
      ],
    ] as const) {
      const { code, out, err } = await line.run(...words);
      assert.equal(code, 2, err);
      assert.match(err, message);
      assert.equal(err.split("\n").length, 1);
      assert.equal(out, "");
    }
  });
});
