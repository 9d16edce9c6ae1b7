import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { openStore } from "../../src/app/store.ts";
import { readConfig } from "../../src/config.ts";
import type { Item } from "../../src/content/items/item.ts";
import { type CommandLine, openSiteLine } from "../support/command-line.ts";

/** Tries an import, then runs it: both must report the same. */
async function imported(line: CommandLine, ...words: string[]) {
  const tried = await line.run("import", "--json", "--dry-run", ...words);
  const done = await line.run("import", "--json", ...words);
  assert.equal(done.err, "");
  assert.equal(tried.out.replace('"dryRun":true', '"dryRun":false'), done.out);
  return JSON.parse(done.out);
}

async function itemsAt(line: CommandLine, ...paths: string[]): Promise<Item[]> {
  await using record = await openStore(readConfig(line.environment));
  const found = await Promise.all(paths.map((path) => record.content.itemAt(path)));
  return found.filter((item) => item !== null);
}

function linesOf(...items: object[]): string {
  return items.map((item) => `${JSON.stringify(item)}\n`).join("");
}

/** Problems by file, line and field. */
function problemsOf({
  problems,
}: {
  problems: { file: string; line: number; field: string; message: string }[];
}) {
  return problems.map(
    ({ file, line, field, message }) => `${file.split("/").at(-1)}:${line} ${field}: ${message}`,
  );
}

describe("translations in an import", () => {
  it("may come before what they translate, and are reported where that is unknown", async () => {
    using line = await openSiteLine();
    const german = { type: "page", path: "/de/trees", title: "Bäume", language: "de" };
    const english = { type: "page", path: "/trees", title: "Trees", language: "en" };
    const french = { ...german, path: "/fr/arbres", title: "Arbres", language: "fr" };
    const file = line.file(
      "pages.jsonl",
      linesOf(
        { ...german, translationOf: "/trees" },
        { ...french, translationOf: "/trees" },
        english,
        { type: "page", path: "/lost", title: "Lost", translationOf: "/nowhere" },
        { type: "topic", path: "/topics/a", title: "A", translationOf: "/trees" },
      ),
    );
    const report = await imported(line, file);
    assert.deepEqual(problemsOf(report), [
      "pages.jsonl:5 translationOf: /trees is of the type page, not topic",
      'pages.jsonl:4 translationOf: there is no item "/nowhere"; the link is left out',
    ]);
    assert.deepEqual([report.created, report.failed], [4, 1]);
    const [original, ...others] = await itemsAt(line, "/trees", "/de/trees", "/fr/arbres", "/lost");
    const id = original?.id ?? "";
    assert.deepEqual(
      others.map(({ translationOf }) => translationOf),
      [id, id, null],
    );
    const again = await imported(line, file);
    assert.deepEqual([again.created, again.updated, again.unchanged], [0, 0, 4]);
  });
});
