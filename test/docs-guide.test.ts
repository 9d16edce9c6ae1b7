import assert from "node:assert/strict";
import { globSync, readFileSync, statSync } from "node:fs";
import { basename } from "node:path";
import { describe, it } from "node:test";
import { BUILT_IN_TYPES } from "../src/content/types/built-in.ts";
import { ENGLISH } from "../src/http/admin/texts/english.ts";
import { linksOf } from "./support/markdown-documents.ts";

const PICTURE_BYTES_MAX = 60_000;
const PAGES = globSync("docs/guide/*.md").map((file) => ({
  file,
  text: readFileSync(file, "utf8"),
}));
const OVERVIEW = readFileSync("docs/editing.md", "utf8");

describe("the guide for editors", () => {
  it("has a page for each task, all linked from the overview", () => {
    assert(PAGES.length >= 10);
    const links = new Set(linksOf(OVERVIEW));
    for (const { file } of PAGES) assert(links.has(`guide/${basename(file)}`), file);
  });

  it("calls buttons and screens as the screens do", () => {
    const labels = new Set([
      ...labelsIn(ENGLISH),
      ...BUILT_IN_TYPES.flatMap(({ label, plural, fields, relations }) => [
        ...[label, plural],
        ...Object.values({ ...fields, ...relations }).map((each) => each.label),
      ]),
    ]);
    const unknown = PAGES.flatMap(({ file, text }) =>
      namedIn(text)
        .filter((name) => !labels.has(name))
        .map((name) => `${file}: ${name}`),
    );
    assert.deepEqual(unknown, []);
    assert.deepEqual(namedIn("Press **No such button** now"), ["No such button"]);
  });

  it("shows small pictures, and no page lacks one or leaves one unused", () => {
    const shown = new Set<string>();
    for (const { file, text } of PAGES) {
      const pictures = linksOf(text).filter((link) => link.startsWith("pictures/"));
      assert(pictures.length > 0, file);
      for (const picture of pictures) shown.add(`docs/guide/${picture}`);
    }
    assert.deepEqual([...shown].sort(), globSync("docs/guide/pictures/*").sort());
    for (const picture of shown) assert(statSync(picture).size <= PICTURE_BYTES_MAX, picture);
  });
});

function namedIn(text: string): string[] {
  return [...text.matchAll(/\*\*([^*]+)\*\*/g)].map(([, name = ""]) => name);
}

function labelsIn(texts: object): string[] {
  return Object.values(texts).flatMap((each: unknown) => {
    if (typeof each === "string") return [each];
    return typeof each === "object" && each !== null ? labelsIn(each) : [];
  });
}
