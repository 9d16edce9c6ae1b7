import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { describe, it } from "node:test";
import { pathToFileURL } from "node:url";
import { buildBrowserScript } from "../src/files/browser-script.ts";

const SCRIPTS = globSync(["src/http/admin/browser/*.ts", "src/static/browser/*.ts"]);

describe("a script for browsers", () => {
  it("has every line of code of its module, and no comment", () => {
    assert(SCRIPTS.length > 20);
    for (const file of SCRIPTS) {
      const { text } = buildBrowserScript(pathToFileURL(file), "/scripts");
      const source = stripTypeScriptTypes(readFileSync(file, "utf8"));
      assert.deepEqual(codeLinesOf(text), codeLinesOf(source));
      assert.doesNotMatch(text, /^ *\/[*/]/m, file);
      assert.doesNotThrow(() => stripTypeScriptTypes(text), file);
    }
  });
});

/** The lines outside comments, without the names of imported files, which are rewritten. */
function codeLinesOf(text: string): string[] {
  return text
    .split("\n")
    .filter((line) => !/^ *(?:\/\*\*|\*|\/\/)/.test(line))
    .map((line) => line.replace(/ from "[^"]*"|^import "[^"]*"/, ""));
}
