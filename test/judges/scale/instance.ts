import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { MAIN } from "../../support/command-line.ts";

const STARTED_WITHIN_MS = 300_000;

export interface InstanceOptions {
  port: number;
  /** The public address: the proxy. */
  publicUrl: string;
  dataDir: string;
  databaseUrl: string;
  /** The only processor it may use. */
  processor?: number;
  /** Starts with the demo instead of an empty site. */
  demo?: boolean;
}

/** One of several processes that serve a site, with a separate data folder. */
export class Instance implements AsyncDisposable {
  readonly port: number;
  readonly dataDir: string;
  readonly #environment: Record<string, string>;
  readonly #command: readonly string[];
  #process: ChildProcess | null = null;
  #printed = "";

  constructor(options: InstanceOptions) {
    const { port, publicUrl, dataDir, databaseUrl, processor, demo = false } = options;
    const pinned = processor === undefined ? [] : ["taskset", "-c", String(processor)];
    this.port = port;
    this.dataDir = dataDir;
    this.#command = [...pinned, process.execPath, MAIN, "serve"];
    this.#environment = {
      PATH: String(process.env["PATH"]),
      PORT: String(port),
      PUBLIC_URL: publicUrl,
      DATA_DIR: dataDir,
      DATABASE_URL: databaseUrl,
      DEMO: demo ? "1" : "0",
      TRUST_PROXY: "1",
      LOG_LEVEL: "warn",
    };
    mkdirSync(dataDir, { recursive: true });
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** The address that nginx logs for answers of this instance. */
  get address(): string {
    return `127.0.0.1:${this.port}`;
  }

  /** The file of its reading copy. */
  get copy(): string {
    return join(this.dataDir, "reading.db");
  }

  /** Valid while it runs. */
  get pid(): number {
    return this.#process?.pid ?? 0;
  }

  /** The log lines since its last start. */
  get logged(): string[] {
    return this.#printed.split("\n").filter((line) => line.startsWith("{"));
  }

  /** Resolves when it serves, that is, when its copy is current. @returns the elapsed milliseconds. */
  async start(): Promise<number> {
    const begun = performance.now();
    const [program = "", ...words] = this.#command;
    const child = spawn(program, words, {
      env: this.#environment,
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#process = child;
    this.#printed = "";
    const late = setTimeout(() => child.kill("SIGKILL"), STARTED_WITHIN_MS);
    await new Promise<void>((resolve, reject) => {
      const take = (chunk: Buffer) => {
        this.#printed += chunk.toString();
        if (/keys issue/.test(this.#printed)) resolve();
      };
      child.stdout.on("data", take);
      child.stderr.on("data", take);
      child.once("exit", (code) =>
        reject(new Error(`An instance ended with ${code} as it started: ${this.#printed}`)),
      );
    });
    clearTimeout(late);
    return performance.now() - begun;
  }

  /** Stops it like a service manager. @returns the exit code; null: a signal ended it. */
  async stop(): Promise<number | null> {
    return await this.#end("SIGTERM");
  }

  async kill(): Promise<void> {
    await this.#end("SIGKILL");
  }

  /** Runs a command of the program on the same record. Returns its standard output. */
  async commonplace(...words: string[]): Promise<string> {
    const { stdout } = await promisify(execFile)(process.execPath, [MAIN, ...words], {
      env: this.#environment,
    });
    return stdout;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  async #end(signal: NodeJS.Signals): Promise<number | null> {
    const child = this.#process;
    if (child === null) return null;
    if (child.exitCode === null && child.signalCode === null) {
      const exit = once(child, "exit");
      child.kill(signal);
      await exit;
    }
    return child.exitCode;
  }
}
