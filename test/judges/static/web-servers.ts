import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { freePort } from "../../support/free-port.ts";

export const WEB_SERVERS = ["nginx", "caddy"] as const;
export type WebServer = (typeof WEB_SERVERS)[number];

interface StaticCopy {
  /** The exported folder. */
  folder: string;
  /** The origin of the site that was exported. */
  siteOrigin: string;
  /** For configuration and temporary files. */
  work: string;
}

/** Serves a static copy with the rules that were exported with it, at an origin of its own. */
export async function serveCopy(host: WebServer, copy: StaticCopy) {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const child = host === "nginx" ? startNginx(copy, port) : startCaddy(copy, origin);
  await untilItAnswers(origin);
  return { origin, [Symbol.dispose]: () => void child.kill() };
}

function startNginx({ folder, work }: StaticCopy, port: number): ChildProcess {
  const rules = readFileSync(join(folder, "nginx.conf"), "utf8");
  const own = join(work, "nginx-rules.conf");
  writeFileSync(own, rules.replace("listen 80;", `listen 127.0.0.1:${port};`));
  const config = join(work, "nginx-main.conf");
  const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  const temporary = paths.map((name) => `${name}_temp_path ${work}/${name};`).join(" ");
  writeFileSync(
    config,
    `daemon off; error_log /dev/null; pid ${work}/nginx.pid; events { }
http { access_log off; ${temporary} include ${own}; }\n`,
  );
  return spawn("nginx", ["-c", config], { stdio: ["ignore", "inherit", "inherit"] });
}

function startCaddy({ folder, siteOrigin, work }: StaticCopy, origin: string): ChildProcess {
  const rules = readFileSync(join(folder, "Caddyfile"), "utf8");
  const config = join(work, "Caddyfile");
  writeFileSync(config, `{\n\tadmin off\n}\n${rules.replace(`${siteOrigin} {`, `${origin} {`)}`);
  const env = { ...process.env, HOME: work, XDG_DATA_HOME: work, XDG_CONFIG_HOME: work };
  const words = ["run", "--config", config, "--adapter", "caddyfile"];
  return spawn("caddy", words, { env, stdio: ["ignore", "ignore", "inherit"] });
}

async function untilItAnswers(origin: string): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    const answer = await fetch(origin).catch(() => null);
    if (answer !== null) return;
    await wait(100);
  }
  throw new Error(`${origin} does not answer`);
}
