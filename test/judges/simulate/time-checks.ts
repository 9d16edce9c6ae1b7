import type { Simulation } from "./simulation.ts";
import { START } from "./world.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const RESTORABLE_MILLISECONDS = 30 * DAY;
const RETENTION_MILLISECONDS = 365 * DAY;
/** A clock may be wrong by this much without being noticed. */
const JUMP_MILLISECONDS = 15 * SECOND;
/** At a start, a clock that is ahead by up to this much looks like downtime. */
const DOWNTIME_MILLISECONDS = HOUR + MINUTE;
const WINDOW_MILLISECONDS = MINUTE;
const NETWORK_MILLISECONDS = 75 * SECOND;
/** Interval at which the first process saves its counts. */
const UNSAVED_MILLISECONDS = 1700;

/** Invariants: nothing came too early, and no key exceeded its rate. */
export class TimeChecks {
  readonly #simulation: Simulation;
  #lastNumber = 0;
  #takenSeen = 0;

  constructor(simulation: Simulation) {
    this.#simulation = simulation;
  }

  check(): void {
    this.#checkClockWork();
    this.#checkRates();
  }

  #checkClockWork(): void {
    const { record } = this.#simulation;
    const entries = record.rows(
      "SELECT * FROM audit WHERE number > ? ORDER BY number",
      this.#lastNumber,
    );
    for (const { number, actor, action, target, revision_before: before } of entries) {
      this.#lastNumber = Number(number);
      if (actor !== "clock") continue;
      if (action === "content.publish") this.#checkPublished(String(target), Number(before));
      if (action === "content.purge") this.#checkPurged(String(target));
      if (action === "message.erase") this.#checkErased(String(target));
    }
  }

  #checkPublished(path: string, revision: number): void {
    const { record, world, history } = this.#simulation;
    const [row] = record.rows(
      `SELECT item FROM revisions WHERE revision = ?
       AND item_id = (SELECT item_id FROM path_claims WHERE path = ?)`,
      revision,
      path,
    );
    if (row === undefined) return;
    const { publishAt } = JSON.parse(String(row["item"]));
    const early = Date.parse(publishAt) - (START + world.now);
    const allowed = history.clocksWrongSince(world.now - 10 * MINUTE)
      ? DOWNTIME_MILLISECONDS
      : JUMP_MILLISECONDS;
    if (early > allowed) world.violation(`${path} is published ${inWords(early)} early`);
  }

  #checkPurged(path: string): void {
    const { world, history } = this.#simulation;
    const deletions = history.asked.filter(
      ({ operation, outcome }) =>
        operation.do === "status" &&
        operation.change === "delete" &&
        outcome?.kind === "done" &&
        outcome.changed.some(({ id }) => id === this.#itemAt(path)),
    );
    const deletedAt = Math.min(...deletions.map(({ at }) => at));
    const early = RESTORABLE_MILLISECONDS - (world.now - deletedAt);
    if (deletions.length > 0 && early > DOWNTIME_MILLISECONDS) {
      world.violation(`${path} is purged ${inWords(early)} early`);
    }
  }

  #itemAt(path: string): string {
    const [row] = this.#simulation.record.rows("SELECT id FROM items WHERE path = ?", path);
    return String(row?.["id"]);
  }

  #checkErased(id: string): void {
    const { world, history } = this.#simulation;
    const asked = history.asked.find(
      ({ outcome }) => outcome?.kind === "done" && outcome.made === id,
    );
    if (asked === undefined) return;
    const early = RETENTION_MILLISECONDS - (world.now - asked.at);
    if (early > DOWNTIME_MILLISECONDS)
      world.violation(`A message is erased ${inWords(early)} early`);
  }

  /** While the database is unreachable, each instance counts alone, as decision 005 says. */
  #checkRates(): void {
    const { history, world, perMinute } = this.#simulation;
    const accepted = history.taken.filter(({ answer }) => answer === "accepted");
    for (let at = this.#takenSeen; at < accepted.length; at += 1) {
      const last = accepted[at];
      if (last === undefined) continue;
      const since = last.at - WINDOW_MILLISECONDS;
      if (history.limitsDisturbedSince(since - NETWORK_MILLISECONDS)) continue;
      const within = accepted
        .slice(0, at + 1)
        .filter((taken) => taken.key === last.key && taken.at > since && !this.#isLost(taken));
      if (within.length > perMinute) {
        world.violation(
          `${within.length} requests of a key are accepted in a minute, not ${perMinute}`,
        );
      }
    }
    this.#takenSeen = accepted.length;
  }

  /** A killed process may forget what it accepted since it last saved. */
  #isLost({ by, at }: { by: string; at: number }): boolean {
    const { history, server } = this.#simulation;
    if (server !== null) return false;
    return history.ends.some(
      (end) => end.by === by && end.at >= at && end.at - at < UNSAVED_MILLISECONDS,
    );
  }
}

export function inWords(milliseconds: number): string {
  const units = [
    { unit: "days", size: DAY },
    { unit: "hours", size: HOUR },
    { unit: "minutes", size: MINUTE },
    { unit: "seconds", size: SECOND },
  ];
  const { unit, size } = units.find((each) => milliseconds >= 2 * each.size) ?? {
    unit: "ms",
    size: 1,
  };
  return `${Math.round(milliseconds / size)} ${unit}`;
}
