import assert from "node:assert/strict";
import { it } from "node:test";
import { SITE_FEATURES } from "../../src/mcp/handler.ts";
import type { Tool } from "../../src/mcp/mcp-features.ts";
import { textResult } from "../../src/mcp/results/tool-result.ts";
import { openMcpService } from "../support/mcp-service.ts";

it("caches repeated requests until something is published, and no others", async () => {
  const [tool] = SITE_FEATURES.tools;
  assert(tool);
  let calls = 0;
  const counting: Tool = {
    ...tool,
    isCacheable: true,
    async call(args) {
      calls += 1;
      return textResult(`${calls}: ${JSON.stringify(args)}`);
    },
  };
  await using service = await openMcpService({ offering: { ...SITE_FEATURES, tools: [counting] } });
  const { name } = tool.definition;
  const ask = async (which: number) => {
    const { body } = await service.legacy("tools/call", { name, arguments: { which } });
    return body.result.content[0].text;
  };
  assert.equal(await ask(1), '1: {"which":1}');
  assert.equal(await ask(2), '2: {"which":2}');
  assert.equal(await ask(1), '3: {"which":1}');
  assert.equal(await ask(1), '3: {"which":1}');
  assert.equal(await ask(2), '4: {"which":2}');
  await service.save({ type: "topic", title: "New", status: "published" });
  assert.equal(await ask(1), '5: {"which":1}');
  assert.equal(await ask(1), '5: {"which":1}');
  service.clock.now = new Date(service.clock.now.getTime() + 24 * 60 * 60 * 1000);
  assert.equal(await ask(1), '6: {"which":1}');
});
