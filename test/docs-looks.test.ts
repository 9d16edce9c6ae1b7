import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { LOOKS } from "../src/content/site/look/look.ts";

const FOLDER = "docs/looks";
const PICTURE_BYTES_MAX = 48_000;
const ALL_BYTES_MAX = 800_000;
const PAGE = readFileSync("docs/looks.md", "utf8");
const SHOWN = [...PAGE.matchAll(/!\[([^\]]*)\]\(looks\/([^)]+)\)/g)].map(
  ([, text = "", file = ""]) => ({ text, file }),
);

describe("the page on the looks", () => {
  it("shows small pictures only, each with an alternative text, and leaves none unused", () => {
    const files = readdirSync(FOLDER).sort();
    assert.deepEqual(SHOWN.map(({ file }) => file).sort(), files);
    const sizes = files.map((file) => statSync(join(FOLDER, file)).size);
    assert.deepEqual(
      files.filter((_, at) => (sizes[at] ?? 0) > PICTURE_BYTES_MAX),
      [],
    );
    assert(sizes.reduce((sum, size) => sum + size, 0) <= ALL_BYTES_MAX);
    assert.equal(new Set(SHOWN.map(({ text }) => text)).size, files.length);
  });

  it("shows as many kinds of pages of each look", () => {
    const kindsOf = (look: string) =>
      SHOWN.flatMap(({ file }) => (file.startsWith(`${look}-`) ? [file.slice(look.length)] : []));
    const [first = "", ...others] = LOOKS;
    assert(kindsOf(first).length >= 6);
    for (const look of others) assert.deepEqual(kindsOf(look), kindsOf(first), look);
  });
});
