import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";

const KILOBYTES_PER_MEGABYTE = 1024;
/** Index in `/proc/PID/stat` (proc(5)), counted after the name of the program. */
const USER_TICKS = 11;
const SYSTEM_TICKS = 12;
const TICKS_PER_SECOND = 100;

/** A process whose resources are measured from outside. */
export class MeasuredProcess implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly startedAt = performance.now();

  private constructor(child: ChildProcess) {
    this.#child = child;
  }

  /** Starts a program that prints nothing. */
  static quiet(command: string, words: readonly string[]): MeasuredProcess {
    return new MeasuredProcess(spawn(command, words, { stdio: ["ignore", "ignore", "inherit"] }));
  }

  /** Starts a program and resolves when it has printed a line that matches. */
  static async start(
    command: string,
    words: readonly string[],
    { environment = {}, ready }: { environment?: Record<string, string>; ready: RegExp },
  ): Promise<MeasuredProcess> {
    const child = spawn(command, words, {
      env: { DRAIN_SECONDS: "0", ...process.env, ...environment },
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

  get pid(): number {
    return Number(this.#child.pid);
  }

  cpuSeconds(): number {
    return cpuSecondsOf(this.pid);
  }

  residentMegabytes(): number {
    const status = readFileSync(`/proc/${this.pid}/status`, "utf8");
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / KILOBYTES_PER_MEGABYTE;
  }

  /** Kills the process without any cleanup. */
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

/**
 * User and system time of all threads of a process. It is exact to the nanosecond while the initial threads
 * run, and to a fiftieth of a second once any has ended, because the kernel then keeps only the sum.
 */
export function cpuSecondsOf(pid: number): number {
  // Read in this order, the exact value is the larger one as long as no thread has ended.
  const withEnded = tickedSeconds(pid);
  return Math.max(withEnded, livingSeconds(pid));
}

function tickedSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
  return (Number(fields[USER_TICKS]) + Number(fields[SYSTEM_TICKS])) / TICKS_PER_SECOND;
}

function livingSeconds(pid: number): number {
  const tasks = `/proc/${pid}/task`;
  const nanoseconds = readdirSync(tasks).map((thread) =>
    Number(readFileSync(`${tasks}/${thread}/schedstat`, "utf8").split(" ")[0]),
  );
  return nanoseconds.reduce((sum, each) => sum + each, 0) / 1e9;
}
