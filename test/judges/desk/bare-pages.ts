import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { type Agent, get, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { freePort } from "../../support/free-port.ts";

const PAGE_HEADERS = { accept: "text/html", "accept-encoding": "gzip" };

/** Bare node:http in a process of its own, sending the same bytes: how long the machine alone makes a page wait. */
export async function startBarePages(
  origin: string,
  paths: readonly string[],
  folder: string,
): Promise<{ origin: string; process: ChildProcess }> {
  const prepared: Record<string, { status: number; headers: string[]; body: string }> = {};
  for (const path of paths) {
    const { headers, body } = await readPage(`${origin}${path}`);
    prepared[path.slice(1)] = { status: 200, headers, body: body.toString("base64") };
  }
  const file = join(folder, "bare-pages.json");
  writeFileSync(file, JSON.stringify(prepared));
  const port = await freePort();
  const words = ["bench/load/floor.ts", String(port), file];
  const bare = spawn(process.execPath, words, { stdio: ["ignore", "pipe", "inherit"] });
  await once(bare.stdout, "data");
  return { origin: `http://127.0.0.1:${port}`, process: bare };
}

export async function readPage(
  url: string,
  agent?: Agent,
): Promise<{ headers: string[]; body: Buffer }> {
  const request = get(url, { ...(agent && { agent }), headers: PAGE_HEADERS });
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request.on("response", resolve).on("error", reject);
  });
  const body = Buffer.concat(await response.toArray());
  if (response.statusCode !== 200) throw new Error(`${url} answers ${response.statusCode}`);
  const { "content-type": type = "", "content-encoding": coding = "identity" } = response.headers;
  const headers = ["Content-Type", type, "Content-Encoding", coding];
  return { headers: [...headers, "Content-Length", String(body.length)], body };
}
