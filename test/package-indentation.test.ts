import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { withLessIndentation } from "../release/indentation.ts";

describe("code of the package", () => {
  it("has half of the compiler's indentation, but for the text of template literals", () => {
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
    const shorter = [
      "function page(items) {",
      '  const quote = /[`"\'/]/.test(items[0]) ? \'`\' : "\\"`";',
      "  const share = items.length / 2 / 1;",
      "  return html`<ul>${items.map((item) => {",
      "    return { a: `<li>",
      "        $" + "{item}",
      "    </li>`, b: '}' };",
      "  })}",
      "    </ul>\\``;",
      "}",
    ];
    assert.equal(withLessIndentation(code.join("\n")), shorter.join("\n"));
  });
});
