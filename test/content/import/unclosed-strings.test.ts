import assert from "node:assert/strict";
import { it } from "node:test";
import { parseLiteralAt } from "../../../src/content/import/conventions/menus/script-literal.ts";
import { cpuMilliseconds } from "../../support/costly/growth.ts";

/** As much as is read of a settings file. */
const SCRIPT = `{a: ${'\\"'.repeat(60_000)}`;
const MILLISECONDS_MAX = 3000;

it("Settings in JavaScript whose strings do not end are read in moderate time", () => {
  const taken = cpuMilliseconds(() => assert.equal(parseLiteralAt(SCRIPT, 0).kind, "object"));
  assert.ok(taken < MILLISECONDS_MAX, `${taken} ms`);
});
