import assert from "node:assert/strict";
import { mkdtempDisposableSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import Papa from "papaparse";
import { changeItem } from "../../../src/content/editing/editing.ts";
import { unpackZip } from "../../../src/files/zip-unpacking.ts";
import { downloadByForm } from "../../support/download-by-form.ts";
import { png } from "../../support/media-bytes.ts";
import { type Browser, openPeopleSite, type Shown } from "../../support/people.ts";
import { sendFiles } from "../../support/send-files.ts";
import { found } from "../../support/until.ts";
import { zipOf } from "../../support/workbook-bytes.ts";

const site = await openPeopleSite();
after(() => site[Symbol.asyncDispose]());

/** Sends a file as the form for imports does, with the token of a page. */
async function sendFile(browser: Browser, file: File, page: string): Promise<Response> {
  return await sendFiles(site, browser, { page, path: "/admin/jobs/import", files: [file] });
}

/** @returns the page of the dry run. */
async function upload(browser: Browser, file: File): Promise<string> {
  const answer = await sendFile(browser, file, "/admin/jobs");
  assert.equal(answer.status, 303);
  return answer.headers.get("location") ?? "";
}

/** The page of a job once it has ended. */
async function endedPage({ get }: Browser, address: string | null): Promise<Shown> {
  return await found(async () => {
    const page = await get(address ?? "");
    return page.text.includes('data-progress=""') ? page : undefined;
  });
}

function chosen(page: Shown): (string | undefined)[] {
  const selects = [...page.text.matchAll(/<select id="column\.\d+"[^>]*>(.*?)<\/select>/gs)];
  return selects.map(([, options = ""]) => /value="([^"]*)" selected/.exec(options)?.[1]);
}

/** The table in the ZIP of a whole report. */
async function reportIn(zip: Buffer): Promise<string> {
  using folder = mkdtempDisposableSync(join(tmpdir(), "commonplace-report-"));
  const file = join(folder.path, "report.zip");
  writeFileSync(file, zip);
  await unpackZip(file, folder.path);
  return readFileSync(join(folder.path, "report.csv"), "utf8");
}

describe("the screen that takes a file", () => {
  it("shows what columns are taken for, tries it, is corrected, and imports the same file", async () => {
    const anna = await site.person("anna@example.org", "manager");
    const table =
      "Spruch,Wer,Wo\nEin Satz,Seneca,<i>Rom</i>\nNoch einer,Ovid,Tomi\nEin Satz,Seneca,<i>Rom</i>\n";
    const tried = await upload(anna, new File([table], "Sprüche.csv"));
    const first = await endedPage(anna, tried);
    assert.match(first.text, /What would be done/);
    assert.match(first.text, /Sprüche\.csv<\/b> Rows: 3\. Heading rows: 1\./);
    assert.match(first.text, /Line 4: is the same as line 2; skipped/);
    const wanted = { "column.0": "body", "column.1": "authors", "column.2": "-" };
    const typed = await anna.send(`${tried}/repeat`, { type: "quotation", ...wanted, run: "true" });
    const guessed = await endedPage(anna, typed.location);
    assert.match(guessed.text, /What would be done/, "another type is tried first");
    const corrected = await anna.send(`${typed.location}/repeat`, {
      ...{ type: "quotation", ...wanted, run: "false" },
    });
    const second = await endedPage(anna, corrected.location);
    assert.deepEqual(chosen(second), ["body", "authors", "-"]);
    assert.match(second.text, /<td>2<\/td><th scope="row">[^<]*Ein Satz[^<]*<\/th><td>New<\/td>/);
    assert.match(second.text, /&lt;i&gt;Rom/);
    const { location } = await anna.send(`${corrected.location}/repeat`, {
      ...{ type: "quotation", ...wanted, status: "published", run: "true" },
    });
    const done = await endedPage(anna, location);
    assert.match(done.text, /What was done/);
    assert.doesNotMatch(done.text, /Import now/);
    assert.match(await (await site.app.get("/quotations")).text(), /Ein Satz/);
  });

  it("names what would change in each item, in the language of the reader", async () => {
    const ida = await site.person("ida@example.org", "manager");
    const item = { type: "work", path: "/works/walden", title: "Walden", status: "published" };
    const lines = (more: object) => new File([JSON.stringify({ ...item, ...more })], "w.jsonl");
    const first = await upload(ida, lines({}));
    await endedPage(ida, first);
    const { location } = await ida.send(`${first}/repeat`, { run: "true" });
    await endedPage(ida, location);
    const changes = { title: "Walden Pond", year: 1854, sourceKey: "w" };
    const tried = await upload(ida, lines(changes));
    assert.match(
      (await endedPage(ida, tried)).text,
      /<td>Changed<div class="state">changed: Title, Key that identifies the item, Year<\/div>/,
    );
    const german = await ida.get(tried, { "Accept-Language": "de" });
    assert.match(
      german.text,
      /<td>Geändert<div class="state">geändert: Titel, Schlüssel zum Wiedererkennen des Inhalts, Jahr<\/div>/,
    );
  });

  it("leads to the drafts that came in, and asks which side wins where both were changed", async () => {
    const paul = await site.person("paul@example.org", "manager");
    const lines = (title: string) =>
      new File([JSON.stringify({ type: "page", path: "/both", title })], "both.jsonl");
    const importNow = async (tried: string, choices: Record<string, string>) => {
      await endedPage(paul, tried);
      const { location } = await paul.send(`${tried}/repeat`, { ...choices, run: "true" });
      return { address: location ?? "", text: (await endedPage(paul, location)).text };
    };
    const first = await importNow(await upload(paul, lines("First")), {});
    assert.match(
      first.text,
      /not see yet: 1\. .*<a href="\/admin\/content\?status=draft">To the drafts/,
    );
    const { content } = site.app.apiParts.stores;
    const { id } = (await content.itemAt("/both")) ?? assert.fail();
    const patch = { title: "Edited here" };
    await changeItem(content, { kind: "operator" }, id, { patch, now: new Date() });
    const tried = await upload(paul, lines("In the file"));
    const report = (await endedPage(paul, tried)).text;
    assert.match(report, /name="prefer"/);
    assert.match(report, /<button name="run" value="true">/, "a side can be chosen at once");
    const second = await importNow(tried, {});
    assert.match(second.text, /<td>Changed on both sides<\/td>/);
    assert.match(second.text, /to &quot;Edited here&quot; and to &quot;In the file&quot;/);
    assert.match(second.text, /<option value="file">Take what the file says/);
    assert.equal((await content.item(id))?.title, "Edited here");
    const settled = await paul.send(`${second.address}/repeat`, { prefer: "site", run: "false" });
    const checked = await endedPage(paul, settled.location);
    assert.match(checked.text, /<button name="run" value="true">/, "the choice can be kept");
    await importNow(second.address, { prefer: "file" });
    assert.equal((await content.item(id))?.title, "In the file");
  });

  it("says in the language of the screen what is wrong, and in English to programs", async () => {
    const gerda = await site.person("gerda@example.org", "owner");
    const lines = '{"type":"page","title":"A","path":"/a","colour":1}\n{"type":"page';
    const address = await upload(gerda, new File([lines], "lines.jsonl"));
    await endedPage(gerda, address);
    const { text } = await gerda.get(address, { "Accept-Language": "de" });
    assert.match(text, /Zeile 1, colour: ist keine Angabe, die es für solche Inhalte gibt/);
    assert.match(text, /Zeile 2: ist kein JSON/);
    assert.match((await gerda.get(address)).text, /Line 2: is not JSON/);
    const damaged = await upload(gerda, new File(["PK no archive"], "broken.zip"));
    await endedPage(gerda, damaged);
    const failed = await gerda.get(damaged, { "Accept-Language": "de" });
    assert.match(
      failed.text,
      /<p class="fault">broken\.zip lässt sich nicht auspacken: es ist beschädigt oder kein ZIP<\/p>/,
    );
  });

  it("pages what becomes of many rows", async () => {
    const berta = await site.person("berta@example.org", "manager");
    const rows = Array.from(
      { length: 70 },
      (_, n) => `Number ${n} of many,And its text ${n}.\n`,
    ).join("");
    const address = await upload(berta, new File([`title,summary\n${rows}`], "many.csv"));
    const first = await endedPage(berta, address);
    assert.match(first.text, /70 of 70/);
    assert.doesNotMatch(first.text, /Number 69/);
    const [, next = ""] = /href="([^"]*\?from=50)#items"/.exec(first.text) ?? [];
    assert.match((await berta.get(next)).text, /Number 69/);
  });

  it("offers the correction where the mapping does not fit, and says what is no table", async () => {
    const carla = await site.person("carla@example.org", "manager");
    const page = await endedPage(carla, await upload(carla, new File(["1,2\n3,4\n"], "n.csv")));
    assert.match(page.fault || page.text, /No column looks like a title or a text/);
    assert.equal(chosen(page).length, 2);
    const broken = await upload(carla, new File(["PK\x03\x04 no zip"], "a.xlsx"));
    assert.match((await endedPage(carla, broken)).text, /it is damaged, or is not a workbook/);
  });

  it("tries a folder as a ZIP with its pictures and redirects, and imports the same file", async () => {
    const dora = await site.person("dora@example.org", "manager");
    const folder = zipOf([
      {
        name: "old/our-trees.md",
        bytes: Buffer.from("---\ntitle: Our trees\n---\n\n![A tree](tree.png)\n"),
      },
      { name: "old/bad.md", bytes: Buffer.from("---\ntitle: Bad\nmood: 3\n---\n\nText\n") },
      { name: "old/tree.png", bytes: Buffer.concat([png(4, 4), Buffer.from("place")]) },
      { name: "old/minutes.odt", bytes: Buffer.from("not read") },
      { name: "old/_redirects", bytes: Buffer.from("/baeume /our-trees 301\n") },
    ]);
    const tried = await upload(dora, new File([new Uint8Array(folder)], "site.zip"));
    const first = await endedPage(dora, tried);
    assert.match(first.text, /What would be done/);
    assert.match(first.text, /site\.zip\/old\/bad\.md, Line 3, mood: is not a key of/);
    assert.match(
      first.text,
      /<th scope="row">Our trees<div class="state">site\.zip\/old\/our-trees\.md:2<\/div>/,
    );
    assert.match(
      first.text,
      /<p class="hint">Left out of the file: [^<]+ \(site\.zip\/old\/tree\.png\)<\/p>/,
    );
    assert.doesNotMatch(first.text, /Line 1\b/);
    assert.match(first.text, /1 files \(\.odt\): texts of this form are not read here/);
    assert.doesNotMatch(first.text, /commonplace-temporary/);
    assert.equal((await site.app.get("/our-trees")).status, 404);
    const run = { run: "true", lenient: "true", status: "published" };
    const { location } = await dora.send(`${tried}/repeat`, run);
    const done = await endedPage(dora, location);
    assert.match(done.text, /What was done/);
    assert.match(done.text, /<dt>New redirects<\/dt><dd>1<\/dd>/);
    const page = await (await site.app.get("/our-trees")).text();
    assert.match(page, /\/media\//);
  });

  it("takes several files chosen together as one folder", async () => {
    const wilma = await site.person("wilma@example.org", "manager");
    const files = ["First", "Second"].map(
      (title) => new File([`---\ntitle: ${title} of two\n---\n\nText.\n`], `${title}.md`),
    );
    assert.match(
      (await wilma.get("/admin/jobs")).text,
      /<input id="file" type="file"[^>]* multiple/,
    );
    const chosenFiles = { page: "/admin/jobs", path: "/admin/jobs/import", files };
    const answer = await sendFiles(site, wilma, chosenFiles);
    const tried = await endedPage(wilma, answer.headers.get("location"));
    assert.match(tried.text, /<h1>Import: First\.md \+ 1<\/h1>/);
    assert.match(tried.text, /First of two<div class="state">First\.md:2<.*Second of two/s);
    const none = await sendFiles(site, wilma, { ...chosenFiles, files: [new File([], "")] });
    assert.match(await none.text(), /No file was sent/);
  });

  it("asks which program a folder was written for, where another one was recognised", async () => {
    const hugo = await site.person("hugo@example.org", "manager");
    const about = "---\ntitle: About\ntags: [one]\n---\n\nText.\n";
    const folder = zipOf([{ name: "old/content/hugo-page.md", bytes: Buffer.from(about) }]);
    const tried = await upload(hugo, new File([new Uint8Array(folder)], "old.zip"));
    const first = await endedPage(hugo, tried);
    assert.match(first.text, /is read as a folder of Markdown/);
    const corrected = await hugo.send(`${tried}/repeat`, { generator: "hugo", run: "false" });
    const second = await endedPage(hugo, corrected.location);
    assert.match(second.text, /is read as a folder of Hugo/);
    assert.match(second.text, /<option value="hugo" selected>/);
    const again = await hugo.send(`${corrected.location}/repeat`, {
      generator: "detect",
      run: "false",
    });
    const third = await endedPage(hugo, again.location);
    assert.match(third.text, /is read as a folder of Markdown/);
    const run = { generator: "hugo", status: "published", run: "true" };
    await endedPage(hugo, (await hugo.send(`${tried}/repeat`, run)).location);
    assert.equal((await site.app.get("/hugo-page")).status, 200);

    const later = await upload(hugo, new File([new Uint8Array(folder)], "old.zip"));
    const asLastTime = await endedPage(hugo, later);
    assert.match(
      asLastTime.text,
      /As last time, &quot;old&quot; is read with Hugo|As last time, "old" is read with Hugo/,
    );
    assert.match(asLastTime.text, /<option value="hugo" selected>/);
    await endedPage(
      hugo,
      (await hugo.send(`${later}/repeat`, { generator: "detect", run: "true" })).location,
    );
    const last = await endedPage(
      hugo,
      await upload(hugo, new File([new Uint8Array(folder)], "old.zip")),
    );
    assert.match(last.text, /is read as a folder of Markdown/);
  });

  it("is closed to those who may not import", async () => {
    const edith = await site.person("edith@example.org", "editor");
    const answer = await sendFile(edith, new File(["title\nOne\n"], "a.csv"), "/admin/media");
    assert.equal(answer.status, 403);
  });
});

it("lists older jobs on further pages", async () => {
  await using other = await openPeopleSite();
  const olga = await other.person("olga@example.org", "owner");
  for (let made = 0; made < 21; made += 1) {
    const { location } = await olga.send("/admin/jobs/export", {});
    await endedPage(olga, location);
  }
  const jobLinks = (text: string) => text.match(/<li><a href="\/admin\/jobs\/[^"]+"/g) ?? [];
  const first = (await olga.get("/admin/jobs")).text;
  const next = /href="(\/admin\/jobs\?cursor=[^"]+)"/.exec(first)?.[1] ?? "";
  const second = (await olga.get(next)).text;
  assert.deepEqual([jobLinks(first).length, jobLinks(second).length], [20, 1]);
  assert.doesNotMatch(second, /\?cursor=/);
});

describe("a folder whose posts were guessed wrong", () => {
  it("is corrected in words, and tried again", async () => {
    const nora = await site.person("nora@example.org", "owner");
    const post = {
      name: "_posts/2020-01-02-walk.md",
      bytes: Buffer.from("---\ntitle: Walk\n---\nOn."),
    };
    const config = { name: "_config.yml", bytes: Buffer.from("title: Society\n") };
    const tried = await upload(
      nora,
      new File([new Uint8Array(zipOf([post, config]))], "jekyll.zip"),
    );
    const guessed = (await endedPage(nora, tried)).text;
    assert.match(guessed, /Dated posts: 1/);
    assert.match(guessed, /for pages instead, choose what posts become as post=page/);
    assert.doesNotMatch(guessed, /\s--[a-z]/, "screens have no command line");
    const wrong = await nora.send(`${tried}/repeat`, { as: "post=nothing", run: "false" });
    assert.match(
      (await endedPage(nora, wrong.location)).text,
      /Cannot read &quot;post=nothing&quot;|Cannot read "post=nothing"/,
    );
    const { location } = await nora.send(`${tried}/repeat`, { as: "post=page", run: "false" });
    const corrected = await endedPage(nora, location);
    assert.doesNotMatch(corrected.text, /Dated posts: 1/);
    assert.match(corrected.text, /<input id="as" name="as" value="post=page"/);
  });
});

describe("lists of redirects", () => {
  it("are taken as files of Apache, whose rules hold for all below an address, and Netlify", async () => {
    const olga = await site.person("olga@example.org", "manager");
    for (const [name, text, count] of [
      [".htaccess", "Redirect 301 /from-apache /about\n", 2],
      ["_redirects", "/from-netlify /about 301\n", 1],
    ] as const) {
      const tried = await upload(olga, new File([text], name));
      const { text: page } = await endedPage(olga, tried);
      assert.equal(Number(/<dt>New redirects<\/dt><dd>(\d+)<\/dd>/.exec(page)?.[1]), count, name);
    }
  });

  it("have one form for the places of redirects that fail and of those that are not needed", async () => {
    const uta = await site.person("uta@example.org", "manager");
    const text = "/from-netlify /about 301\n/about/ /about 301\n/lost /no-such-page 301\n";
    const tried = await upload(uta, new File([text], "_redirects"));
    const { text: page } = await endedPage(uta, tried);
    assert.match(page, /<li>_redirects, Line 2: .*; not needed<\/li>/);
    assert.match(page, /<li>_redirects, Line 3: /);
  });
});

describe("the report of an import with more items than the screen lists", () => {
  it("is downloaded whole, after the dry run and after the import", async () => {
    const vera = await site.person("vera@example.org", "manager");
    const rows = Array.from({ length: 1200 }, (_, at) =>
      JSON.stringify({
        type: "page",
        path: `/many/${at}`,
        title: at === 7 ? "=1+1" : `Page ${at}`,
      }),
    );
    const lines = [...rows, '{"type":"page","path":"/many/x"}'].join("\n");
    const tried = await upload(vera, new File([lines], "many.jsonl"));
    const first = await endedPage(vera, tried);
    assert.match(
      first.text,
      /The first 1,000 of 1,201 are listed; the whole report has all of them/,
    );
    const { location } = await vera.send(`${tried}/repeat`, { run: "true" });
    await endedPage(vera, location);
    for (const address of [tried, location ?? ""]) {
      const place = { page: address, path: `${address}/result` };
      const answer = await downloadByForm(site, vera, place);
      const name = answer.headers.get("content-disposition");
      assert.equal(name, 'attachment; filename="import-report.zip"');
      const text = await reportIn(Buffer.from(await answer.arrayBuffer()));
      const table = Papa.parse<Record<string, string>>(text, {
        header: true,
        skipEmptyLines: true,
      });
      const created = table.data.filter(({ outcome }) => outcome === "created");
      assert.equal(created.length, 1200);
      assert.deepEqual(created.at(7)?.["title"], "'=1+1");
      assert.deepEqual(
        table.data
          .filter(({ outcome }) => outcome === "error")
          .map(({ line, field }) => [line, field]),
        [["1201", "title"]],
      );
    }
  });
});
