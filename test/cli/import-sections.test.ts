import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, it } from "node:test";
import { openRecordForCommand } from "../../src/app/store.ts";
import { readConfig } from "../../src/config.ts";
import { openCommandLine } from "../support/command-line.ts";
import { importedFolder } from "../support/imported-folder.ts";

const page = (title: string, more = "") => `---\ntitle: ${title}\n${more}---\nText`;

const HUGO = {
  "hugo.toml": `baseURL = "https://old.example"
defaultContentLanguage = "en"
[[menu.main]]
name = "Guides"
url = "/guides/"
[[menu.main]]
name = "Tags"
url = "/tags/"
[languages.en]
contentDir = "content/en"
[languages.de]
contentDir = "content/de"
`,
  "content/en/about.md":
    "---\ntitle: About\n---\n[Guides](/guides/) [Admin](../admin/) [Tags](/tags/) [Spring](/tags/spring/)",
  "content/en/guides/second.md": page("Second [draft]", "weight: 2\ntags: [Spring]\n"),
  "content/en/guides/first.md": page("First", "weight: 1\n"),
  "content/en/guides/hidden.md": page("Hidden", "draft: true\n"),
  "content/en/guides/deep/_index.md": page("Deep"),
  "content/en/guides/deep/below.md": page("Below"),
  "content/en/guides/bundle/index.md": page("Bundle"),
  "content/en/admin/keys.md": page("Keys"),
  "content/en/secret/plan.md": page("Plan", "draft: true\n"),
  "content/en/own/_index.md": page("Own"),
  "content/de/guides/first.md": page("Erstens"),
};

describe("sections of Hugo without a page of their own", () => {
  it("get one that lists their pages, so that links and menus lead there", async () => {
    const { code, out, err, items } = await importedFolder(
      HUGO,
      ...["/guides", "/de/guides", "/pages/admin", "/secret", "/own", "/about"],
    );
    assert.equal(code, 0, err);
    assert.doesNotMatch(err, /leads to/);
    const guides = items.get("/guides");
    assert.equal(guides?.title, "Guides");
    assert.equal(guides.status, "published");
    assert.equal(
      guides.body,
      "- [First](/guides/first)\n- [Second \\[draft\\]](/guides/second)\n- [Bundle](/guides/bundle)\n- [Deep](/guides/deep)",
    );
    const german = items.get("/de/guides");
    assert.equal(german?.body, "- [Erstens](/de/guides/first)");
    assert.equal(german.language, "de");
    assert.equal(german.translationOf, guides.id);
    assert.equal(items.get("/own")?.body, "Text");
    assert.ok(!items.has("/secret"));
    assert.equal(
      items.get("/about")?.body,
      "[Guides](/guides) [Admin](/pages/admin) [Tags](/topics) [Spring](/topics/spring)",
    );
    assert.match(
      out,
      /^Sections without a page of their own got one .*: \/pages\/admin, \/guides, \/de\/guides$/m,
    );
    assert.match(out, /^The navigation of the folder is now that of the site: 2 entries/m);
  });

  it("keep the page that the site has there, also in a repeated import", async () => {
    using line = openCommandLine();
    for (const [file, text] of Object.entries(HUGO)) line.file(`old/${file}`, text);
    const folder = join(line.folder, "old");
    await line.run("import", folder, "--publish");
    const own = { type: "page", path: "/guides", title: "Our guides", body: "By hand." };
    await line.run("import", line.file("own.jsonl", JSON.stringify(own)), "--publish");
    const again = await line.run("import", folder, "--publish");
    assert.match(again.out, /^0 created, 0 updated, \d+ unchanged, 0 failed/m);
    await using record = await openRecordForCommand(readConfig(line.environment));
    assert.equal((await record.content.itemAt("/guides"))?.body, "By hand.");
  });
});
