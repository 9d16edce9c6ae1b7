import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Ended, runToEnd } from "../image/containers.ts";
import { writeStandInBase } from "../image/stand-in-base.ts";

const STARTED_WITHIN_MS = 30_000;

/** Docker with images, containers and volumes of its own below a folder. */
export class DockerEngine implements AsyncDisposable {
  readonly #folder: string;
  readonly #daemon: ChildProcess;
  readonly #environment: NodeJS.ProcessEnv;

  private constructor(folder: string, daemon: ChildProcess) {
    this.#folder = folder;
    this.#daemon = daemon;
    this.#environment = { ...process.env, DOCKER_HOST: socketIn(folder) };
  }

  /** @returns what the daemon said last, if this machine does not let it run. */
  static async start(folder: string): Promise<DockerEngine | string> {
    const words = ["--data-root", join(folder, "docker"), "--exec-root", join(folder, "run")];
    const own = ["--host", socketIn(folder), "--pidfile", join(folder, "docker.pid")];
    const daemon = spawn("dockerd", [...words, ...own], { stdio: ["ignore", "ignore", "pipe"] });
    let said = "";
    daemon.stderr.setEncoding("utf8").on("data", (text: string) => {
      said = (said + text).slice(-1000);
    });
    const engine = new DockerEngine(folder, daemon);
    const begun = performance.now();
    while (daemon.exitCode === null && performance.now() - begun < STARTED_WITHIN_MS) {
      if (engine.docker("info").status === 0) return engine;
      await sleep(500);
    }
    await engine[Symbol.asyncDispose]();
    return said.trim().split("\n").at(-1) ?? "";
  }

  docker(...words: string[]): Ended {
    return this.run("docker", words, this.#folder);
  }

  run(program: string, words: readonly string[], cwd: string): Ended {
    return runToEnd(program, words, cwd, this.#environment);
  }

  /**
   * Pulls images. If no registry can be reached, stand-ins take the names: Debian with this Node, and with
   * this machine's Caddy.
   */
  provide({ base, proxy }: { base: string; proxy: string }): void {
    if ([base, proxy].every((name) => this.docker("pull", "--quiet", name).status === 0)) return;
    console.log(`${base} and ${proxy} cannot be had, stand-ins take their place`);
    const { tar, changes } = writeStandInBase(this.#folder);
    this.#require("import", ...changes.flatMap((change) => ["--change", change]), tar, base);
    const context = join(this.#folder, "proxy");
    mkdirSync(context);
    const caddy = execFileSync("which", ["caddy"], { encoding: "utf8" }).trim();
    cpSync(caddy, join(context, "caddy"), { dereference: true });
    writeFileSync(join(context, "Dockerfile"), proxyFile(base));
    this.#require("build", "--quiet", "--tag", proxy, context);
  }

  #require(...words: string[]): void {
    const { status, stderr } = this.docker(...words);
    if (status !== 0) throw new Error(`docker ${words[0]} failed: ${stderr.slice(-1000)}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#daemon.exitCode !== null) return;
    const ended = once(this.#daemon, "exit");
    this.#daemon.kill();
    await ended;
  }
}

function socketIn(folder: string): string {
  return `unix://${join(folder, "docker.sock")}`;
}

/** As the public image: what Caddy keeps is in `/data`. */
function proxyFile(base: string): string {
  const command = ["caddy", "run", "--config", "/etc/caddy/Caddyfile", "--adapter", "caddyfile"];
  return `FROM ${base}
COPY caddy /usr/bin/caddy
ENV XDG_DATA_HOME=/data XDG_CONFIG_HOME=/config
CMD ${JSON.stringify(command)}
`;
}

/** The image that a file names, without the digest. */
export function imageIn(file: string, pattern: RegExp): string {
  const [, name] = pattern.exec(readFileSync(file, "utf8")) ?? [];
  if (name === undefined) throw new Error(`${file} names no image`);
  return name;
}
