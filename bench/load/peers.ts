import { existsSync, mkdtempSync, writeFileSync } from "node:fs";
import { createConnection } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { MeasuredProcess } from "./process.ts";

const NGINX = "/usr/sbin/nginx";
const SDK_SERVER = "test/judges/mcp/sdk-v1-server.mjs";
const SDK = "test/judges/node_modules/@modelcontextprotocol/sdk";

/** nginx that serves these bytes from files by their names; null: there is none here. */
export async function startNginx(
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

/** The official SDK's server, one for each request, whose tools answer these results at once. */
export async function startSdkServer(
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
