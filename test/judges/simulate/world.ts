import { AsyncLocalStorage } from "node:async_hooks";
import { dice } from "../../support/dice.ts";

/** The time of all wall clocks at the start. */
export const START = Date.parse("2026-11-22T12:00:00.000Z");

/** The longest simulated duration of work between two clock readings. */
const WORK_MILLISECONDS_MAX = 0.2;

const nextTurn = setImmediate;

/** A machine with files and a wall clock, which may be wrong. */
export interface Machine {
  name: string;
  /** Milliseconds by which its wall clock is ahead of the true time. */
  ahead: number;
}

/** A simulated process. After it has ended, none of its code runs again. */
export class SimulatedProcess {
  readonly name: string;
  readonly machine: Machine;
  readonly world: World;
  readonly startedAt: number;
  isAlive = true;
  /** Called when the process is killed, for what the kernel cleans up. */
  readonly atEnd = new Set<() => void>();

  constructor(world: World, name: string, machine: Machine) {
    this.world = world;
    this.name = name;
    this.machine = machine;
    this.startedAt = world.now;
  }

  end(): void {
    this.isAlive = false;
    for (const close of this.atEnd) close();
    this.atEnd.clear();
  }
}

export interface Happening {
  readonly at: number;
  readonly order: number;
  readonly owner: SimulatedProcess;
  run(): void;
}

const contexts = new AsyncLocalStorage<SimulatedProcess>();

/** The simulated process whose code is running; null in the simulation's code. */
export function currentProcess(): SimulatedProcess | null {
  return contexts.getStore() ?? null;
}

/**
 * Virtual time. Runs scheduled events in a fixed order, each with everything that follows from it
 * immediately, and advances the clock from one to the next.
 */
export class World {
  readonly roll: (below: number) => number;
  /** True milliseconds since the start. */
  now = 0;
  /** Violated invariants, in the order of discovery. */
  readonly violations: string[] = [];
  /** Changes with every event; equal in two runs of a seed. */
  fingerprint = 0;
  #scheduled: Happening[] = [];
  #orders = 0;
  #pending = new Set<Promise<unknown>>();
  #lastReal: Promise<unknown> = Promise.resolve();

  constructor(seed: number) {
    this.roll = dice((Math.imul(seed + 1, 2_654_435_761) | 1) ^ 0x5bd1e995);
    for (let warmUp = 0; warmUp < 8; warmUp += 1) this.roll(2);
  }

  /** From 0 to 1. */
  random(): number {
    return this.roll(2 ** 30) / 2 ** 30;
  }

  wallOf({ ahead }: Machine): number {
    return Math.floor(START + this.now + ahead);
  }

  /** Lets a little time pass, as work does. */
  work(): void {
    this.now += this.random() * WORK_MILLISECONDS_MAX;
  }

  schedule(owner: SimulatedProcess, milliseconds: number, run: () => void): Happening {
    const at = this.now + Math.max(0, milliseconds);
    const happening = { at, order: this.#orders, owner, run };
    this.#orders += 1;
    this.#scheduled.splice(this.#placeOf(happening), 0, happening);
    return happening;
  }

  cancel(happening: Happening): void {
    const place = this.#placeOf(happening);
    if (this.#scheduled[place] === happening) this.#scheduled.splice(place, 1);
  }

  /** The index of an event in the schedule. */
  #placeOf({ at, order }: Happening): number {
    let from = 0;
    let to = this.#scheduled.length;
    while (from < to) {
      const middle = (from + to) >>> 1;
      const other = this.#scheduled[middle];
      if (other === undefined) break;
      if (other.at < at || (other.at === at && other.order < order)) from = middle + 1;
      else to = middle;
    }
    return from;
  }

  /** Runs a real asynchronous operation, such as on a file, before anything else happens. */
  async really<T>(operation: () => Promise<T>): Promise<T> {
    const mine = this.#lastReal.then(operation);
    this.#lastReal = mine.catch(() => {});
    this.#pending.add(mine);
    try {
      return await mine;
    } finally {
      this.#pending.delete(mine);
    }
  }

  /** Runs code as the process. An exception ends the process, as it would in Node. */
  inside(owner: SimulatedProcess, run: () => void): void {
    if (!owner.isAlive) return;
    try {
      contexts.run(owner, run);
    } catch (error) {
      this.violation(`${owner.name} died of an exception: ${textOf(error)}`);
    }
  }

  /** Starts code as the process. The promise never settles if the process ends first. */
  start<T>(owner: SimulatedProcess, run: () => Promise<T>): Promise<T> {
    return contexts.run(owner, run);
  }

  /** Runs everything that is due within this time. */
  async pass(milliseconds: number): Promise<void> {
    const until = this.now + milliseconds;
    await this.#settled();
    for (;;) {
      const [next] = this.#scheduled;
      if (next === undefined || next.at > until) break;
      this.#scheduled.shift();
      this.now = Math.max(this.now, next.at);
      if (!next.owner.isAlive) continue;
      this.fingerprint = (Math.imul(this.fingerprint, 31) + Math.floor(this.now * 1000)) | 0;
      this.inside(next.owner, next.run);
      await this.#settled();
    }
    this.now = Math.max(this.now, until);
  }

  /** Lets time pass until a condition holds; false if it does not within this time. */
  async passUntil(holds: () => boolean, milliseconds: number): Promise<boolean> {
    const until = this.now + milliseconds;
    while (!holds()) {
      if (this.now >= until) return false;
      await this.pass(Math.min(50, until - this.now));
    }
    return true;
  }

  /** Stops every machine for a while, like a suspended host. Everything is late afterwards. */
  skip(milliseconds: number): void {
    this.now += milliseconds;
  }

  /** Ends everything. */
  clear(): void {
    this.#scheduled = [];
  }

  violation(what: string): void {
    if (!this.violations.includes(what)) this.violations.push(what);
  }

  /** One turn of the real event loop runs all microtasks. */
  async #settled(): Promise<void> {
    await turn();
    while (this.#pending.size > 0 || hasFileRequests()) {
      await Promise.allSettled(this.#pending);
      await turn();
    }
  }
}

function turn(): Promise<void> {
  return new Promise((resolve) => nextTurn(resolve));
}

function hasFileRequests(): boolean {
  return process.getActiveResourcesInfo().some((name) => /^(?:FS|Close)Req/.test(name));
}

export function textOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
