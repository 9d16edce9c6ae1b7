import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { it } from "node:test";
import { linksOf } from "./support/markdown-documents.ts";
import { TIDY_RULES } from "./support/tidy-rules.ts";

const ROW = /^\| (?<number>\d+\.\d+\.\d+) \| (?<state>[a-z ]+) \| (?<how>.+) \| (?<tests>.+) \|$/;
/** Requirements of levels 1 and 2 in ASVS 5.0.0. */
const REQUIREMENTS = 253;
/** `file` "title of the test, or of its group". */
const NAMED_TEST = /`(?<file>test\/[^`]+\.test\.ts)` "(?<title>[^"]+)"/g;
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
    const named = [...tests.matchAll(NAMED_TEST)].map(({ groups }) => ({
      file: "",
      title: "",
      ...groups,
    }));
    const files = named.map(({ file }) => file);
    assert.equal(files.length > 0, TESTED.includes(state), `${number} names ${tests}`);
    assert(how.length > 1, `${number} does not say why`);
    const isOfDocument = files.includes(TESTS_LINKS);
    assert(!isOfDocument || linksOf(how).length > 0, `${number} links to no document`);
    if (TESTED.includes(state))
      assert.equal(tests.replaceAll(NAMED_TEST, "").replaceAll(", ", ""), "");
    for (const { file, title } of named) {
      assert(existsSync(file), `${number} names ${file}, which does not exist`);
      assert(titlesIn(file).has(title), `${number} names "${title}", which is not in ${file}`);
    }
  }
});

/** Titles of the tests in a file, and of their groups. */
function titlesIn(file: string): ReadonlySet<string> {
  const rules = file === "test/tidy.test.ts" ? TIDY_RULES.map(({ name }) => name) : [];
  const written = readFileSync(file, "utf8").matchAll(/\b(?:it|describe)\(\s*"([^"]+)"/g);
  return new Set([...rules, ...[...written].map(([, title = ""]) => title)]);
}
