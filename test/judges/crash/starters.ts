import { type ChildProcess, fork } from "node:child_process";
import { join } from "node:path";
import type { Outcome, Task } from "./next-start.ts";
import { INHERITED } from "./program.ts";

const PROGRAM = join(import.meta.dirname, "next-start.ts");

interface Starter {
  child: ChildProcess;
  isBusy: boolean;
}

/** Processes that start the service on what crashes left. Each handles one folder at a time. */
export class Starters implements Disposable {
  readonly #starters: readonly Starter[];
  readonly #waiting: (() => void)[] = [];
  #count = 0;

  constructor(size: number) {
    this.#starters = Array.from({ length: size }, () => ({
      child: fork(PROGRAM, { env: INHERITED, stdio: ["ignore", "ignore", "inherit", "ipc"] }),
      isBusy: false,
    }));
  }

  async outcome(task: Omit<Task, "id">): Promise<Outcome> {
    const starter = await this.#free();
    this.#count += 1;
    try {
      return await asked(starter.child, { id: this.#count, ...task });
    } finally {
      starter.isBusy = false;
      this.#waiting.shift()?.();
    }
  }

  async #free(): Promise<Starter> {
    for (;;) {
      const starter = this.#starters.find(({ isBusy }) => !isBusy);
      if (starter !== undefined) {
        starter.isBusy = true;
        return starter;
      }
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  [Symbol.dispose](): void {
    for (const { child } of this.#starters) child.kill("SIGKILL");
  }
}

async function asked(child: ChildProcess, task: Task): Promise<Outcome> {
  return await new Promise((resolve, reject) => {
    const onExit = () => reject(new Error(`The start on ${task.root} ended its process`));
    child.once("exit", onExit);
    child.once("message", (outcome: Outcome) => {
      child.off("exit", onExit);
      resolve(outcome);
    });
    child.send(task);
  });
}
