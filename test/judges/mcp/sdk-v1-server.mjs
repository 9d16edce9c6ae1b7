import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { z } from "zod";

// What the official library takes for a call, for the benchmark: a server and a transport for each
// request, as its own stateless example has it, with tools whose results are there already.
// `node sdk-v1-server.mjs PORT RESULTS.json`
const [port, file] = process.argv.slice(2);
const results = JSON.parse(readFileSync(file, "utf8"));
const anything = {
  url: z.string().optional(),
  topic: z.string().optional(),
  limit: z.number().optional(),
};

createServer((request, response) => {
  void answer(request, response);
}).listen(Number(port), "127.0.0.1", () => console.log("ready"));

async function answer(request, response) {
  const server = new McpServer({ name: "peer", version: "1.0.0" });
  for (const [name, result] of Object.entries(results)) {
    server.registerTool(name, { description: name, inputSchema: anything }, async () => result);
  }
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: undefined,
    enableJsonResponse: true,
  });
  response.on("close", () => {
    void transport.close();
    void server.close();
  });
  await server.connect(transport);
  await transport.handleRequest(request, response);
}
