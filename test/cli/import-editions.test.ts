import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, it } from "node:test";
import { openRecordForCommand } from "../../src/app/store.ts";
import { readConfig } from "../../src/config.ts";
import { type CommandLine, openSiteLine } from "../support/command-line.ts";

const FILES: Readonly<Record<string, string>> = {
  "hugo.toml": 'title = "Old"\n',
  "content/en/about.md": "---\ntitle: About\n---\nText\n",
  "content/de/about.md": "---\ntitle: Über uns\n---\nText\n",
  "content/he/about.md": "---\ntitle: עלינו\n---\nText\n",
  "content/he/news.md": "---\ntitle: חדשות\ndraft: true\n---\nText\n",
};

async function imported(line: CommandLine, ...flags: string[]) {
  for (const [name, text] of Object.entries(FILES)) line.file(`old/${name}`, text);
  const printed = await line.run("import", ...flags, join(line.folder, "old"));
  assert.equal(printed.code, 0, printed.err);
  await using store = await openRecordForCommand(readConfig(line.environment));
  return { ...printed, languages: (await store.content.site())?.languages };
}

const ADDED =
  /^The site is now published in these languages too, each with a home page and lists: de, he$/m;

describe("the languages of a site into which translated texts are imported", () => {
  it("are those of the texts that are public, in the dry run too", async () => {
    using line = await openSiteLine();
    const tried = await imported(line, "--publish", "--dry-run");
    assert.match(tried.out, ADDED);
    assert.deepEqual(tried.languages, []);
    const { out, languages } = await imported(line, "--publish");
    assert.match(out, ADDED);
    assert.deepEqual(languages, ["de", "he"]);
    const again = await imported(line, "--publish");
    assert.doesNotMatch(again.out, /language/);
    assert.deepEqual(again.languages, ["de", "he"]);
  });

  it("are not those of a few texts among many", async () => {
    using line = await openSiteLine();
    for (let number = 0; number < 41; number += 1) {
      line.file(`old/content/en/page-${number}.md`, `---\ntitle: Page ${number}\n---\nText\n`);
    }
    for (const number of [1, 2]) {
      line.file(`old/content/de/page-${number}.md`, `---\ntitle: Seite ${number}\n---\nText\n`);
    }
    const { out, languages } = await imported(line, "--publish");
    assert.match(out, /^46 created/m);
    assert.deepEqual(languages, ["de"]);
    assert.match(
      out,
      /now published in these languages too, each with a home page and lists: de$/m,
    );
  });

  it("are named where the texts are drafts", async () => {
    using line = await openSiteLine();
    const { out, languages } = await imported(line, "--draft");
    assert.match(out, /^There are texts in de, he; add these languages under Languages once/m);
    assert.deepEqual(languages, []);
  });

  it("stay as the editors chose them", async () => {
    using line = await openSiteLine();
    line.file(
      "own/site.yaml",
      "name: Own\ndescription: A site.\nwhenToUse: [reading]\ncontact: {email: a@example.org}\nlanguages: [fr]\n",
    );
    const { code, err } = await line.run("import", join(line.folder, "own"));
    assert.equal(code, 0, err);
    const { out, languages } = await imported(line, "--publish");
    assert.doesNotMatch(out, /languages/);
    assert.deepEqual(languages, ["fr"]);
  });
});
