import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createTables } from "./database/schema.ts";
import { DatabaseServer } from "./database/server.ts";
import { endingAbruptly, forgetFiles, loseUnsynced } from "./disk.ts";
import { History, type Taken } from "./history.ts";
import type { Instance } from "./instance.ts";
import type { LoadedProgram } from "./loading.ts";
import type { Operation } from "./operations.ts";
import type { Plant } from "./plants.ts";
import { lookInto, openReading, type Reading } from "./reading.ts";
import { Receivers } from "./receivers.ts";
import { KEYS, PROCESSES, type Step, type Story } from "./story.ts";
import { type Machine, SimulatedProcess, World } from "./world.ts";

const DATABASE_URL = "postgres://commonplace:secret@database:5432/commonplace";
const RESTART_MILLISECONDS = 1000;
const START_MILLISECONDS_MAX = 60_000;
const STOP_MILLISECONDS_MAX = 30_000;
const ANSWER_MILLISECONDS_MAX = 40_000;
const PER_MINUTE = 12;
const FOLDER = "/dev/shm";

/** A slot for a process, which is started again whenever it ends. */
export interface Slot {
  number: number;
  name: string;
  machine: Machine;
  folder: string;
  /** The file of its reading copy. */
  copy: string;
  process: SimulatedProcess | null;
  instance: Instance | null;
  /** False: it is not started again. */
  mayStart: boolean;
}

interface Requested {
  answer: Taken["answer"] | null;
}

export interface SimulationOptions {
  programs: readonly LoadedProgram[];
  plant: Plant | null;
}

/** The service of one story: its machines, their processes, and the database. */
export class Simulation {
  readonly world: World;
  readonly story: Story;
  readonly history: History;
  readonly receivers: Receivers;
  readonly slots: readonly Slot[];
  /** Null if the record is in a file on the only machine. */
  readonly server: DatabaseServer | null;
  readonly folder: string;
  /** The file of the record. */
  readonly recordFile: string;
  readonly record: Reading;
  readonly perMinute = PER_MINUTE;
  readonly keys: { id: string; secret: string }[] = [];
  readonly #options: SimulationOptions;
  readonly #supervisor: SimulatedProcess;

  constructor(story: Story, options: SimulationOptions) {
    this.story = story;
    this.world = new World(story.seed);
    this.#options = options;
    this.folder = mkdtempSync(join(FOLDER, "commonplace-simulation-"));
    this.receivers = new Receivers(this.world);
    this.history = new History(this.world);
    const supervisor = { name: "the supervisor", ahead: 0 };
    this.#supervisor = new SimulatedProcess(this.world, "the supervisor", supervisor);
    this.server = story.mode === "instances" ? this.#startServer() : null;
    this.recordFile = this.server?.file ?? join(this.folder, "machine-0", "commonplace.db");
    this.record = this.server === null ? lookInto(this.recordFile) : openReading(this.recordFile);
    const machines = story.mode === "instances" ? PROCESSES : 1;
    this.slots = Array.from({ length: PROCESSES }, (_, number) => this.#slot(number, machines));
    for (let at = 1; at < PROCESSES; at += 1) {
      const [first, slot] = [this.slots[0], this.slots[at]];
      if (machines === 1 && slot !== undefined && first !== undefined) slot.machine = first.machine;
    }
  }

  /** Starts everything and makes a site with webhooks and keys. */
  async begin(): Promise<void> {
    const [first, ...rest] = this.slots;
    if (first === undefined) return;
    await this.#started([first]);
    await this.#setUp(first, { do: "site", name: "Association" });
    for (const url of ["http://one.example/", "http://other.example/"]) {
      await this.#setUp(first, { do: "webhook", url });
    }
    for (let key = 0; key < KEYS; key += 1) {
      const issued = await this.#setUp(first, { do: "issueKey", perMinute: PER_MINUTE });
      const [id = "", secret = ""] = issued.split(" ");
      this.keys.push({ id, secret });
    }
    await this.#started(rest);
  }

  async #started(slots: readonly Slot[]): Promise<void> {
    for (const slot of slots) this.#start(slot);
    const isUp = await this.world.passUntil(
      () => slots.every(({ instance }) => instance !== null),
      START_MILLISECONDS_MAX,
    );
    if (!isUp) this.world.violation("The service does not start");
  }

  async #setUp(slot: Slot, operation: Operation): Promise<string> {
    const asked = this.ask(slot, operation);
    await this.world.passUntil(() => asked.outcome !== null, ANSWER_MILLISECONDS_MAX);
    const { outcome } = asked;
    if (outcome?.kind === "done") return outcome.made ?? "";
    this.world.violation(`Cannot make the site: ${JSON.stringify(outcome)}`);
    return "";
  }

  async happen(step: Step): Promise<void> {
    await this.world.pass(step.wait);
    switch (step.kind) {
      case "ask":
        this.ask(this.slotOf(step.by), step.operation);
        return;
      case "take":
        this.#take(step);
        return;
      case "revoke":
        this.#revoke(step);
        return;
      case "stop":
        await this.#stop(this.slotOf(step.by));
        return;
      case "kill":
        this.#kill([this.slotOf(step.by)], { down: step.down, losesPower: false });
        return;
      case "power":
        this.#cutPower(step);
        return;
      case "suspend":
        await this.suspend(step.lasts);
        return;
      default:
        this.#disturb(step);
    }
  }

  slotOf(by: number): Slot {
    const slot = this.slots[by];
    if (slot === undefined) throw new Error(`There is no process ${by}`);
    return slot;
  }

  /** A client sends an operation to a process. If the process is not running, the connection is refused. */
  ask(slot: Slot, operation: Operation) {
    const asked = this.history.begin(slot.name, operation);
    const { instance, process } = slot;
    if (instance === null || process === null) return this.history.refused(asked);
    this.world
      .start(process, () => instance.perform(operation, asked.requestId))
      .then(
        (outcome) => this.history.settle(asked, outcome),
        (error: unknown) => this.history.failed(asked, error),
      );
    return asked;
  }

  /** A request with a key reaches a process. It gets no answer if the process is not running. */
  request(slot: Slot, { id, secret }: { id: string; secret: string }): Requested {
    const requested: Requested = { answer: null };
    const { instance, process } = slot;
    if (instance === null || process === null) return requested;
    const at = this.world.now;
    // Only the first process of a machine keeps its limits.
    const counts = this.server !== null || slot.number === 0;
    this.world
      .start(process, () => instance.take(secret))
      .then(
        (answer) => {
          requested.answer = answer;
          if (counts) this.history.took({ key: id, by: slot.name, at, answer });
        },
        (error: unknown) => this.world.violation(`A request with a key fails: ${String(error)}`),
      );
    return requested;
  }

  /** Corrects every clock first: nothing stays wrong for longer than the steps say. */
  async suspend(milliseconds: number): Promise<void> {
    for (const machine of this.#machines()) machine.ahead = 0;
    const from = this.world.now;
    this.world.skip(milliseconds);
    this.history.limitDisturbances.push({ from, to: this.world.now });
    await this.world.pass(2500);
  }

  /** Ends every disturbance. */
  heal(): void {
    for (const machine of this.#machines()) {
      machine.ahead = 0;
      if (this.server === null) continue;
      const route = this.server.network.routeOf(machine);
      route.isCut = false;
      route.delay = { min: 0.1, max: 0.6 };
    }
    this.receivers.faults = 0;
    for (const slot of this.slots) this.#start(slot);
  }

  async end(): Promise<void> {
    for (const { process } of this.slots) process?.end();
    this.server?.close();
    this.record[Symbol.dispose]();
    this.world.clear();
    await this.world.pass(0);
    forgetFiles(this.folder);
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Opens another instance for a while, for example on an empty folder. */
  async withAnother(folder: string, use: () => void | Promise<void>): Promise<void> {
    const slot = { ...this.#slot(PROCESSES, PROCESSES + 1), folder, name: "the checker" };
    mkdirSync(folder, { recursive: true });
    await this.#started([slot]);
    await use();
    slot.mayStart = false;
    if (slot.process !== null) this.server?.network.close(slot.process);
    slot.process?.end();
  }

  #startServer(): DatabaseServer {
    const machine = { name: "the database", ahead: 0 };
    const process = new SimulatedProcess(this.world, "the database", machine);
    const file = join(this.folder, "server.db");
    const server = new DatabaseServer(process, { file, template: template() });
    const { plant } = this.#options;
    if (plant?.losesNotifications) server.loses = () => this.world.roll(2) === 0;
    return server;
  }

  #slot(number: number, machines: number): Slot {
    const machine = { name: `machine ${number + 1}`, ahead: 0 };
    const folder = join(this.folder, `machine-${machines === 1 ? 0 : number}`);
    mkdirSync(folder, { recursive: true });
    const copy = join(folder, this.server === null ? "commonplace.db" : "reading.db");
    const name = `${this.server === null ? "process" : "instance"} ${number + 1}`;
    return { number, name, machine, folder, copy, process: null, instance: null, mayStart: true };
  }

  #machines(): Machine[] {
    const own = new Set(this.slots.map(({ machine }) => machine));
    return this.server === null ? [...own] : [...own, this.server.machine];
  }

  #start(slot: Slot): void {
    if (slot.process?.isAlive || !slot.mayStart) return;
    const process = new SimulatedProcess(this.world, slot.name, slot.machine);
    slot.process = process;
    const program = this.#options.programs[slot.number % this.#options.programs.length];
    if (program === undefined) throw new Error("No program is loaded");
    const options = {
      folder: slot.folder,
      databaseUrl: this.server === null ? null : DATABASE_URL,
      receivers: this.receivers,
      isFirst: slot.number < PROCESSES && (this.server !== null || slot.number === 0),
      onLine: (line: string) => this.history.logged(slot.name, line),
    };
    this.world
      .start(process, () => program.openInstance(options))
      .then(
        (instance) => {
          slot.instance = instance;
        },
        (error: unknown) => {
          this.history.notStarted(slot.name, error);
          process.end();
          this.#startLater(slot, RESTART_MILLISECONDS);
        },
      );
  }

  #startLater(slot: Slot, milliseconds: number): void {
    this.world.schedule(this.#supervisor, milliseconds, () => this.#start(slot));
  }

  #take({ by, key: number, times }: Step & { kind: "take" }): void {
    // If the processes of a machine share a file, the first keeps the limits for all.
    const slot = this.slotOf(this.server === null ? 0 : by);
    const key = this.keys[number];
    if (key === undefined) return;
    for (let time = 0; time < times; time += 1) this.request(slot, key);
  }

  #revoke({ by, key: number }: Step & { kind: "revoke" }): void {
    const key = this.keys[number];
    if (key === undefined) return;
    this.ask(this.slotOf(by), { do: "revokeKey", key: key.id });
  }

  async #stop(slot: Slot): Promise<void> {
    const { instance, process } = slot;
    if (instance === null || process === null) return;
    slot.instance = null;
    let isClosed = false;
    this.world
      .start(process, () => instance.close())
      .then(
        () => {
          isClosed = true;
        },
        (error: unknown) => this.world.violation(`${slot.name} does not stop: ${String(error)}`),
      );
    const isDone = await this.world.passUntil(() => isClosed, STOP_MILLISECONDS_MAX);
    if (!isDone && process.isAlive) this.world.violation(`${slot.name} is stopping for ever`);
    this.server?.network.close(process);
    process.end();
    this.#startLater(slot, 100);
  }

  #cutPower({ by, down }: Step & { kind: "power" }): void {
    const { machine } = this.slotOf(by);
    const slots = this.slots.filter((slot) => slot.machine === machine);
    this.#kill(slots, { down, losesPower: true });
  }

  #kill(slots: readonly Slot[], { down, losesPower }: { down: number; losesPower: boolean }): void {
    const copies = [...new Set(slots.map(({ copy }) => copy))];
    const paths = copies.flatMap((copy) => [copy, `${copy}.new`]);
    endingAbruptly(paths, () => {
      for (const slot of slots) this.#end(slot, losesPower);
    });
    if (losesPower) for (const path of paths) loseUnsynced(path, this.world.roll);
    for (const slot of slots) this.#startLater(slot, down);
  }

  #end(slot: Slot, losesPower: boolean): void {
    const { process } = slot;
    slot.instance = null;
    if (process === null) return;
    this.history.ended(slot.name);
    process.end();
    if (losesPower) this.server?.network.vanish(slot.machine, 30_000 + this.world.roll(60_000));
    else this.server?.network.close(process);
  }

  #disturb(step: Step): void {
    const { limitDisturbances, wrongClocks } = this.history;
    const { now } = this.world;
    switch (step.kind) {
      case "crash":
        limitDisturbances.push({ from: now, to: now + step.down });
        this.server?.crash(step.down);
        return;
      case "reset":
        limitDisturbances.push({ from: now, to: now });
        this.server?.network.reset(this.slotOf(step.by).machine);
        return;
      case "cut":
      case "slow":
        limitDisturbances.push({ from: now, to: now + step.lasts });
        this.#disturbRoute(step);
        return;
      case "clock":
        limitDisturbances.push({ from: now, to: now + step.lasts });
        wrongClocks.push({ from: now, to: now + step.lasts });
        this.#setClock(step);
        return;
      case "deaf":
        this.receivers.faults = step.percent;
        this.#later(step.lasts, () => {
          this.receivers.faults = 0;
        });
        return;
    }
  }

  #disturbRoute(step: Step & { kind: "cut" | "slow" }): void {
    const route = this.server?.network.routeOf(this.slotOf(step.by).machine);
    if (route === undefined) return;
    if (step.kind === "cut") route.isCut = true;
    else route.delay = { min: step.delay / 2, max: step.delay };
    this.#later(step.lasts, () => {
      if (step.kind === "cut") route.isCut = false;
      else route.delay = { min: 0.1, max: 0.6 };
    });
  }

  #setClock({ by, ahead, lasts }: Step & { kind: "clock" }): void {
    const machine = by === "database" ? this.server?.machine : this.slotOf(by).machine;
    if (machine === undefined) return;
    machine.ahead = ahead;
    this.#later(lasts, () => {
      machine.ahead = 0;
    });
  }

  #later(milliseconds: number, run: () => void): void {
    this.world.schedule(this.#supervisor, milliseconds, run);
  }
}

let made: string | null = null;

/** An empty database, which is made once. */
function template(): string {
  if (made !== null) return made;
  const folder = mkdtempSync(join(FOLDER, "commonplace-simulation-template-"));
  made = join(folder, "empty.db");
  createTables(made);
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  return made;
}
