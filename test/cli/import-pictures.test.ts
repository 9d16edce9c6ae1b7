import assert from "node:assert/strict";
import { watch } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { openCommandLine } from "../support/command-line.ts";
import { importedFolder } from "../support/imported-folder.ts";
import { png } from "../support/media-bytes.ts";

const PICTURE = png(2, 2);
const page = (front: string, body = "Text") => `---\ntitle: A\n${front}---\n${body}`;

describe("pictures of folders of other programs", () => {
  it("that front matter names stand at the top of the page, once", async () => {
    const { code, err, out, items } = await importedFolder(
      {
        "hugo.toml": 'baseURL = "https://old.example"\n',
        "static/img/top (1).png": PICTURE,
        "content/a.md": page('image: "img/top (1).png"\n', "# A\n\nText [gone](/gone/)"),
        "content/b/index.md": page("cover: {image: own.png, alt: 'A [big] tree'}\n"),
        "content/b/own.png": PICTURE,
        "content/c.md": page(
          "featured_image: /img/top%20%281%29.png\nthumbnail: /img/none.png\n",
          "![Already](/img/top%20%281%29.png)\n\nText",
        ),
        "content/d.md": page("banner: {src: /img/none.png}\n"),
        "content/e.md": page(
          "images: [/img/top.png]\nthumbnail: '/img/top (1).png'\nthumbnail_alt: Top\n",
          '![Other](</img/top (1).png> "T")',
        ),
      },
      ...["/a", "/b", "/c", "/d", "/e"],
    );
    assert.equal(code, 0, err);
    const body = (path: string) =>
      items.get(path)?.body.replaceAll(/\/media\/[0-9a-f]{32}\.png/g, "FILE");
    assert.equal(body("/a"), "![](FILE)\n\nText [gone](/gone/)");
    assert.match(err, /content\/a\.md:7: body: warning: the link "\/gone\/"/);
    assert.equal(body("/b"), "![A \\[big\\] tree](FILE)\n\nText");
    assert.equal(body("/c"), "![Already](FILE)\n\nText");
    assert.equal(body("/d"), "Text");
    assert.equal(body("/e"), '![Other](<FILE> "T")');
    assert.match(
      err,
      /content\/d\.md:3: banner: warning: the picture "\/img\/none\.png" is not in the folder; it is left out/,
    );
    assert.match(
      err,
      /content\/c\.md:4: thumbnail: warning: the picture "\/img\/none\.png" is not/,
    );
    assert.doesNotMatch(out, /banner|thumbnail \(/);
    assert.match(out, /^Pictures and other files taken in: 2$/m);
  });

  it("have the alternative text that a tag of Eleventy or Hexo gives", async () => {
    const tags = [
      '{% image "img/a.png", "Ada\'s [big] garden" %}',
      "{% image './src/img/a.png', 'A garden', '(min-width: 30em) 50vw, 100vw' %}",
      '{% image "/img/a.png", title %}',
      '{% image "none.png", "Gone" %}',
      '{% asset_img "b c.png" "A title" %}',
      '{% image "img/a.png", alt="Named" %}',
    ];
    const { code, err, items } = await importedFolder(
      {
        "eleventy.config.js": "module.exports = { dir: { input: 'src' } }",
        "src/img/a.png": PICTURE,
        "src/b c.png": PICTURE,
        "src/a.md": page("", tags.join("\n\n")),
        "src/p.njk": page("", `<p>${tags.slice(0, 1)}</p>`),
      },
      "/a",
      "/p",
    );
    assert.equal(code, 0, err);
    assert.deepEqual(
      items
        .get("/a")
        ?.body.replaceAll(/\/media\/[0-9a-f]{32}\.png/g, "FILE")
        .split("\n\n"),
      [
        "![Ada's \\[big\\] garden](FILE)",
        "![A garden](FILE)",
        "![](FILE)",
        "![Gone](/src/none.png)",
        "![A title](FILE)",
        "![Named](FILE)",
      ],
    );
    assert.match(err, /a\.md:\d+: body: warning: .*none\.png/);
    assert.match(
      items.get("/p")?.body ?? "",
      /^!\[Ada's \\\[big\\?\] garden\]\(\/media\/\w+\.png\)$/,
    );
  });

  it("are looked at in a dry run, which writes nothing where the files of the site are", async () => {
    using line = openCommandLine();
    assert.equal((await line.run("import", line.file("first.md", "# First"))).code, 0);
    const folder = line.file("old/a.md", page("", "![](a.png)")).replace(/\/a\.md$/, "");
    line.file("old/a.png", PICTURE);
    const written: string[] = [];
    const media = join(line.environment["DATA_DIR"] ?? "", "media");
    using _media = watched(media, written);
    using _receiving = watched(join(media, "receiving"), written);
    const { code, out, err } = await line.run("import", folder, "--dry-run");
    assert.equal(code, 0, err);
    assert.match(out, /^Pictures and other files taken in: 1$/m);
    assert.deepEqual(written, []);
    assert.equal((await line.run("import", folder)).code, 0);
    assert.notDeepEqual(written, []);
  });
});

/** Watches a folder, and adds the names of files that change. */
function watched(folder: string, names: string[]): Disposable {
  const watcher = watch(folder, (_event, name) => names.push(String(name)));
  return { [Symbol.dispose]: () => watcher.close() };
}
