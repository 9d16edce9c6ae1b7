import assert from "node:assert/strict";
import type { ApiClient, Loose } from "./api-client.ts";
import { sendTo } from "./send-to.ts";

/** Calls a tool of the MCP service over the HTTP door. */
export type CallTool = (name: string, input: object) => Promise<{ text: string; result: Loose }>;

export async function openTools(api: ApiClient): Promise<CallTool> {
  const { key } = await api.issueWith({ scopes: ["mcp:read"], ratePerMinute: 10_000 });
  return async (name, input) => {
    const response = await sendTo(api.app.http, "/mcp", {
      method: "POST",
      headers: {
        Authorization: `Bearer ${key}`,
        Host: "quotations.example",
        "Content-Type": "application/json",
      },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: { name, arguments: input },
      }),
    });
    assert.equal(response.status, 200);
    const { result } = JSON.parse(await response.text());
    return { text: JSON.stringify(result), result };
  };
}

/** Names of the pages, documents and tools that show an item with this title and path. */
export async function doorsShowing(
  api: ApiClient,
  callTool: CallTool,
  { path, title }: { path: string; title: string },
): Promise<string[]> {
  const section = `/${path.split("/")[1]}`;
  const page = async (address: string, accept: string) => {
    const response = await api.app.get(address, { Accept: accept });
    return response.status === 200 && (await response.text()).includes(title);
  };
  const text = async (address: string, wanted: string) =>
    (await (await api.app.get(address)).text()).includes(wanted);
  const tool = async (name: string, input: object) => {
    const { text: answer, result } = await callTool(name, input);
    // They may mention the title of a withdrawn item.
    return result.isError !== true && answer.includes(title);
  };
  const doors: Record<string, Promise<boolean>> = {
    page: page(path, "text/html"),
    markdown: page(path, "text/markdown"),
    twin: page(`${path}.md`, "*/*"),
    list: page(section, "text/html"),
    search: page(`/search?q=${encodeURIComponent(title)}`, "text/markdown").then(
      async (isShown) => isShown && (await text(`/search?q=${encodeURIComponent(title)}`, path)),
    ),
    "llms.txt": text(`${section}/llms.txt`, `${path}.md`),
    sitemap: text("/sitemap.xml", `${path}<`),
    "feed.atom": text("/feed.atom", `${path}"`),
    "feed.json": text("/feed.json", `${path}"`),
    get_content_by_url: tool("get_content_by_url", { url: path }),
    list_content: tool("list_content", { type: "topic", limit: 100 }),
    list_topics: tool("list_topics", { limit: 100 }),
    search_content: tool("search_content", { query: title, types: ["topic"] }),
  };
  const answers = await Promise.all(
    Object.entries(doors).map(async ([door, isTold]) => ({ door, isTold: await isTold })),
  );
  return answers.filter(({ isTold }) => isTold).map(({ door }) => door);
}

export const ALL_DOORS: readonly string[] = [
  "page",
  "markdown",
  "twin",
  "list",
  "search",
  "llms.txt",
  "sitemap",
  "feed.atom",
  "feed.json",
  "get_content_by_url",
  "list_content",
  "list_topics",
  "search_content",
];
