import assert from "node:assert/strict";
import { it } from "node:test";
import { ENGLISH } from "../../../src/http/admin/texts/english.ts";
import { GERMAN } from "../../../src/http/admin/texts/german.ts";
import { TOOLS } from "../../../src/mcp/tools.ts";

it("Insight has words for every tool of agents", () => {
  const names = TOOLS.map(({ definition }) => definition.name);
  for (const { insight } of [ENGLISH, GERMAN]) assert.deepEqual(Object.keys(insight.tools), names);
});
