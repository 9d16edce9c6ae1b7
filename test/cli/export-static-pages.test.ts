import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { it } from "node:test";
import { openCommandLine, openSiteLine } from "../support/command-line.ts";

const FIXTURE = join(import.meta.dirname, "../support/fixture");
const SHELF = "/topics/shelf";
const PAGE_TWO = { title: "Page two", body: "Page two." };

function numbered(count: number, itemOf: (number: number) => object): object[] {
  return Array.from({ length: count }, (_, number) => ({
    status: "published",
    ...itemOf(number),
  }));
}

it("a static copy has the further pages of every list on a page, and loses none to an item", async () => {
  using line = openCommandLine();
  const items = [
    { type: "topic", status: "published", path: SHELF, title: "Shelf" },
    { type: "quotation", status: "published", path: "/quotations/page-2", ...PAGE_TWO },
    ...numbered(27, (number) => ({
      ...{ type: "work", path: `/works/book-${number}`, title: `Book ${number}` },
      topics: [SHELF],
    })),
    ...numbered(26, (number) => ({
      ...{ type: "quotation", path: `/quotations/line-${number}`, title: `Line ${number}` },
      ...{ body: `Words number ${number}.`, topics: [SHELF] },
    })),
  ];
  await line.run("import", FIXTURE);
  const lines = items.map((item) => `${JSON.stringify(item)}\n`).join("");
  await line.run("import", line.file("items.jsonl", lines));
  const folder = join(line.folder, "web");
  const { code, err } = await line.run("export", "--static", folder);
  const read = (name: string) => readFileSync(join(folder, "public", name), "utf8");
  assert.match(read("topics/shelf.html"), /href="\/topics\/shelf\/quotations-2"/);
  assert.match(read("topics/shelf.md"), /\/topics\/shelf\/quotations-2\.md\)/);
  assert.equal(read("topics/shelf/quotations-2.html").match(/Words number \d+\./g)?.length, 1);
  assert.match(read("topics/shelf/quotations-2.md"), /Words number \d+\./);
  assert.match(read("quotations.html"), /href="\/quotations\?page=2"/);
  assert.doesNotMatch(read("quotations/page-2.html"), /<title>Page two/);
  assert.equal(code, 1);
  assert.match(err, /or it is the name of a list's further page\): \/quotations\/page-2\.html/);
});

/** Makes the long time limits of the program end 50 times as early, so that drawing seems slow. */
const IMPATIENT = `data:text/javascript,${encodeURIComponent(
  `const wait = globalThis.setTimeout;
  globalThis.setTimeout = (task, milliseconds, ...words) =>
    wait(task, milliseconds >= 20_000 ? milliseconds / 50 : milliseconds, ...words)`,
)}`;

it("a static copy waits for a picture that takes longer to draw than a visitor would wait", async () => {
  using line = await openSiteLine({ NODE_OPTIONS: `--import=${IMPATIENT}` });
  const { code, out, err } = await line.spawn("export", "--static", join(line.folder, "web"));
  assert.deepEqual([code, err], [0, ""]);
  assert.match(out, /pages in \d+ files/);
});
