import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

const CONFIGURATION = "deploy/nginx.conf";

/** The proxy of `deploy/` with its configuration, except for addresses and certificates. */
export async function startFront(
  port: number,
  instances: readonly [number, number],
): Promise<AsyncDisposable> {
  const folder = mkdtempSync(join(tmpdir(), "commonplace-nginx-"));
  const file = join(folder, "nginx.conf");
  const places = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (kind) => `${kind}_temp_path ${folder}/${kind};`,
  );
  // As root, nginx runs its workers as `nobody`, who could not write to the folder.
  writeFileSync(
    file,
    `${process.getuid?.() === 0 ? "user root;" : ""}
daemon off; worker_processes 1; pid ${folder}/pid; error_log ${folder}/errors warn;
events { worker_connections 1024; }
http { access_log off; ${places.join(" ")}
${siteAt(port, instances)}
}`,
  );
  const nginx = spawn("nginx", ["-p", folder, "-e", "stderr", "-c", file], {
    stdio: ["ignore", "inherit", "inherit"],
  });
  await untilListening(port);
  return {
    async [Symbol.asyncDispose]() {
      const exit = once(nginx, "exit");
      nginx.kill("SIGTERM");
      await exit;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function siteAt(port: number, [first, second]: readonly [number, number]): string {
  const shipped = readFileSync(CONFIGURATION, "utf8");
  const [secure = "", plain] = shipped.split(/^(?=server \{\n {2}listen 80;)/m);
  if (plain === undefined) throw new Error(`${CONFIGURATION} has no server on port 80 at its end`);
  return secure
    .replace("listen 443 ssl;", `listen 127.0.0.1:${port};`)
    .replace(/^ {2}ssl_.*\n/gm, "")
    .replaceAll("example.org", "127.0.0.1")
    .replaceAll("Host $host;", `Host $host:${port};`)
    .replace("instance-1:8080", `127.0.0.1:${first}`)
    .replace("instance-2:8080", `127.0.0.1:${second}`);
}

async function untilListening(port: number): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const answer = await fetch(`http://127.0.0.1:${port}/`).catch(() => undefined);
    await answer?.arrayBuffer();
    if (answer !== undefined) return;
    await wait(50);
  }
  throw new Error("nginx did not answer");
}
