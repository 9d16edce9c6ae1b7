import { copyFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { type Accepted, Network } from "../network.ts";
import type { Machine, SimulatedProcess, World } from "../world.ts";
import { RateMemory } from "./rate-windows.ts";
import { Session } from "./session.ts";
import { addFunctions } from "./statements.ts";

/**
 * A model of a PostgreSQL server on a SQLite file. Sessions see what is committed, the advisory lock allows
 * one writer at a time, notifications arrive with the commit, and a crash empties unlogged tables.
 */
export class DatabaseServer {
  readonly file: string;
  readonly network: Network;
  readonly machine: Machine;
  readonly rates: RateMemory;
  readonly world: World;
  readonly process: SimulatedProcess;
  /** The session that holds the writers' lock, and the sessions that wait for it. */
  writer: Session | null = null;
  readonly waiting: { session: Session; granted: () => void }[] = [];
  readonly #sessions = new Set<Session>();
  #isUp = true;
  #crashes = 0;
  /** A simulation can plant a fault here: the notifications for which it returns true are lost. */
  loses: (channel: string) => boolean = () => false;

  constructor(process: SimulatedProcess, { file, template }: { file: string; template: string }) {
    this.file = file;
    this.process = process;
    this.machine = process.machine;
    this.world = process.world;
    copyFileSync(template, file);
    this.rates = new RateMemory("epoch 0");
    this.network = new Network(process, (toClient) => {
      if (!this.#isUp) return null;
      const session = new Session(this, toClient);
      this.#sessions.add(session);
      const accepted: Accepted = {
        received: (bytes) => session.receive(bytes),
        lost: () => {
          this.#sessions.delete(session);
          session.close();
        },
      };
      return accepted;
    });
  }

  get wall(): number {
    return this.world.wallOf(this.machine);
  }

  openFile(notify: (channel: string, payload: string) => void): DatabaseSync {
    const db = new DatabaseSync(this.file, { timeout: 0, enableForeignKeyConstraints: true });
    db.exec("PRAGMA synchronous = OFF");
    addFunctions(db, { notify, wall: () => this.wall });
    return db;
  }

  publish(channel: string, payload: string): void {
    if (this.loses(channel)) return;
    for (const session of this.#sessions) session.hear(channel, payload);
  }

  /** Gives the writers' lock to the next session. */
  released(by: Session): void {
    if (this.writer !== by) return;
    this.writer = null;
    const next = this.waiting.shift();
    next?.granted();
  }

  /** Ends every session. Only unlogged data is lost. */
  crash(downMilliseconds: number): void {
    this.#crashes += 1;
    this.#isUp = false;
    this.waiting.length = 0;
    this.network.reset(null);
    this.rates.lose(`epoch ${this.#crashes}`);
    this.world.schedule(this.process, downMilliseconds, () => {
      this.#isUp = true;
    });
  }

  get isUp(): boolean {
    return this.#isUp;
  }

  close(): void {
    for (const session of this.#sessions) session.close();
    this.#sessions.clear();
  }
}
