import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";

/** Linux counts CPU time in hundredths of a second. */
const TICKS_PER_SECOND = 100;
const KILOBYTES_PER_MEGABYTE = 1024;

/** A program whose use of the machine is measured from outside. */
export class MeasuredProcess implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly startedAt = performance.now();

  private constructor(child: ChildProcess) {
    this.#child = child;
  }

  /** Starts a program and resolves when it has printed a line that matches. */
  static async start(
    command: string,
    words: readonly string[],
    { environment = {}, ready }: { environment?: Record<string, string>; ready: RegExp },
  ): Promise<MeasuredProcess> {
    const child = spawn(command, words, {
      env: { ...process.env, ...environment },
      stdio: ["ignore", "pipe", "inherit"],
    });
    const started = new MeasuredProcess(child);
    let printed = "";
    await new Promise<void>((resolve, reject) => {
      child.stdout.on("data", (piece: Buffer) => {
        printed += piece;
        if (ready.test(printed)) resolve();
      });
      child.once("exit", () => reject(new Error(`${command} ended too soon: ${printed}`)));
    });
    return started;
  }

  /** User and system time since its start, with that of all its children that ended. */
  cpuSeconds(): number {
    const stat = readFileSync(`/proc/${this.#child.pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
  }

  residentMegabytes(): number {
    const status = readFileSync(`/proc/${this.#child.pid}/status`, "utf8");
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / KILOBYTES_PER_MEGABYTE;
  }

  /** Ends it without a chance to tidy up. */
  async kill(): Promise<void> {
    this.#child.kill("SIGKILL");
    await once(this.#child, "exit");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    this.#child.kill("SIGTERM");
    await once(this.#child, "exit");
  }
}
