import assert from "node:assert/strict";
import { readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { openRecordForCommand } from "../../src/app/store.ts";
import { readConfig } from "../../src/config.ts";
import type { Item } from "../../src/content/items/item.ts";
import { type CommandLine, openSiteLine } from "../support/command-line.ts";
import { gif, jpeg, PDF, png } from "../support/media-bytes.ts";

function kept({ folder }: CommandLine): string[] {
  return readdirSync(join(folder, "data", "media")).filter((name) => name !== "receiving");
}

async function itemAt(line: CommandLine, path: string): Promise<Item> {
  await using store = await openRecordForCommand(readConfig(line.environment));
  const item = await store.content.itemAt(path);
  assert(item !== null, `nothing at ${path}`);
  return item;
}

async function listed(line: CommandLine, ...flags: string[]) {
  const { out } = await line.run("media", "list", "--json", ...flags);
  return JSON.parse(out).media;
}

describe("media add", () => {
  it("publishes files and prints how a text shows them", async () => {
    using line = await openSiteLine();
    const picture = line.file("Garden [1].png", png(4, 3));
    const paper = line.file("Statutes.pdf", PDF);
    const { code, out, err } = await line.run("media", "add", picture, paper, "--alt", "A garden");
    assert.deepEqual([code, err], [0, ""]);
    const [first, second] = await listed(line);
    const addresses = [second.path, first.path];
    assert.deepEqual(out.split("\n"), [
      `![A garden](${addresses[0]})`,
      `[Statutes.pdf](${addresses[1]})`,
    ]);
    assert.deepEqual(kept(line).sort(), addresses.map((path) => path.slice(7)).sort());
    const again = await line.run("media", "add", picture, "--json");
    assert.deepEqual(
      JSON.parse(again.out).media.map(({ isNew }: { isNew: boolean }) => isNew),
      [false],
    );
  });

  it("takes what it can and tells of the rest", async () => {
    using line = await openSiteLine();
    const text = line.file("text.png", "text");
    const picture = line.file("x.gif", gif(2, 2));
    const missing = join(line.folder, "missing.png");
    const { code, out, err } = await line.run("media", "add", text, missing, picture, line.folder);
    assert.equal(code, 1);
    assert.match(out, /^!\[\]\(\/media\/[0-9a-f]{32}\.gif\)$/);
    assert.match(err, /text\.png: error: This is a text or a file of unknown kind, which is not /);
    assert.match(err, /missing\.png: error: Cannot use \S+missing\.png: it does not exist/);
    assert.match(err, /: error: Cannot use[^:]*: it is a folder/);
    assert.equal(kept(line).length, 1);
    const wrong = await line.run("media", "add", picture, "--alt", "x".repeat(501));
    assert.deepEqual(
      [wrong.code, wrong.err],
      [
        2,
        "error: Something is wrong with what is said of the file: alt: is longer than 500 characters",
      ],
    );
  });
});

it("media add takes a file of any name that a disk allows", async () => {
  using line = await openSiteLine();
  const long = line.file(`${"x".repeat(240)}.png`, png(4, 3));
  const odd = line.file("a\u0001 b\n.png", png(4, 4));
  const { code, err } = await line.run("media", "add", long, odd);
  assert.deepEqual([code, err], [0, ""]);
  const names = (await listed(line)).map(({ name }: { name: string }) => name);
  assert.deepEqual(names.sort(), ["a b .png", `${"x".repeat(196)}.png`]);
});

describe("media list", () => {
  it("shows a table, and says when there is nothing", async () => {
    using line = await openSiteLine();
    assert.equal((await line.run("media", "list")).out, "No such files");
    await line.run("media", "add", line.file("x.png", png(40, 30)));
    const { out } = await line.run("media", "list", "--type", "image", "--unused", "--text", "X.P");
    assert.match(
      out,
      /^ADDED +KB +PIXELS +ADDRESS +NAME\n\S+ +1 +40×30 +\/media\/\S+\.png +x\.png$/,
    );
    assert.equal((await line.run("media", "list", "--type", "text")).code, 2);
  });
});

describe("import of pictures", () => {
  it("takes in those that texts show and has the texts show them", async () => {
    using line = await openSiteLine();
    const body = [
      "![Beside](beside.png) and ![up](../up.jpg 'Title')",
      "![Root](/assets/root%20one.gif) [paper](beside.pdf#page=2)",
      "[elsewhere](https://example.org/x.png) ![static](/static.png)",
      "![reference][r]",
      "",
      "[r]: <beside.png>",
    ].join("\n");
    line.file("site/a/page.md", `---\ntitle: Page\n---\n${body}\n`);
    line.file("site/a/beside.png", png(2, 2));
    line.file("site/a/beside.pdf", PDF);
    line.file("site/up.jpg", jpeg(3, 3));
    line.file("site/assets/root one.gif", gif(4, 4));
    line.file("site/static/static.png", png(5, 5));
    line.file("site/unused.png", png(6, 6));
    const { code, out, err } = await line.run("import", "--publish", join(line.folder, "site"));
    assert.deepEqual([code, err], [0, ""]);
    assert.match(out, /Pictures and other files taken in: 5\n/);
    assert.match(out, /Files that are not content were left out: 1 \.png$/);
    const media = await listed(line);
    const of = (name: string) =>
      media.find((medium: { name: string }) => medium.name === name)?.path ?? `no ${name}`;
    assert.equal(
      (await itemAt(line, "/a/page")).body.trim(),
      [
        `![Beside](${of("beside.png")}) and ![up](${of("up.jpg")} 'Title')`,
        `![Root](${of("root one.gif")}) [paper](${of("beside.pdf")}#page=2)`,
        `[elsewhere](https://example.org/x.png) ![static](${of("static.png")})`,
        "![reference][r]",
        "",
        `[r]: <${of("beside.png")}>`,
      ].join("\n"),
    );
    const again = await line.run("import", "--publish", join(line.folder, "site"));
    assert.match(again.out, /0 created, 0 updated, 1 unchanged/);
  });

  it("changes nothing in a dry run", async () => {
    using line = await openSiteLine();
    line.file("site/page.md", "# Page\n\n![x](x.png)\n");
    line.file("site/x.png", png(2, 2));
    const { code, out } = await line.run("import", "--dry-run", join(line.folder, "site"));
    assert.equal(code, 0);
    assert.match(out, /Pictures and other files taken in: 1$/);
    assert.deepEqual(kept(line), []);
    assert.deepEqual(await listed(line), []);
  });

  it("tells of pictures it cannot take, and takes the text", async () => {
    using line = await openSiteLine();
    const text =
      "# Page\n\n![a](a.png)\n\n![b](/b.png)\n\n![c](/media/00000000000000000000000000000000.png)\n\n![d](../../outside.png) ![e](link.png) ![f](.hidden.png)\n";
    line.file("site/page.md", text);
    line.file("site/a.png", "<html>");
    line.file("outside.png", png(9, 9));
    line.file("site/.hidden.png", png(9, 9));
    symlinkSync(join(line.folder, "outside.png"), join(line.folder, "site/link.png"));
    const { code, err } = await line.run("import", join(line.folder, "site"));
    assert.equal(code, 0);
    assert.match(
      err,
      /page\.md:3: body: warning: the file behind "a\.png" is not imported: This is a text or a file/,
    );
    assert.match(
      err,
      /page\.md:5: .* the file behind "\/b\.png" is not imported: there is no such file/,
    );
    assert.match(err, /page\.md:7: .*: there is no such file/);
    for (const link of ["../../outside.png", "link.png", ".hidden.png"]) {
      assert(err.includes(`:9: body: warning: the link "${link}" leads to no file of this import`));
    }
    assert.deepEqual(kept(line), []);
  });

  it("says what it left out of a drawing", async () => {
    using line = await openSiteLine();
    line.file("site/page.md", "# Page\n\n![x](x.svg)\n");
    line.file("site/x.svg", '<svg viewBox="0 0 4 2"><script>1</script></svg>');
    const { code, err } = await line.run("import", join(line.folder, "site"));
    assert.equal(code, 0);
    assert.match(err, /x\.svg:1: warning: Left out of the SVG: script$/);
  });

  it("takes the files of a site folder with what is said of them", async () => {
    using line = await openSiteLine();
    const bytes = png(7, 7);
    await line.run("media", "add", line.file("x.png", bytes), "--alt", "Seven");
    const [medium] = await listed(line);
    line.file("site/site.yaml", SITE);
    line.file("site/content/page.md", `# Page\n\n![](${medium.path})\n`);
    line.file(`site${medium.path}`, bytes);
    const said = { file: medium.path.slice(7), name: "Seven.png", alt: "Seven", credit: "Jane" };
    line.file("site/media.jsonl", `${JSON.stringify(said)}\n`);
    using other = await openSiteLine();
    const { code, err } = await other.run("import", "--publish", join(line.folder, "site"));
    assert.deepEqual([code, err], [0, ""]);
    const [taken] = await listed(other);
    assert.deepEqual(
      [taken.path, taken.name, taken.alt, taken.credit],
      [medium.path, "Seven.png", "Seven", "Jane"],
    );
    const lines = Buffer.concat([Buffer.from('{"file": 3}\nnot JSON\n'), Buffer.of(0xff, 0x0a)]);
    writeFileSync(join(line.folder, "site/media.jsonl"), lines);
    const wrong = await other.run("import", join(line.folder, "site"));
    assert.equal(wrong.code, 1);
    assert.match(wrong.err, /media\.jsonl:1: file must be a text\n.*media\.jsonl:2: is not JSON/);
    assert.match(wrong.err, /media\.jsonl:3: is not UTF-8/);
  });
});

const SITE = `name: Test
description: A test
whenToUse: [test]
contact: { email: a@example.org }
`;
