import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { findExplicitAddress } from "../src/content/import/conventions/addresses/page-address.ts";
import { UNKNOWN_MARKDOWN_GENERATOR } from "../src/content/import/conventions/site-generators.ts";
import { flattenListValues } from "../src/content/import/conventions/terms/term-values.ts";
import { parseYamlMapping } from "../src/content/import/front-matter.ts";
import { detectTextMarkup } from "../src/content/import/tables/cell-text.ts";
import { SheetReader } from "../src/content/import/tables/sheet-rows.ts";
import { titleFromText } from "../src/content/items/first-words.ts";
import { AppError } from "../src/errors.ts";
import { renderBody } from "../src/render/body/body.ts";
import { sanitizeSvg } from "../src/storage/media/svg-cleaning.ts";
import { COSTLY_CELLS } from "./support/costly/cells.ts";
import { requireNearLinear } from "./support/costly/growth.ts";
import { COSTLY_MARKDOWN } from "./support/costly/markdown.ts";
import { repeated, within } from "./support/costly/pieces.ts";
import { COSTLY_SVG } from "./support/costly/svg.ts";
import { COSTLY_YAML } from "./support/costly/yaml.ts";

const ORIGIN = "https://example.org";
const PLACE = {
  ...{ language: null, contentPath: "a.md", sitePath: "a.md", prefix: "", original: null },
};

describe("The cost of a text grows with its length, not with its square:", () => {
  for (const [name, text] of Object.entries(COSTLY_MARKDOWN)) {
    it(`Markdown: ${name}`, () =>
      requireNearLinear(
        text,
        orRefused((body) => renderBody(body, { origin: ORIGIN })),
      ));
  }
  for (const [name, text] of Object.entries(COSTLY_SVG)) {
    it(`SVG: ${name}`, () => requireNearLinear(text, orRefused(sanitizeSvg)));
  }
  for (const [name, text] of Object.entries(COSTLY_YAML)) {
    it(`YAML: ${name}`, () => requireNearLinear(text, (yaml) => parseYamlMapping(yaml, 0)));
  }
  for (const [name, text] of Object.entries(COSTLY_CELLS)) {
    it(`cells: ${name}`, () =>
      requireNearLinear(text, (cell) => {
        titleFromText(cell);
        detectTextMarkup([cell]);
      }));
  }
  it("front matter: an address of slashes", () =>
    requireNearLinear(within("/a", "/", "b"), (permalink) =>
      findExplicitAddress(
        { file: "a.md", place: PLACE, values: { permalink } },
        UNKNOWN_MARKDOWN_GENERATOR,
        [],
      ),
    ));
  it("front matter: tags of commas", () =>
    requireNearLinear(within("a", ",", "b"), (tags) => flattenListValues(tags, "words")));
  it("workbooks: cells merged over every row", () =>
    requireNearLinear(repeated("x"), ({ length }) => readMerged(length / 4)));
});

/** As many rows as groups of cells that are merged over all of them. */
function readMerged(count: number): void {
  const merges = Array.from({ length: count }, (_, fromColumn) => {
    return { fromRow: 0, toRow: count, fromColumn, toColumn: fromColumn };
  });
  const sheet = new SheetReader({
    ...{ strings: [], dateStyles: new Set<number>(), isFrom1904: false, merges },
  });
  for (let row = 0; row < count; row += 1) {
    sheet.onOpen("row", {});
    sheet.onClose("row");
  }
}

/** A budget may refuse the text, with a reason. */
function orRefused(read: (text: string) => unknown): (text: string) => void {
  return (text) => {
    try {
      read(text);
    } catch (error) {
      assert(error instanceof AppError && error.code === "invalid", String(error));
    }
  };
}
