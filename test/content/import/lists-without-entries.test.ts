import assert from "node:assert/strict";
import { it } from "node:test";
import { parseCslEntries } from "../../../src/content/import/references/csl-json.ts";
import { requireNearLinear } from "../../support/costly/growth.ts";
import { halves } from "../../support/costly/pieces.ts";

it("A bibliography in JSON that is a list without entries costs no more than its length", () =>
  requireNearLinear(
    (characters) => `["type": "book", "author":${halves("\t", "[")(2 * characters)}`,
    (json) => assert.deepEqual([...parseCslEntries(json)], []),
  ));
