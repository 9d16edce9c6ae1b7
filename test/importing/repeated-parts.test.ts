import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { importedFolder } from "../support/imported-folder.ts";

const NAMES = ["one", "two", "three", "four"];

/** Imports pages that differ by name. Returns their bodies and titles. */
async function pages(page: (name: string) => string, names = NAMES) {
  const files = Object.fromEntries(names.map((name) => [`${name}.html`, page(name)]));
  const { items, err } = await importedFolder(files, ...names.map((name) => `/${name}`));
  return names.map((name) => {
    const item = items.get(`/${name}`);
    return { title: item?.title, body: item?.body.trim(), err };
  });
}

describe("what repeats over the pages of a folder of HTML", () => {
  it("is left out at their tops and bottoms, in tables and below the title too", async () => {
    const found = await pages(
      (name) =>
        `<title>Page ${name} : The Society</title><body><table><tr><td><img src="logo.png" alt="Logo"><td>A society of readers</table>
        <h1>About ${name}</h1><div>From the society</div><p>Text of ${name}.</p><h2>Deeper</h2><p>More of ${name}.</p>
        <hr><p>Made by hand, 2001</p><font size=1>Write to us</font>`,
    );
    assert.deepEqual(
      found.map(({ title, body }) => [title, body]),
      NAMES.map((name) => [
        `About ${name}`,
        `Text of ${name}.\n\n## Deeper\n\nMore of ${name}.\n\n---`,
      ]),
    );
  });

  it("includes menus, between sections as well", async () => {
    const menu = `<table><tr><td>[<a href="one.html">First</a>]<td>[<a href="two.html">Second</a>]</table>`;
    const found = await pages(
      (name) =>
        `<title>${name}</title>${menu}<h2>Part of ${name}</h2><p>Text of ${name}</p>${menu}<h2>End of ${name}</h2><p>More of ${name}</p>`,
    );
    assert.deepEqual(
      found.map(({ body }) => body),
      NAMES.map(
        (name) => `## Part of ${name}\n\nText of ${name}\n\n## End of ${name}\n\nMore of ${name}`,
      ),
    );
  });

  it("takes the name of the site from titles, and no title from a banner", async () => {
    const found = await pages(
      (name) =>
        `<title>${name}: Handbook of the Society</title><h1>The Society</h1><p>Since 1848</p><p>Text of ${name}</p>`,
    );
    assert.deepEqual(
      found.map(({ title, body }) => [title, body]),
      NAMES.map((name) => [name, `Text of ${name}`]),
    );
  });

  it("stays where it is a heading of the text, a section, or a cell of a table", async () => {
    const found = await pages(
      (name) =>
        `<title>${name}</title><h2>Name</h2><p>This is ${name}</p><table><tr><th>Author<td>Ann of ${name}<tr><th>Year<td>2001</table>
        <div class="part"><h2>Use</h2><p>Take ${name}</p></div><div class="part"><h2>Licence</h2><p>As you like</p></div>`,
    );
    for (const [at, name] of NAMES.entries()) {
      assert.equal(
        found[at]?.body,
        `## Name\n\nThis is ${name}\n\n| Author | Ann of ${name} |\n| - | - |\n| Year | 2001 |\n\n## Use\n\nTake ${name}\n\n## Licence\n\nAs you like`,
      );
    }
  });

  it("stays in what a page says is its main content, and below a title where it has a heading", async () => {
    const found = await pages(
      (name) =>
        `<title>${name}</title><p>A society</p><main><p>In short</p><h1>${name}</h1><p>Text of ${name}</p><p>The end</p></main>`,
    );
    assert.equal(found[0]?.body, "In short\n\n# one\n\nText of one\n\nThe end");
    const manual = await pages(
      (name) =>
        `<title>${name}</title><p>A society</p><h1>${name}</h1><h2>Synopsis</h2><pre>import all</pre><p>Text of ${name}</p>`,
    );
    assert.equal(manual[0]?.body, "## Synopsis\n\n```\nimport all\n```\n\nText of one");
  });

  it("stays on pages that are alike, and where there are too few to tell", async () => {
    const alike = await pages(() => "<title>Same</title><p>The same text</p>");
    assert.deepEqual(
      alike.map(({ body }) => body),
      NAMES.map(() => "The same text"),
    );
    const two = await pages(
      (name) => `<title>${name}</title><p>Welcome</p><p>${name}</p>`,
      ["one", "two"],
    );
    assert.equal(two[0]?.body, "Welcome\n\none");
  });
});
