import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { openCommandLine } from "../support/command-line.ts";

const FIXTURE = join(import.meta.dirname, "../support/fixture");
/** A PNG of one pixel. */
const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

const EVERY_STATUS = [
  { path: "/topics/draft", title: "Draft", status: "draft", publishedAt: "2020-01-01T00:00:00Z" },
  { path: "/topics/soon", title: "Soon", status: "scheduled", publishAt: "2090-01-01T00:00:00Z" },
  { path: "/topics/old", title: "Old", status: "archived", publishedAt: "2019-05-05T00:00:00Z" },
  {
    path: "/topics/zeit",
    title: "Zeit",
    status: "published",
    language: "de",
  },
  {
    path: "/topics/day",
    title: "Day",
    status: "published",
    sourceKey: "day",
    see_also: [{ to: "/topics/soon", note: "later" }],
  },
  { path: "/topics/moved", title: "Moved", status: "published", redirectFrom: ["/old/place.html"] },
]
  .map((item) => `${JSON.stringify({ type: "topic", ...item })}\n`)
  .join("");

describe("export", () => {
  it("writes a site folder from which import makes the same site", async () => {
    using one = openCommandLine();
    using other = openCommandLine();
    const translation =
      '{"type":"topic","path":"/topics/zeit","title":"Zeit","language":"de","translationOf":"/topics/day"}\n';
    const picture = one.file("pixel.png", PIXEL);
    assert.equal((await one.run("import", FIXTURE)).code, 0);
    assert.equal((await one.run("import", one.file("more.jsonl", EVERY_STATUS))).code, 0);
    // Made before its original, it must come behind it.
    assert.equal((await one.run("import", one.file("translation.jsonl", translation))).code, 0);
    const css = "/* Ours */\n.lead { font-style: normal; }\n";
    const look = JSON.stringify({ look: { css } });
    const styled = await one.run(
      "api",
      "PATCH",
      "/settings",
      "--data",
      look,
      "--header",
      "If-Match: *",
    );
    assert.equal(styled.code, 0, styled.out + styled.err);
    const added = await one.run(
      "media",
      "add",
      picture,
      "--alt",
      "A pixel",
      "--credit",
      "Us",
      "--json",
    );
    assert.equal(added.code, 0, added.err);

    const site = join(one.folder, "site");
    const exported = await one.run("export", site);
    assert.equal(exported.code, 0, exported.err);
    assert.match(exported.out, /^\d+ items, 1 files written to /);
    assert.deepEqual(readdirSync(site).sort(), [
      "content",
      "media",
      "media.jsonl",
      "site.yaml",
      "theme.css",
      "types",
    ]);
    assert.equal(readFileSync(join(site, "theme.css"), "utf8"), css);
    assert.doesNotMatch(readFileSync(join(site, "site.yaml"), "utf8"), /css/);
    const imported = await other.run("import", site, "--json");
    assert.equal(imported.code, 0, imported.out + imported.err);

    const lines = async (from: typeof one) => {
      const file = join(from.folder, "all.jsonl");
      assert.equal((await from.run("export", file)).code, 0);
      return readFileSync(file, "utf8").trim().split("\n").sort();
    };
    const before = await lines(one);
    assert.deepEqual(await lines(other), before);
    for (const part of [
      '"status":"scheduled"',
      '"status":"archived"',
      "/old/place.html",
      '"note":"later"',
      '"translationOf":"/topics/day"',
    ]) {
      assert(
        before.some((line) => line.includes(part)),
        part,
      );
    }
    const media = async (from: typeof one) =>
      JSON.parse((await from.run("media", "list", "--json")).out).media.map(
        ({ id, name, alt, credit }: Record<string, unknown>) => [id, name, alt, credit],
      );
    assert.deepEqual(await media(other), await media(one));
    const settings = JSON.parse((await other.run("api", "GET", "/settings")).out);
    assert.equal(settings.look.css, css);
    const again = await other.run("import", site, "--json");
    const { created, updated } = JSON.parse(again.out);
    assert.deepEqual([created, updated], [0, 0]);
  });

  it("names no file of a type as Windows refuses", async () => {
    using one = openCommandLine();
    using other = openCommandLine();
    const type = (name: string) => `name: ${name}\nlabel: One\nplural: Many\nlistPath: /${name}s\n`;
    one.file("site/site.yaml", readFileSync(join(FIXTURE, "site.yaml")));
    for (const name of ["aux", "board"]) one.file(`site/types/${name}.yaml`, type(name));
    const imported = await one.run("import", join(one.folder, "site"));
    assert.equal(imported.code, 0, imported.out + imported.err);
    const exported = join(one.folder, "exported");
    assert.equal((await one.run("export", exported)).code, 0);
    assert.deepEqual(readdirSync(join(exported, "types")).sort(), ["1-aux.yaml", "2-board.yaml"]);
    const again = await other.run("import", exported);
    assert.equal(again.code, 0, again.out + again.err);
    const folder = join(other.folder, "again");
    assert.equal((await other.run("export", folder)).code, 0);
    assert.deepEqual(readdirSync(join(folder, "types")).sort(), ["1-aux.yaml", "2-board.yaml"]);
  });

  it("does not write over what is there, nor leave half of it behind", async () => {
    using line = openCommandLine();
    await line.run("import", FIXTURE);
    const folder = join(line.folder, "taken");
    mkdirSync(folder);
    writeFileSync(join(folder, "mine.txt"), "mine");
    const refused = await line.run("export", folder);
    assert.equal(refused.code, 1);
    assert.match(
      refused.err,
      /something is there already; name a new folder, or a file that ends in \.zip or \.jsonl/,
    );
    assert.deepEqual(readdirSync(folder), ["mine.txt"]);
    const file = line.file("plain", "text");
    const below = await line.run("export", join(file, "out.jsonl"));
    assert.equal(below.code, 1);
    assert.match(below.err, /Cannot create the folder .*: a file has that name$/);
    assert.deepEqual(
      readdirSync(line.folder).filter((name) => name.includes("part") || name.startsWith(".")),
      [],
    );
  });

  it("of a place without a site says so", async () => {
    using line = openCommandLine();
    const empty = await line.run("export", join(line.folder, "site"));
    assert.equal(empty.code, 1);
    assert.match(empty.err, /^error: There is no site in the data folder /);
    assert.equal(existsSync(join(line.folder, "site")), false);
  });
});
