import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { z } from "zod";
import type { Verdict } from "../verdict.ts";
import { runTool } from "../web/run-tool.ts";

const INSPECTOR = "@modelcontextprotocol/inspector/clients/launcher/build/index.js";
const RATE = 10_000;

/** A running service, with a way to get keys for it. */
interface Judged {
  origin: string;
  issueKey(ratePerMinute: number): Promise<string>;
}

/** Runs real clients of agents against the whole server. */
export async function judgeByClients(server: Judged): Promise<Verdict[]> {
  const url = `${server.origin}/mcp`;
  const key = await server.issueKey(RATE);
  return [
    await judgeBySdkV1(url, key),
    await judgeBySdkV2(url, key, "legacy"),
    await judgeBySdkV2(url, key, "auto"),
    ...(await judgeByInspector(url, key)),
    await judgeBurst(url, await server.issueKey(60), await server.issueKey(60)),
  ];
}

const v1Report = z.object({
  tools: z.literal(8),
  hits: z.int().min(1),
  errorIsTold: z.literal(true),
  resources: z.int().min(1),
  markdown: z.literal(true),
  prompts: z.literal(2),
  completions: z.int().min(1),
});

async function judgeBySdkV1(url: string, key: string): Promise<Verdict> {
  const what = "@modelcontextprotocol/sdk 1.x";
  const script = join(import.meta.dirname, "sdk-v1-client.mjs");
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [script, url], {
      env: { ...process.env, KEY: key },
    });
    const passed = v1Report.safeParse(JSON.parse(stdout)).success;
    return { what, passed, detail: stdout };
  } catch (error) {
    return { what, passed: false, detail: String(error) };
  }
}

async function judgeBySdkV2(url: string, key: string, mode: "auto" | "legacy"): Promise<Verdict> {
  const what = `@modelcontextprotocol/client, ${mode}`;
  const client = new Client({ name: "judge", version: "1" }, { versionNegotiation: { mode } });
  const headers = { Authorization: `Bearer ${key}` };
  try {
    await client.connect(
      new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }),
    );
    const { tools } = await client.listTools();
    const found = await client.callTool({ name: "list_topics", arguments: { limit: 1 } });
    const version = client.getNegotiatedProtocolVersion();
    await client.close();
    const expected = mode === "auto" ? "2026-07-28" : "2025-11-25";
    const passed = version === expected && tools.length === 8 && found.isError !== true;
    return { what, passed, detail: `${version}, ${tools.length} tools` };
  } catch (error) {
    return { what, passed: false, detail: String(error) };
  }
}

async function judgeByInspector(url: string, key: string): Promise<Verdict[]> {
  const calls: [string, string[]][] = [
    ["the tools, strictly", ["--method", "tools/list", "--strict"]],
    [
      "a call",
      ["--method", "tools/call", "--tool-name", "search_content", "--tool-arg", "query=time"],
    ],
    ["the resources", ["--method", "resources/list"]],
    ["the prompts", ["--method", "prompts/list"]],
  ];
  const verdicts: Verdict[] = [];
  for (const era of ["legacy", "modern"]) {
    for (const [what, words] of calls) {
      const { exitCode, stdout, stderr } = await runTool(
        INSPECTOR,
        [
          ...["--cli", url, "--transport", "http", "--protocol-era", era, "--stored-auth-only"],
          ...["--header", `Authorization: Bearer ${key}`, "-q", "--format", "json", ...words],
        ],
        { MCP_INSPECTOR_SECRET_STORE: "memory" },
      );
      verdicts.push({
        what: `Inspector, ${era}: ${what}`,
        passed: exitCode === 0,
        detail: exitCode === 0 ? `${stdout.length} characters` : `${exitCode} ${stderr}${stdout}`,
      });
    }
  }
  return verdicts;
}

/**
 * Sends 200 requests at once with one key, then more until the first is refused for its limit. Exactly 60 must be
 * answered and every other must say how long to wait, those included that a slow machine refuses as too many at
 * once. Another key must not be affected.
 */
async function judgeBurst(url: string, key: string, otherKey: string): Promise<Verdict> {
  const ask = (withKey: string) =>
    fetch(url, {
      method: "POST",
      headers: { authorization: `Bearer ${withKey}`, "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" }),
    });
  const answers = await Promise.all(Array.from({ length: 200 }, () => ask(key)));
  const other = await ask(otherKey);
  while (answers.at(-1)?.status !== 429 && answers.length < 300) answers.push(await ask(key));
  const counted = (status: number) => answers.filter((answer) => answer.status === status).length;
  const [accepted, overLimit, busy] = [counted(200), counted(429), counted(503)];
  const told = await Promise.all(
    answers.map(
      async (answer) =>
        answer.status === 200 ||
        (Number(answer.headers.get("retry-after")) > 0 &&
          (answer.status === 503 || /Wait \d+ seconds/.test(await answer.text()))),
    ),
  );
  const passed =
    accepted === 60 &&
    accepted + overLimit + busy === answers.length &&
    told.every(Boolean) &&
    other.status === 200;
  return {
    what: "a burst of 200 requests",
    passed,
    detail: `${accepted} answered, ${overLimit} over the limit, ${busy} refused as too many, another key ${other.status}`,
  };
}
