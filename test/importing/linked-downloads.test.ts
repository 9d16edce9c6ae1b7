import assert from "node:assert/strict";
import { mkdtempDisposableSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it } from "node:test";
import { filesNotLinked } from "../../src/importing/linked-downloads.ts";

it("looks for named files in steps, and only in texts that are imported", async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "commonplace-"));
  const write = (name: string, text: string) => writeFileSync(join(folder.path, name), text);
  write("many.md", `[Minutes](minutes.docx)${".docx ".repeat(100_000)}`);
  write("long.md", `[Report](report.docx)${" ".repeat(4 * 1024 * 1024)}`);
  let steps = 0;
  const found = await filesNotLinked(folder.path, ["minutes.docx", "report.docx"], {
    texts: ["many.md", "long.md"],
    yieldBetween: async () => {
      steps += 1;
    },
  });
  assert.deepEqual(found, ["report.docx"]);
  assert.ok(steps > 100, `${steps} steps`);
});
