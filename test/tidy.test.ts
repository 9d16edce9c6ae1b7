import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { TIDY_RULES } from "./support/tidy-rules.ts";

const FILES = globSync("{src,test,bench,demo}/**/*.ts", {
  exclude: ["**/node_modules/**", "test/judges/node_modules/**"],
})
  .sort()
  .map((file) => ({ file, source: readFileSync(file, "utf8") }));

it("looks at the whole project", () => {
  assert(
    FILES.length > 20,
    `only ${FILES.length} files found: run the tests from the project's root`,
  );
});

for (const rule of TIDY_RULES) {
  describe(rule.name, () => {
    it("holds", () => {
      const violations = FILES.filter(({ file }) => rule.holdsIn.test(file)).flatMap(
        ({ file, source }) => rule.violations(file, source).map((what) => `${file} ${what}`),
      );
      assert.deepEqual(violations, []);
    });

    it("can fail", () => {
      for (const { file, source } of rule.broken) {
        assert(rule.holdsIn.test(file), `the rule does not look at ${file}`);
        assert.notDeepEqual(rule.violations(file, source), [], `not reported: ${file} ${source}`);
      }
    });

    it("reports nothing that is fine", () => {
      for (const { file, source } of rule.fine ?? []) {
        assert.deepEqual(rule.violations(file, source), [], `${file} ${source}`);
      }
    });
  });
}
