import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { it } from "node:test";
import { linksOf } from "./support/markdown-documents.ts";

const ROW = /^\| (?<number>\d+\.\d+\.\d+) \| (?<state>[a-z ]+) \| (?<how>.+) \| (?<tests>.+) \|$/;
/** Requirements of levels 1 and 2 in ASVS 5.0.0. */
const REQUIREMENTS = 253;
const CHAPTERS = Array.from({ length: 17 }, (_, index) => index + 1);
/** Fails when a document that is linked to, or a heading in it, is gone. */
const TESTS_LINKS = "test/docs.test.ts";
const TESTED = ["met", "partly"];
const UNTESTED = ["open", "yours", "not here"];

const table = readFileSync("docs/security.md", "utf8")
  .split("\n")
  .map((line) => ROW.exec(line)?.groups)
  .filter((groups) => groups !== undefined);

it("the table of ASVS has each requirement once, with a state", () => {
  assert.equal(new Set(table.map(({ number }) => number)).size, REQUIREMENTS);
  assert.equal(table.length, REQUIREMENTS);
  const chapters = new Set(table.map(({ number = "" }) => Number.parseInt(number, 10)));
  assert.deepEqual([...chapters], CHAPTERS);
  const unknown = table.filter(({ state = "" }) => ![...TESTED, ...UNTESTED].includes(state));
  assert.deepEqual(unknown, []);
});

it("what is said to be met names tests that exist, and the rest says why not", () => {
  for (const { number = "", state = "", how = "", tests = "" } of table) {
    const files = [...tests.matchAll(/`([^`]+)`/g)].map(([, file = ""]) => file);
    assert.equal(files.length > 0, TESTED.includes(state), `${number} names ${tests}`);
    assert(how.length > 1, `${number} does not say why`);
    const isOfDocument = files.includes(TESTS_LINKS);
    assert(!isOfDocument || linksOf(how).length > 0, `${number} links to no document`);
    for (const file of files) {
      assert.match(file, /^test\/.+\.test\.ts$/, number);
      assert(existsSync(file), `${number} names ${file}, which does not exist`);
    }
  }
});
