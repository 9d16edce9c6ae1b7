import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { TOOLS } from "../../src/mcp/tools.ts";
import { listenForMcp } from "../support/mcp-listener.ts";
import { ORIGIN, openMcpService } from "../support/mcp-service.ts";

const service = await openMcpService();
const listening = await listenForMcp(service.handle);
after(async () => {
  await listening[Symbol.asyncDispose]();
  await service[Symbol.asyncDispose]();
});

async function connect(mode: "auto" | "legacy", key = service.key): Promise<Client> {
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } });
  const headers = { Authorization: `Bearer ${key}` };
  await client.connect(
    new StreamableHTTPClientTransport(listening.url, { requestInit: { headers } }),
  );
  return client;
}

describe("@modelcontextprotocol/client", () => {
  for (const [mode, version] of [
    ["auto", "2026-07-28"],
    ["legacy", "2025-11-25"],
  ] as const) {
    it(`works through everything we offer in mode ${mode}`, async () => {
      const client = await connect(mode);
      assert.equal(client.getNegotiatedProtocolVersion(), version);
      assert.match(client.getInstructions() ?? "", /search_content/);
      assert.equal(client.getServerVersion()?.name, "example.quotations/content");

      const { tools } = await client.listTools();
      assert.equal(tools.length, TOOLS.length);
      const found = await client.callTool({
        name: "search_content",
        arguments: { query: "courage" },
      });
      assert.equal(found.isError, undefined);
      assert(JSON.stringify(found.structuredContent).includes(`${ORIGIN}/topics/courage`));
      const failed = await client.callTool({ name: "search_content", arguments: {} });
      assert.equal(failed.isError, true);

      const { resources } = await client.listResources();
      assert(resources.length > 20);
      const { contents } = await client.readResource({ uri: `${ORIGIN}/topics/time` });
      assert.equal(contents[0]?.mimeType, "text/markdown");
      assert.equal((await client.listResourceTemplates()).resourceTemplates.length, 6);
      await assert.rejects(client.readResource({ uri: `${ORIGIN}/nothing` }), /not found/i);

      assert.equal((await client.listPrompts()).prompts.length, 2);
      const prompt = await client.getPrompt({
        name: "research_topic",
        arguments: { topic: "Time" },
      });
      assert.equal(prompt.messages.length, 1);
      const { completion } = await client.complete({
        ref: { type: "ref/prompt", name: "research_topic" },
        argument: { name: "topic", value: "ti" },
      });
      assert.deepEqual(completion.values, ["Time"]);
      await client.close();
    });
  }

  it("shows its user how to get a key, and how long to wait", async () => {
    await assert.rejects(connect("legacy", "none"), /401|authorization/i);
    const key = await service.issue({ rate: 3 });
    const client = await connect("auto", key);
    await client.listTools();
    await client.listPrompts();
    await assert.rejects(client.listResources(), /Wait 60 seconds/);
    await client.close();
  });
});
