import { createHash } from "node:crypto";
import { cpSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "../../support/free-port.ts";
import { CRASHES, type Crash, Disk } from "./disk.ts";
import { readTree } from "./facts.ts";
import { type Fault, judge } from "./judging.ts";
import type { Outcome } from "./next-start.ts";
import { ENVIRONMENT, type Ran, runWatched } from "./program.ts";
import { isStep, placeOf, type Step } from "./record.ts";
import type { Moment, Prepared, Scenario } from "./scenarios.ts";
import type { Starters } from "./starters.ts";
import { hashAsRead, hashOfBytes, layOut, type State } from "./states.ts";
import { Turns } from "./turns.ts";

export interface TrialParts {
  /** For temporary folders. */
  work: string;
  /** The compiled `file-steps.c`. */
  library: string;
  starters: Starters;
  /** Share of the crashes to try, from 0 to 1. */
  share: number;
  /** Returns random integers. */
  next: () => number;
}

export interface FoundFault extends Fault {
  crash: Crash | "real";
  /** Kind and place of the step. */
  at: string;
}

export interface Trial {
  scenario: string;
  steps: number;
  /** Number of different kinds and places of steps. */
  places: number;
  /** Crashes by kind. `real`: a process was ended. All others were laid out from the record of one run. */
  tried: Record<Crash | "real", number>;
  /** Folders on which the service was started. Crashes with equal results share one start. */
  starts: number;
  faults: readonly FoundFault[];
}

interface Recorded {
  /** The folder in which it ran. */
  root: string;
  steps: readonly Step[];
  before: Outcome;
  after: Outcome;
}

const AT_ONCE = 4;
const CHANCES = 10_000;
/** How much likelier the first step of each kind and place is to be tried than later ones. */
const FIRST_WEIGHT = 10;
/** Laying out a crash has the same result as ending a process and is much faster. */
const REAL_SHARE = 0.1;
/**
 * Folders that differ only in bytes that SQLite never reads share one start. This share of them is started on
 * again.
 */
const AGAIN_SHARE = 0.02;
/** How much less likely a process is ended at a step after which SQLite reads nothing new. */
const SAME_WEIGHT = 0.1;
const UNPREPARED: Prepared = { environment: {}, port: 0, async [Symbol.asyncDispose]() {} };

/** Records one run of a command, and judges the next start after crashes at its steps. */
export class ScenarioTrial {
  readonly #scenario: Scenario;
  readonly #parts: TrialParts;
  readonly #tried = { killed: 0, dropped: 0, named: 0, mixed: 0, real: 0 };
  readonly #faults: FoundFault[] = [];
  readonly #turns: Turns;
  /** Outcomes of the next start by the hash of the folder. */
  readonly #outcomes = new Map<string, Promise<Outcome>>();
  /** Steps after which SQLite reads nothing new. */
  readonly #same = new Set<Step>();
  #record: Recorded | null = null;
  #folders = 0;
  #starts = 0;

  constructor(scenario: Scenario, parts: TrialParts) {
    this.#scenario = scenario;
    this.#parts = parts;
    this.#turns = new Turns(scenario.atOnce ?? AT_ONCE);
  }

  /** Records one run and judges all crashes of it that can be laid out. */
  async layOut(): Promise<Trial> {
    const root = this.#arranged();
    const disk = new Disk(root);
    const { steps, left, after } = await this.#recorded(root);
    const recorded = { root, steps, before: await this.#outcomeBefore(), after };
    this.#record = recorded;
    if (this.#scenario.prepare === undefined) {
      await this.#layOutAll(disk, recorded);
      if (hashOf(this.#laidOut(disk.left("killed", this.#parts.next))) !== left)
        throw new Error(`${this.#scenario.name}: the record is not whole`);
    }
    await this.#turns.ended();
    return this.#soFar(recorded);
  }

  /** Ends processes at their steps. Call it after {@link layOut}. */
  async endProcesses(): Promise<Trial> {
    if (this.#record === null) throw new Error(`${this.#scenario.name} is not recorded`);
    await this.#crashAll(this.#record);
    await this.#turns.ended();
    return this.#soFar(this.#record);
  }

  #soFar({ root, steps }: Recorded): Trial {
    const stepsOnly = steps.filter(isStep);
    return {
      scenario: this.#scenario.name,
      steps: stepsOnly.length,
      places: new Set(stepsOnly.map((step) => placeOf(step, root))).size,
      tried: this.#tried,
      starts: this.#starts,
      faults: this.#faults,
    };
  }

  /**
   * Runs a command to its end. Returns its steps, a hash of the result, and the outcome of the next start.
   */
  async #recorded(root: string): Promise<{ steps: Step[]; left: string; after: Outcome }> {
    await using prepared = await this.#prepared();
    const { steps, code, err } = await this.#ran(root, prepared, { lastStep: null, how: "before" });
    if (code !== 0) throw new Error(`${this.#scenario.name} ends with ${code}: ${err}`);
    const left = hashOf(root);
    return { steps, left, after: await this.#outcome(root, prepared) };
  }

  async #outcomeBefore(): Promise<Outcome> {
    await using prepared = await this.#prepared();
    return await this.#outcome(this.#arranged(), prepared);
  }

  /** Judges each kind of crash after each step. */
  async #layOutAll(disk: Disk, { root, steps, before, after }: Recorded): Promise<void> {
    const said: Step[] = [];
    const isTried = this.#choice(root, 1);
    const isTriedAgain = this.#choice(root, AGAIN_SHARE);
    for (const step of steps) {
      disk.apply(step);
      if (step.op === "said") said.push(step);
      const [draw, drawAgain] = [isTried(step), isTriedAgain(step)];
      for (const crash of CRASHES) {
        if (!draw()) continue;
        await this.#turns.free();
        const state = disk.left(crash, this.#parts.next);
        const { outcome, isKnown } = this.#outcomeOf(state, drawAgain());
        if (crash === "killed" && isKnown) this.#same.add(step);
        const moment = { said: [...said], before, after };
        const where = { crash, at: `after ${placeOf(step, root)}` };
        this.#turns.take(async () => this.#judge({ ...moment, outcome: await outcome }, where));
      }
    }
  }

  /**
   * The outcome of a start on this folder, or on one that reads the same. `isAgain`: starts on this one in
   * any case.
   */
  #outcomeOf(state: State, isAgain: boolean): { outcome: Promise<Outcome>; isKnown: boolean } {
    const bytes = hashOfBytes(state);
    const equal = this.#outcomes.get(bytes);
    if (equal !== undefined) return { outcome: equal, isKnown: true };
    const read = hashAsRead(state);
    const alike = this.#outcomes.get(read);
    const known = isAgain ? undefined : alike;
    const outcome = known ?? this.#outcomeOfFolder(this.#laidOut(state));
    this.#outcomes.set(bytes, outcome).set(read, outcome);
    return { outcome, isKnown: alike !== undefined };
  }

  #laidOut(state: State): string {
    const place = this.#newFolder();
    layOut(state, place);
    return place;
  }

  async #outcomeOfFolder(place: string): Promise<Outcome> {
    const outcome = await this.#outcome(place, UNPREPARED);
    rmSync(place, { recursive: true });
    return outcome;
  }

  /** Ends a process at each step, and in the middle of its writes. */
  async #crashAll({ root: recorded, steps, before, after }: Recorded): Promise<void> {
    const isOnlyWay = this.#scenario.prepare !== undefined;
    const isTried = this.#choice(recorded, isOnlyWay ? 1 : REAL_SHARE);
    for (const [at, step] of steps.filter(isStep).entries()) {
      const draw = isTried(step);
      for (const how of ["before", "half"] as const) {
        if ((how === "half" && step.op !== "write") || !draw()) continue;
        await this.#turns.free();
        this.#turns.take(async () => {
          const root = this.#arranged();
          await using prepared = await this.#prepared();
          const ran = await this.#ran(root, prepared, { lastStep: at + 1, how });
          const said = ran.steps.filter(({ op }) => op === "said");
          const last = ran.steps.at(-1);
          const name = last === undefined ? "the start" : placeOf(last, root);
          const outcome = await this.#outcome(root, prepared);
          this.#judge({ said, before, after, outcome }, { crash: "real", at: `${how} ${name}` });
          rmSync(root, { recursive: true });
        });
      }
    }
  }

  #judge(moment: Moment, where: { crash: Crash | "real"; at: string }): void {
    const faults = judge(this.#scenario, moment);
    this.#tried[where.crash] += 1;
    this.#faults.push(...faults.map((fault) => ({ ...fault, ...where })));
  }

  async #outcome(root: string, { environment }: Prepared): Promise<Outcome> {
    const { again, copies = [] } = this.#scenario;
    const data = { DATA_DIR: join(root, "data"), ...this.#scenario.nextEnvironment };
    this.#starts += 1;
    return await this.#parts.starters.outcome({
      root,
      environment: data,
      again: again === null ? null : again.words.map((word) => word.replace("ROOT", root)),
      againEnvironment: { ...this.#environment(root), ...environment },
      copies,
    });
  }

  async #ran(
    root: string,
    { environment, port: watchedPort }: Prepared,
    end: { lastStep: number | null; how: "before" | "half" },
  ): Promise<Ran> {
    const { words, drive } = this.#scenario;
    const port = await freePort();
    const own = { DATA_DIR: join(root, "data"), PORT: String(port), ...this.#environment(root) };
    return await runWatched(
      words.map((word) => word.replace("ROOT", root)),
      { ...ENVIRONMENT, ...own, ...environment },
      {
        watched: {
          library: this.#parts.library,
          folder: root,
          record: `${root}.record`,
          port: watchedPort,
          ...end,
        },
        ...(drive === undefined ? {} : { drive: (child) => drive(child, port) }),
      },
    );
  }

  #environment(root: string): Record<string, string> {
    const given = Object.entries(this.#scenario.environment ?? {});
    return Object.fromEntries(given.map(([name, value]) => [name, value.replace("ROOT", root)]));
  }

  async #prepared(): Promise<Prepared> {
    return (await this.#scenario.prepare?.()) ?? UNPREPARED;
  }

  #arranged(): string {
    const root = this.#newFolder();
    mkdirSync(root);
    for (const [name, from] of Object.entries(this.#scenario.given)) {
      cpSync(from, join(root, name), { recursive: true });
    }
    return root;
  }

  #newFolder(): string {
    this.#folders += 1;
    const name = this.#scenario.name.replaceAll(" ", "-");
    return join(this.#parts.work, `${name}-${this.#folders}`);
  }

  /** Draws for each step whether it is tried. */
  #choice(root: string, ofThese: number): (step: Step) => () => boolean {
    const { next } = this.#parts;
    const share = ofThese * this.#parts.share * (this.#scenario.portion ?? 1);
    const seen = new Set<string>();
    return (step) => {
      const place = placeOf(step, root);
      const otherWeight = this.#same.has(step) ? SAME_WEIGHT : 1;
      const weight = seen.has(place) ? otherWeight : FIRST_WEIGHT;
      seen.add(place);
      return () => next() % CHANCES < share * weight * CHANCES;
    };
  }
}

function hashOf(folder: string): string {
  return createHash("sha256")
    .update(JSON.stringify(readTree(folder)))
    .digest("hex");
}
