import { type ChildProcess, fork } from "node:child_process";
import { constants, setPriority } from "node:os";
import { AppError } from "../errors.ts";

const RETRY_SECONDS = 5;
const FAULT_CHARACTERS_MAX = 2000;

interface WaitingTask<Task, Result> {
  task: Task;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

interface Limits {
  /** Limit on the elapsed time of a task. */
  secondsMax: number;
  /** Limit on the tasks that wait. Further tasks are refused. */
  waitingMax: number;
  /** How long the process stays idle before it exits. */
  idleMilliseconds: number;
  /** Environment variables of the process, which inherits none. */
  environment?: Readonly<Record<string, string>>;
}

/** The program exited or exceeded its time limit. The task may or may not be the cause. */
export class TaskProgramError extends Error {}

/**
 * Runs tasks one at a time in a separate process, at low priority and without environment
 * variables. If native code that decodes an untrusted file crashes, the server keeps running. The
 * process starts with a task and exits when idle, which frees its memory.
 */
export class TaskProgram<Task extends object, Result> {
  readonly #program: URL;
  readonly #limits: Limits;
  readonly #parse: (message: unknown) => Result;
  readonly #queue: WaitingTask<Task, Result>[] = [];
  #process: ChildProcess | null = null;
  #running: WaitingTask<Task, Result> | null = null;
  #timer: NodeJS.Timeout | undefined;

  constructor(program: URL, parse: (message: unknown) => Result, limits: Limits) {
    this.#program = program;
    this.#parse = parse;
    this.#limits = limits;
  }

  /** @throws {AppError} `unavailable` when too many tasks wait. @throws {TaskProgramError} */
  async run(task: Task): Promise<Result> {
    if (this.#queue.length >= this.#limits.waitingMax) {
      throw new AppError(
        "unavailable",
        {
          en: "Too many pictures wait to be made; try again",
          de: "Es warten gerade zu viele Bilder: Versuchen Sie es gleich noch einmal",
        },
        {
          retryAfterSeconds: RETRY_SECONDS,
        },
      );
    }
    return await new Promise((resolve, reject) => {
      this.#queue.push({ task, resolve, reject });
      this.#next();
    });
  }

  /** Ends the process; running and waiting tasks fail. */
  stop(): void {
    const stopped = new AppError(
      "unavailable",
      {
        en: "The service is stopping",
        de: "Der Dienst wird gerade angehalten: Versuchen Sie es gleich noch einmal",
      },
      {
        retryAfterSeconds: RETRY_SECONDS,
      },
    );
    for (const { reject } of this.#queue.splice(0)) reject(stopped);
    this.#fail(stopped);
  }

  #next(): void {
    if (this.#running !== null) return;
    clearTimeout(this.#timer);
    const waiting = this.#queue.shift();
    if (waiting === undefined) {
      this.#timer = setTimeout(() => this.#end(), this.#limits.idleMilliseconds).unref();
      return;
    }
    this.#running = waiting;
    this.#process ??= this.#start();
    const { secondsMax } = this.#limits;
    this.#timer = setTimeout(
      () => this.#fail(new TaskProgramError(`Took more than ${secondsMax} s`)),
      secondsMax * 1000,
    );
    this.#process.send(waiting.task, (error) => {
      if (error !== null) this.#fail(new TaskProgramError(error.message));
    });
  }

  #start(): ChildProcess {
    const child = fork(this.#program, {
      ...{ env: { ...this.#limits.environment }, execArgv: [], serialization: "advanced" },
      stdio: ["ignore", "ignore", "pipe", "ipc"],
    });
    let fault = "";
    child.stderr?.on("data", (piece) => {
      fault = `${fault}${String(piece)}`.slice(-FAULT_CHARACTERS_MAX);
    });
    child.on("message", (message) => {
      if (child === this.#process) this.#settle(message);
    });
    child.on("exit", (code, signal) => {
      if (child === this.#process)
        this.#fail(new TaskProgramError(`Ended with ${code ?? signal}: ${fault}`));
    });
    child.on("error", (error) => {
      if (child === this.#process) this.#fail(new TaskProgramError(error.message));
    });
    lowerPriority(child);
    return child;
  }

  #settle(message: unknown): void {
    const running = this.#running;
    this.#running = null;
    try {
      running?.resolve(this.#parse(message));
    } catch (error) {
      running?.reject(error);
    }
    this.#next();
  }

  #fail(fault: Error): void {
    const running = this.#running;
    this.#running = null;
    this.#end();
    running?.reject(fault);
    this.#next();
  }

  #end(): void {
    const ended = this.#process;
    this.#process = null;
    clearTimeout(this.#timer);
    ended?.kill("SIGKILL");
  }
}

function lowerPriority({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // The process has already exited, which is reported elsewhere.
  }
}
