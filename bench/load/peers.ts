import { existsSync, mkdtempSync, writeFileSync } from "node:fs";
import { createConnection } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Case } from "./cases.ts";
import { compareCosts, measureRound, type Row } from "./comparing.ts";
import type { Prepared } from "./floor-side.ts";
import { MeasuredProcess } from "./process.ts";

const NGINX = "/usr/sbin/nginx";
const SDK_SERVER = "test/judges/mcp/sdk-v1-server.mjs";
const SDK = "test/judges/node_modules/@modelcontextprotocol/sdk";

interface PeerOptions {
  port: number;
  rounds: number;
  seconds: number;
  bareCost(position: number, one: Case): () => Promise<number>;
}

/**
 * Sends the same bytes from other servers and compares them with the same floor. Servers that are not
 * installed are left out.
 */
export async function comparePeers(
  cases: readonly Case[],
  prepared: readonly Prepared[],
  { port, rounds, seconds, bareCost }: PeerOptions,
): Promise<Row[]> {
  const origin = `http://127.0.0.1:${port}`;
  const body = (position: number) => Buffer.from(prepared[position]?.body ?? "", "base64");
  const compare = async (name: string, who: string, peer: MeasuredProcess): Promise<Row> => {
    const position = cases.findIndex((one) => one.name === name);
    const one = cases[position];
    const [request] = one?.requests ?? [];
    if (one === undefined || request === undefined) throw new Error(`There is no case ${name}`);
    const requests = [request.method === "GET" ? { ...request, target: `/${position}` } : request];
    const ours = () => measureRound(peer, { origin, requests, seconds });
    return {
      what: `${who}: ${name}`,
      ...(await compareCosts(rounds, ours, bareCost(position, one))),
    };
  };
  const rows: Row[] = [];
  {
    const files = Object.fromEntries(
      cases.map((_, position) => [String(position), body(position)]),
    );
    await using nginx = await startNginx(files, port);
    if (nginx === null) console.log("nginx is not here and left out");
    else {
      for (const name of ["topic, Chrome, kept", "sitemap.xml, Googlebot, kept"])
        rows.push(await compare(name, "nginx", nginx));
    }
  }
  const tools = ["get_content_by_url", "list_quotations_by_topic"];
  const results = tools.map((tool) => {
    const position = cases.findIndex((one) => one.name === `${tool}, Claude Code`);
    return [tool, JSON.parse(body(position).toString()).result];
  });
  await using sdk = await startSdkServer(Object.fromEntries(results), port);
  if (sdk === null) console.log("The SDK is left out: it needs npm ci --prefix test/judges");
  else {
    for (const tool of tools) rows.push(await compare(`${tool}, Claude Code`, "official SDK", sdk));
  }
  return rows;
}

/** Starts nginx, which serves these bytes from files; null: it is not installed. */
async function startNginx(
  files: Readonly<Record<string, Uint8Array>>,
  port: number,
): Promise<MeasuredProcess | null> {
  if (!existsSync(NGINX)) return null;
  const folder = mkdtempSync(join(tmpdir(), "nginx-"));
  for (const [name, bytes] of Object.entries(files)) writeFileSync(join(folder, name), bytes);
  writeFileSync(
    join(folder, "nginx.conf"),
    `daemon off; master_process off; pid ${folder}/pid; error_log stderr;
     events { worker_connections 256; }
     http {
       access_log off; sendfile on; tcp_nopush on; keepalive_requests 100000000; open_file_cache max=100;
       client_body_temp_path ${folder}/a; proxy_temp_path ${folder}/b; fastcgi_temp_path ${folder}/c;
       uwsgi_temp_path ${folder}/d; scgi_temp_path ${folder}/e;
       server { listen 127.0.0.1:${port}; root ${folder}; default_type text/html; }
     }`,
  );
  const words = ["-p", folder, "-e", "stderr", "-c", join(folder, "nginx.conf")];
  const nginx = MeasuredProcess.quiet(NGINX, words);
  await untilListening(port);
  return nginx;
}

/**
 * Starts the official SDK's server, with one instance per request. Its tools return these results at once.
 */
async function startSdkServer(
  results: Readonly<Record<string, object>>,
  port: number,
): Promise<MeasuredProcess | null> {
  if (!existsSync(SDK)) return null;
  const file = join(mkdtempSync(join(tmpdir(), "sdk-")), "results.json");
  writeFileSync(file, JSON.stringify(results));
  const words = [SDK_SERVER, String(port), file];
  return await MeasuredProcess.start(process.execPath, words, { ready: /ready/ });
}

async function untilListening(port: number): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = createConnection(port, "127.0.0.1");
      socket.once("connect", () => resolve(socket.end() === socket));
      socket.once("error", () => resolve(false));
    });
    if (isOpen) return;
    await sleep(50);
  }
  throw new Error(`Nothing listens on port ${port}`);
}
