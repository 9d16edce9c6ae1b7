import assert from "node:assert/strict";
import { it } from "node:test";
import { findRenames } from "../../src/syncing/find-renames.ts";

const FILES = 9;
const LINE = "A line that is long enough to tell one text from another";

it("Renamed files are found by their text, which is read once and not once for each pair", () => {
  let reads = 0;
  const content = (number: number, added: string) => ({
    ...{ text: `${number}${added}`, path: null, sourceKey: null, type: "page", title: null },
    ...{ id: `${number}`, file: `new-${number}.md` },
    get body() {
      reads += 1;
      return `${LINE} ${number}\n\n${LINE} ${number}\n${added}`;
    },
  });
  const numbers = Array.from({ length: FILES }, (_, number) => number);
  const gone = numbers.map((number) => content(number, ""));
  const added = numbers.map((number) => content(number, "More"));
  const renames = findRenames(gone, added);
  assert.deepEqual(
    [...renames],
    numbers.map((number) => [`${number}`, `new-${number}.md`]),
  );
  assert.equal(reads, 2 * FILES);
});
