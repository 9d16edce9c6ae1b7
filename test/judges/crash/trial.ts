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
import type { Prepared, Scenario } from "./scenarios.ts";
import type { Starters } from "./starters.ts";
import { Turns } from "./turns.ts";

export interface TrialParts {
  /** For folders of its own. */
  work: string;
  /** `file-steps.c`, compiled. */
  library: string;
  starters: Starters;
  /** Which part of the crashes is tried, from 0 to 1. */
  share: number;
  /** Random whole numbers. */
  next: () => number;
}

export interface FoundFault extends Fault {
  crash: Crash | "real";
  /** The step, by kind and place. */
  at: string;
}

export interface Trial {
  scenario: string;
  steps: number;
  /** Different kinds and places of steps. */
  places: number;
  /** Crashes by kind: `real` ended a process, all others are laid out from the record of one run. */
  tried: Record<Crash | "real", number>;
  faults: readonly FoundFault[];
}

interface Recorded {
  /** Where it ran. */
  root: string;
  steps: readonly Step[];
  before: Outcome;
  after: Outcome;
}

const AT_ONCE = 2;
const CHANCES = 10_000;
/** How much likelier the first step of its kind and place is tried than those like it. */
const FIRST_WEIGHT = 10;
/** What is laid out is the same as what a process leaves that is ended, and much sooner done. */
const REAL_SHARE = 0.1;
const UNPREPARED: Prepared = { environment: {}, port: 0, async [Symbol.asyncDispose]() {} };

/** Records one run of a command, and judges the next start after crashes at its steps. */
export async function tryScenario(scenario: Scenario, parts: TrialParts): Promise<Trial> {
  return await new ScenarioTrial(scenario, parts).run();
}

class ScenarioTrial {
  readonly #scenario: Scenario;
  readonly #parts: TrialParts;
  readonly #tried = { killed: 0, dropped: 0, named: 0, mixed: 0, real: 0 };
  readonly #faults: FoundFault[] = [];
  readonly #turns: Turns;
  #folders = 0;

  constructor(scenario: Scenario, parts: TrialParts) {
    this.#scenario = scenario;
    this.#parts = parts;
    this.#turns = new Turns(scenario.atOnce ?? AT_ONCE);
  }

  async run(): Promise<Trial> {
    const root = this.#arranged();
    const disk = new Disk(root);
    const { steps, left, after } = await this.#recorded(root);
    const recorded = { root, steps, before: await this.#outcomeBefore(), after };
    if (this.#scenario.prepare === undefined) {
      await this.#layOutAll(disk, recorded);
      const whole = this.#newFolder();
      disk.layOut(whole, "killed", this.#parts.next);
      if (hashOf(whole) !== left)
        throw new Error(`${this.#scenario.name}: the record is not whole`);
    }
    await this.#crashAll(recorded);
    await this.#turns.ended();
    const stepsOnly = steps.filter(isStep);
    return {
      scenario: this.#scenario.name,
      steps: stepsOnly.length,
      places: new Set(stepsOnly.map((step) => placeOf(step, root))).size,
      tried: this.#tried,
      faults: this.#faults,
    };
  }

  /** A run to its end: its steps, a hash of what it left, and what the next start finds. */
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

  /** What each kind of crash leaves after each step; what was left before is not judged again. */
  async #layOutAll(disk: Disk, { root, steps, before, after }: Recorded): Promise<void> {
    const seen = new Set<string>();
    const said: Step[] = [];
    const isTried = this.#choice(root, 1);
    for (const step of steps) {
      disk.apply(step);
      if (step.op === "said") said.push(step);
      const draw = isTried(step);
      for (const crash of CRASHES) {
        if (!draw()) continue;
        await this.#turns.free();
        const place = this.#newFolder();
        disk.layOut(place, crash, this.#parts.next);
        const state = `${said.length} ${hashOf(place)}`;
        const moment = { said: [...said], before, after };
        const at = `after ${placeOf(step, root)}`;
        if (seen.has(state)) rmSync(place, { recursive: true });
        else
          this.#turns.take(() => this.#judged(place, moment, { crash, at, prepared: UNPREPARED }));
        seen.add(state);
      }
    }
  }

  /** Ends a process at each step, and in the middle of what it writes. */
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
          const moment = { said, before, after };
          await this.#judged(root, moment, { crash: "real", at: `${how} ${name}`, prepared });
        });
      }
    }
  }

  async #judged(
    root: string,
    moment: { said: readonly Step[]; before: Outcome; after: Outcome },
    { prepared, ...where }: { crash: Crash | "real"; at: string; prepared: Prepared },
  ): Promise<void> {
    const outcome = await this.#outcome(root, prepared);
    const faults = judge(this.#scenario, { ...moment, outcome });
    this.#tried[where.crash] += 1;
    this.#faults.push(...faults.map((fault) => ({ ...fault, ...where })));
    if (faults.length === 0) rmSync(root, { recursive: true });
  }

  async #outcome(root: string, { environment }: Prepared): Promise<Outcome> {
    const { again, copies = [] } = this.#scenario;
    const data = { DATA_DIR: join(root, "data"), ...this.#scenario.nextEnvironment };
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

  /** For each step a draw whether it is tried. */
  #choice(root: string, ofThese: number): (step: Step) => () => boolean {
    const { next } = this.#parts;
    const share = ofThese * this.#parts.share * (this.#scenario.portion ?? 1);
    const seen = new Set<string>();
    return (step) => {
      const place = placeOf(step, root);
      const weight = seen.has(place) ? 1 : FIRST_WEIGHT;
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
