import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

// The oldest client library in wide use, in a process of its own: `node sdk-v1-client.mjs URL`, the
// key in KEY. Prints what it got, as JSON.
const [url] = process.argv.slice(2);
const headers = { Authorization: `Bearer ${process.env.KEY}` };
const client = new Client({ name: "judge", version: "1" });
await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));

const { tools } = await client.listTools();
const search = await client.callTool({ name: "search_content", arguments: { query: "time" } });
const failed = await client.callTool({ name: "search_content", arguments: {} });
const { resources } = await client.listResources();
const { contents } = await client.readResource({ uri: resources[0].uri });
const { prompts } = await client.listPrompts();
const { completion } = await client.complete({
  ref: { type: "ref/prompt", name: "research_topic" },
  argument: { name: "topic", value: "t" },
});
await client.close();

process.stdout.write(
  JSON.stringify({
    server: client.getServerVersion(),
    tools: tools.length,
    hits: search.structuredContent.hits.length,
    errorIsTold: failed.isError === true,
    resources: resources.length,
    markdown: contents[0].text.startsWith("---"),
    prompts: prompts.length,
    completions: completion.values.length,
  }),
);
