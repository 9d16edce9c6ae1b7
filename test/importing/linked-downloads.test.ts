import assert from "node:assert/strict";
import { mkdirSync, mkdtempDisposableSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it } from "node:test";
import { findUnlinkedFiles } from "../../src/importing/linked-downloads.ts";

it("looks for named files in steps, and only in texts that are imported", async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "commonplace-"));
  const write = (name: string, text: string) => writeFileSync(join(folder.path, name), text);
  write("many.md", `[Minutes](minutes.docx)${".docx ".repeat(100_000)}`);
  write("long.md", `[Report](report.docx)${" ".repeat(4 * 1024 * 1024)}`);
  let steps = 0;
  const found = await findUnlinkedFiles(folder.path, ["minutes.docx", "report.docx"], {
    texts: ["many.md", "long.md"],
    yieldBetween: async () => {
      steps += 1;
    },
  });
  assert.deepEqual(found, ["report.docx"]);
  assert.ok(steps > 100, `${steps} steps`);
});

it("knows a named file by its whole path, not by the end of a name", async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "commonplace-"));
  mkdirSync(join(folder.path, "help"));
  const links = [
    "[a](a.docx) [old](old-b.docx) [c](../c.docx?v=1) [d](/other/d.docx) e.docx.pdf",
    "[f](https://old.example/files/f.docx) <my g.docx> [h](h%20h.docx) [i](./i.docx)",
    "[j](/j.docx) [k](../k.docx) [l](other/l.docx)",
  ];
  writeFileSync(join(folder.path, "help/text.md"), links.join("\n"));
  const files = [
    ...["help/a.docx", "help/b.docx", "c.docx", "d.docx", "help/e.docx", "files/f.docx"],
    ...["help/my g.docx", "help/h h.docx", "help/i.docx", "static/j.docx", "help/k.docx"],
    ...["help/l.docx", "a.docx"],
  ];
  const found = await findUnlinkedFiles(folder.path, files, { texts: ["help/text.md"] });
  assert.deepEqual(found, ["help/b.docx", "d.docx", "help/e.docx", "help/l.docx", "a.docx"]);
});
