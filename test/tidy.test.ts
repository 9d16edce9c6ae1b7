import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { importCircles } from "./support/import-circles.ts";
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

describe("files do not import each other in a circle", () => {
  it("holds, type imports included", () => {
    assert.deepEqual(importCircles(FILES.filter(({ file }) => file.startsWith("src/"))), []);
  });

  it("can fail", () => {
    const circle = [
      { file: "src/a.ts", source: 'import type { B } from "./rooms/b.ts";' },
      { file: "src/rooms/b.ts", source: 'import { c } from "./c.ts";' },
      { file: "src/rooms/c.ts", source: 'const a = await import("../a.ts");' },
      { file: "src/d.ts", source: 'import { a } from "./a.ts";' },
    ];
    assert.deepEqual(importCircles(circle), [["src/a.ts", "src/rooms/b.ts", "src/rooms/c.ts"]]);
  });
});

it("the wiring is read in a minute", () => {
  const wiring = FILES.find(({ file }) => file === "src/app.ts")?.source ?? "";
  const { length } = wiring.trimEnd().split("\n");
  assert(length > 20 && length <= 60, `src/app.ts has ${length} lines`);
});

it("half of the files have at most 80 lines, and nine tenths at most 200", () => {
  const lengths = FILES.filter(({ file }) => file.startsWith("src/"))
    .map(({ source }) => source.trimEnd().split("\n").length)
    .sort((one, other) => one - other);
  const lengthOfShare = (share: number) => lengths[Math.ceil(share * lengths.length) - 1] ?? 0;
  assert(lengthOfShare(0.5) <= 80, `half of them have ${lengthOfShare(0.5)} lines or fewer`);
  assert(lengthOfShare(0.9) <= 200, `nine tenths have ${lengthOfShare(0.9)} lines or fewer`);
});

/** Folders of one kind, which hold one file for each. */
const OF_ONE_KIND = ["src/cli", "src/discovery", "src/http/api/routes"];

it("no folder holds more than 20 different things", () => {
  const counts = new Map<string, number>();
  for (const { file } of FILES.filter((each) => each.file.startsWith("src/"))) {
    const folder = file.slice(0, file.lastIndexOf("/"));
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  const crowded = [...counts].filter(
    ([folder, count]) => count > 20 && !OF_ONE_KIND.includes(folder),
  );
  assert.deepEqual(crowded, []);
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
