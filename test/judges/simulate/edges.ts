import nodeCrypto from "node:crypto";
import nodeFiles from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import nodeNet from "node:net";
import nodeTimers from "node:timers/promises";
import nodeThreads from "node:worker_threads";
import { SimulatedLog } from "./disk.ts";
import { SimulatedSocket } from "./network.ts";
import { SimulatedThread } from "./threads.ts";
import { currentProcess, type Happening, type SimulatedProcess } from "./world.ts";

type Given = readonly unknown[];

/**
 * Replaces everything in this process that touches the outside: clocks, timers, random numbers, files,
 * threads and sockets. Code of a simulated process gets the simulated ones, all other code the real ones. The
 * program under test is unchanged.
 */
export function replaceEdges(): void {
  replaceClocks();
  replaceTimers();
  replaceChance();
  replaceFiles();
  construct(nodeNet, "Socket", (process) => new SimulatedSocket(process));
  construct(nodeThreads, "Worker", (process, [program, options]) => {
    return new SimulatedThread(process, String(program), options);
  });
  syncBuiltinESMExports();
}

function replaceClocks(): void {
  const RealDate = Date;
  const wall = (process: SimulatedProcess) => process.world.wallOf(process.machine);
  replace(RealDate, "now", wall);
  construct(globalThis, "Date", (process, given) =>
    given.length === 0 ? new RealDate(wall(process)) : Reflect.construct(RealDate, given),
  );
  replace(performance, "now", (process) => {
    process.world.work();
    return process.world.now - process.startedAt;
  });
}

function replaceTimers(): void {
  const later = (process: SimulatedProcess, [run, wait, ...given]: Given) =>
    new SimulatedTimer(process, { run, given, milliseconds: Number(wait ?? 0), repeats: false });
  replace(globalThis, "setTimeout", later);
  replace(globalThis, "setInterval", (process, [run, wait, ...given]) => {
    const milliseconds = Math.max(1, Number(wait ?? 0));
    return new SimulatedTimer(process, { run, given, milliseconds, repeats: true });
  });
  replace(globalThis, "setImmediate", (process, [run, ...given]) =>
    later(process, [run, 0, ...given]),
  );
  for (const name of ["clearTimeout", "clearInterval", "clearImmediate"] as const) {
    const real = globalThis[name];
    Reflect.set(globalThis, name, (timer: unknown) => {
      if (timer instanceof SimulatedTimer) timer.cancel();
      else Reflect.apply(real, globalThis, [timer]);
    });
  }
  replace(nodeTimers, "setTimeout", (process, [wait, value, options]) =>
    sleep(process, { milliseconds: Number(wait ?? 0), value, signal: signalOf(options) }),
  );
  replace(nodeTimers, "setImmediate", (process, [value, options]) =>
    sleep(process, { milliseconds: 0, value, signal: signalOf(options) }),
  );
}

function sleep(
  process: SimulatedProcess,
  {
    milliseconds,
    value,
    signal,
  }: { milliseconds: number; value: unknown; signal: AbortSignal | null },
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const cancel = () => {
      timer.cancel();
      reject(signal?.reason);
    };
    const run = () => {
      signal?.removeEventListener("abort", cancel);
      resolve(value);
    };
    const timer = new SimulatedTimer(process, { run, given: [], milliseconds, repeats: false });
    signal?.addEventListener("abort", cancel);
  });
}

function signalOf(options: unknown): AbortSignal | null {
  if (typeof options !== "object" || options === null || !("signal" in options)) return null;
  return options.signal instanceof AbortSignal ? options.signal : null;
}

interface Timer {
  run: unknown;
  given: Given;
  milliseconds: number;
  repeats: boolean;
}

/** The object that `setTimeout` returns. */
class SimulatedTimer {
  readonly #process: SimulatedProcess;
  readonly #timer: Timer;
  #next: Happening | null = null;

  constructor(process: SimulatedProcess, timer: Timer) {
    this.#process = process;
    this.#timer = timer;
    this.refresh();
  }

  refresh(): this {
    this.cancel();
    const { run, given, milliseconds, repeats } = this.#timer;
    const { world } = this.#process;
    this.#next = world.schedule(this.#process, milliseconds, () => {
      this.#next = null;
      if (repeats) this.refresh();
      if (typeof run === "function") Reflect.apply(run, undefined, given);
    });
    return this;
  }

  cancel(): void {
    if (this.#next !== null) this.#process.world.cancel(this.#next);
    this.#next = null;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  hasRef(): boolean {
    return false;
  }

  close(): void {
    this.cancel();
  }

  [Symbol.dispose](): void {
    this.cancel();
  }
}

/** Random numbers depend on the seed, so that a run can be repeated. Nothing here protects a secret. */
function replaceChance(): void {
  const bytes = ({ world }: SimulatedProcess, count: number) =>
    Buffer.from(Array.from({ length: count }, () => world.roll(256)));
  replace(Math, "random", ({ world }) => world.random());
  replace(nodeCrypto, "randomBytes", (process, [count]) => bytes(process, Number(count)));
  replace(nodeCrypto, "randomUUID", (process) => {
    const hex = bytes(process, 16).toString("hex");
    const parts = [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`];
    return [...parts, `a${hex.slice(17, 20)}`, hex.slice(20)].join("-");
  });
}

function replaceFiles(): void {
  for (const name of Object.keys(nodeFiles)) {
    const real: unknown = Reflect.get(nodeFiles, name);
    if (typeof real !== "function" || name === "watch") continue;
    replace(nodeFiles, name, (process, given) => {
      const [path] = given;
      const isLog = name === "open" && typeof path === "string" && path.endsWith("-wal");
      if (isLog) return Promise.resolve(new SimulatedLog(process, path));
      return process.world.really(async () => await Reflect.apply(real, nodeFiles, given));
    });
  }
}

type Simulated = (process: SimulatedProcess, given: Given) => unknown;

function replace(owner: object, name: string, simulated: Simulated): void {
  const real: unknown = Reflect.get(owner, name);
  if (typeof real !== "function") throw new Error(`There is no ${name} to replace`);
  const either = function (this: unknown, ...given: unknown[]): unknown {
    const process = currentProcess();
    return process === null ? Reflect.apply(real, this, given) : simulated(process, given);
  };
  Object.defineProperty(owner, name, { value: either, configurable: true, writable: true });
}

function construct(
  owner: object,
  name: string,
  simulated: (process: SimulatedProcess, given: Given) => object,
): void {
  const real: unknown = Reflect.get(owner, name);
  if (typeof real !== "function") throw new Error(`There is no ${name} to replace`);
  const either = new Proxy(real, {
    construct(target, given: unknown[], asked) {
      const process = currentProcess();
      if (process === null) return Reflect.construct(target, given, asked);
      return simulated(process, given);
    },
  });
  Object.defineProperty(owner, name, { value: either, configurable: true, writable: true });
}
