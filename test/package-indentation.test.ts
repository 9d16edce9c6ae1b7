import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { indentedByTabs } from "../release/indentation.ts";

describe("code of the package", () => {
  it("is indented by tabs, but for the text of template literals", () => {
    const code = [
      "function page(items) {",
      '    const quote = /[`"\'/]/.test(items[0]) ? \'`\' : "\\"`";',
      "    const share = items.length / 2 / 1;",
      "    return html`<ul>${items.map((item) => {",
      "        return { a: `<li>",
      "        $" + "{item}",
      "    </li>`, b: '}' };",
      "    })}",
      "    </ul>\\``;",
      "}",
    ];
    const indented = [
      "function page(items) {",
      '\tconst quote = /[`"\'/]/.test(items[0]) ? \'`\' : "\\"`";',
      "\tconst share = items.length / 2 / 1;",
      "\treturn html`<ul>${items.map((item) => {",
      "\t\treturn { a: `<li>",
      "        $" + "{item}",
      "    </li>`, b: '}' };",
      "\t})}",
      "    </ul>\\``;",
      "}",
    ];
    assert.equal(indentedByTabs(code.join("\n")), indented.join("\n"));
  });
});
