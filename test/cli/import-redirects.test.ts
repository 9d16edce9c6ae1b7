import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { openStore } from "../../src/app/store.ts";
import { readConfig } from "../../src/config.ts";
import { type CommandLine, openCommandLine } from "../support/command-line.ts";

/** Where each redirect leads, by the address it leads from. */
async function redirects(line: CommandLine): Promise<Record<string, string>> {
  await using record = await openStore(readConfig(line.environment));
  const found = await record.desk.redirects({ limit: 100 });
  const ids = found.flatMap(({ to }) => ("itemId" in to ? [to.itemId] : []));
  const items = await record.desk.outlines(ids);
  return Object.fromEntries(
    found.map(({ from, to }) => [
      from,
      "itemId" in to ? (items.get(to.itemId)?.path ?? "") : to.path,
    ]),
  );
}

describe("addresses of a former site in an import", () => {
  it("lead to the item that states them, under the names other generators use", async () => {
    using line = openCommandLine();
    const folder = line.file(
      "site/jekyll.md",
      "---\ntitle: A\nredirect_from:\n  - /2019/a.html\n  - /old/a/\nstatus: published\n---\nText\n",
    );
    line.file("site/single.md", "---\ntitle: B\nredirect_from: /2019/b.html\n---\nText\n");
    line.file("site/hugo.md", "---\ntitle: C\naliases: [/posts/c]\n---\nText\n");
    line.file("site/seneca.md", "---\ntype: author\ntitle: Seneca\naliases: [The Younger]\n---\n");
    const site = folder.replace(/\/jekyll\.md$/, "");
    const first = await line.run("import", site);
    assert.equal(first.code, 0, first.err);
    const expected = {
      "/2019/a.html": "/jekyll",
      "/old/a": "/jekyll",
      "/2019/b.html": "/single",
      "/posts/c": "/hugo",
    };
    assert.deepEqual(await redirects(line), expected);
    const again = await line.run("import", site);
    assert.match(again.out, /^0 created, 0 updated, 4 unchanged, 0 failed/);
    assert.deepEqual(await redirects(line), expected);
  });

  it("are refused where they are wrong or taken, with the item that states them", async () => {
    using line = openCommandLine();
    const pages = [
      { title: "A", path: "/a", redirectFrom: ["/shared"] },
      { title: "B", path: "/b", redirectFrom: ["/fine", "/shared"] },
      { title: "C", path: "/c", redirectFrom: ["/a"] },
      { title: "D", path: "/d", redirectFrom: ["/x?p=1"] },
      { title: "E", path: "/e", redirectFrom: ["relative"] },
      { title: "F", path: "/f", redirectFrom: ["/topics"] },
      { title: "G", path: "/g", redirectFrom: ["/g"] },
      { title: "H", path: "/h", redirectFrom: ["/blog/*"] },
    ];
    const file = line.file(
      "pages.jsonl",
      pages.map((page) => JSON.stringify({ type: "page", ...page })).join("\n"),
    );
    const { code, out, err } = await line.run("import", file);
    assert.equal(code, 1);
    assert.match(out, /^2 created, 0 updated, 0 unchanged, 6 failed/);
    for (const told of [
      /:2: redirectFrom\[1\]: it is redirected to \/a already/,
      /:3: redirectFrom\[0\]: it is the path of "A"/,
      /:4: redirectFrom\[0\]: redirects go by path; leave out what follows/,
      /:5: redirectFrom\[0\]: "relative" must start with "\/"/,
      /:6: redirectFrom\[0\]: "\/topics" is the list of Topics/,
      /:8: redirectFrom\[0\]: "\/blog\/\*" looks like a pattern/,
    ]) {
      assert.match(err, told);
    }
    assert.deepEqual(await redirects(line), { "/shared": "/a" });
  });
});
