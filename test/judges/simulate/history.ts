import type { Operation, Outcome } from "./operations.ts";
import { textOf, type World } from "./world.ts";

/** An operation of a client and its outcome. */
export interface Asked {
  requestId: string;
  by: string;
  operation: Operation;
  at: number;
  /** Null while there is no answer. A process that ended never answers. */
  outcome: Outcome | null;
  endedAt: number;
}

export interface Taken {
  key: string;
  by: string;
  at: number;
  answer: "accepted" | "limited" | "refused";
}

/** Everything that clients saw. */
export class History {
  readonly asked: Asked[] = [];
  readonly taken: Taken[] = [];
  readonly lines: string[] = [];
  /** Periods in which clocks were wrong. */
  readonly wrongClocks: { from: number; to: number }[] = [];
  /** Periods in which the connection to the database, or time itself, was disturbed. */
  readonly limitDisturbances: { from: number; to: number }[] = [];
  /** Times at which processes ended without warning, with their names. */
  readonly ends: { by: string; at: number }[] = [];
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
  }

  begin(by: string, operation: Operation): Asked {
    const requestId = `request-${this.asked.length + 1}`;
    const asked: Asked = {
      requestId,
      by,
      operation,
      at: this.#world.now,
      outcome: null,
      endedAt: 0,
    };
    this.asked.push(asked);
    return asked;
  }

  settle(asked: Asked, outcome: Outcome): void {
    asked.outcome = outcome;
    asked.endedAt = this.#world.now;
  }

  refused(asked: Asked): Asked {
    this.settle(asked, { kind: "refused", why: "no connection" });
    return asked;
  }

  failed(asked: Asked, error: unknown): void {
    this.settle(asked, { kind: "unknown", why: String(error) });
    this.#world.violation(`${asked.by} answers 500: ${textOf(error)}`);
  }

  took(taken: Taken): void {
    this.taken.push(taken);
  }

  clocksWrongSince(at: number): boolean {
    return this.wrongClocks.some(({ from, to }) => from <= this.#world.now && to >= at);
  }

  limitsDisturbedSince(at: number): boolean {
    return this.limitDisturbances.some(({ from, to }) => from <= this.#world.now && to >= at);
  }

  ended(by: string): void {
    this.ends.push({ by, at: this.#world.now });
  }

  notStarted(by: string, error: unknown): void {
    this.lines.push(`${by} does not start: ${String(error)}`);
    const isForeseen = error instanceof Error && error.name === "AppError";
    if (!isForeseen) this.#world.violation(`${by} does not start: ${textOf(error)}`);
  }

  /** Records a log line at level `warn` or above. */
  logged(by: string, line: string): void {
    this.lines.push(`${Math.round(this.#world.now)} ${by}: ${line.trim()}`);
    const { level, err } = JSON.parse(line);
    const isBug = level >= 50 && err !== undefined && err.type !== "AppError" && !isOfDatabase(err);
    if (isBug) this.#world.violation(`${by} logs a bug: ${line.trim()}`);
  }
}

function isOfDatabase({ code, type }: { code?: string; type?: string }): boolean {
  return code !== undefined || type === "DatabaseError";
}
