import { dice } from "../../support/dice.ts";
import type { Operation } from "./operations.ts";

const STEPS_MIN = 12;
const STEPS_MAX = 36;
export const PROCESSES = 3;
const ITEMS = 6;
export const KEYS = 2;
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;
/** One in this many stories is mainly about clocks and what waits for a time. */
const CLOCK_STORIES_EVERY = 4;
/** Less than the service waits before it trusts a clock. */
const WRONG_MILLISECONDS_MAX = 9 * MINUTE;
/** How often a word is repeated, so that its count does not fit into a byte. */
const REPEATS_MAX = 300;
const WORDS = ["time", "river", "letters", "Ärger", "memory", "virtue", "café", "stones"];

/** An event that happens `wait` milliseconds after the previous one. */
export type Step = { wait: number } & (
  | { kind: "ask"; by: number; operation: Operation }
  | { kind: "take"; by: number; key: number; times: number }
  | { kind: "revoke"; by: number; key: number }
  | { kind: "kill"; by: number; down: number }
  | { kind: "stop"; by: number }
  | { kind: "power"; by: number; down: number }
  | { kind: "crash"; down: number }
  | { kind: "cut"; by: number; lasts: number }
  | { kind: "slow"; by: number; lasts: number; delay: number }
  | { kind: "reset"; by: number }
  | { kind: "clock"; by: number | "database"; ahead: number; lasts: number }
  | { kind: "suspend"; lasts: number }
  | { kind: "deaf"; percent: number; lasts: number }
  | { kind: "check" }
);

export interface Story {
  seed: number;
  /** `instances`: several machines on one database; `one machine`: processes on one file. */
  mode: "instances" | "one machine";
  steps: readonly Step[];
}

type Roll = (below: number) => number;

interface Setting {
  mode: Story["mode"];
  isOfClocks: boolean;
}

/** The same seed makes the same story. */
export function storyOf(seed: number): Story {
  const roll = dice(Math.imul(seed, 2_654_435_761) | 1);
  for (let warmUp = 0; warmUp < 8; warmUp += 1) roll(2);
  const mode = roll(3) === 0 ? "one machine" : "instances";
  // A uniform mix would hardly ever have a long wait, a clock jump beyond its end and enough time to notice
  // both.
  const isOfClocks = seed % CLOCK_STORIES_EVERY === 0;
  const count = STEPS_MIN + roll(STEPS_MAX - STEPS_MIN);
  const steps = Array.from({ length: count }, (_, number) => ({
    wait: roll(3) === 0 ? 0 : roll(roll(6) === 0 ? 6 * SECOND : SECOND),
    ...drawStep(roll, { mode, isOfClocks }, number),
  }));
  return { seed, mode, steps };
}

type DrawnStep = Step extends infer Each ? (Each extends Step ? Omit<Each, "wait"> : never) : never;

function drawStep(roll: Roll, { mode, isOfClocks }: Setting, number: number): DrawnStep {
  const by = roll(PROCESSES);
  if (isOfClocks && roll(2) === 0) return drawClockStep(roll, { by, number });
  const chance = roll(100);
  if (chance < 50) return { kind: "ask", by, operation: operationOf(roll, number) };
  if (chance < 61) return { kind: "take", by, key: roll(KEYS), times: 1 + roll(20) };
  if (chance < 63) return { kind: "revoke", by, key: roll(KEYS) };
  if (chance < 70) return { kind: "kill", by, down: roll(5 * SECOND) };
  if (chance < 72) return { kind: "stop", by };
  if (chance < 75) return { kind: "power", by, down: roll(90 * SECOND) };
  if (chance < 80) return { kind: "suspend", lasts: suspension(roll) };
  if (chance < 84) return { kind: "deaf", percent: 20 + roll(81), lasts: roll(2 * MINUTE) };
  if (chance < 88) return clockFault(roll, by);
  if (chance < 90) return { kind: "check" };
  return mode === "instances"
    ? networkFault(roll, by)
    : { kind: "kill", by: 0, down: roll(SECOND) };
}

/** Schedules drafts hours ahead, and sets clocks wrong by days. */
function drawClockStep(roll: Roll, { by, number }: { by: number; number: number }): DrawnStep {
  const item = roll(ITEMS);
  const chance = roll(3);
  if (chance === 0) return wrongClock(roll, by, (1 + roll(30)) * DAY);
  if (chance === 1) {
    const title = `${word(roll)} ${number}`;
    const draft = { item, title, body: bodyOf(roll), isPublic: false, toItems: [] };
    return { kind: "ask", by, operation: { do: "save", ...draft } };
  }
  const inSeconds = 1 + roll(DAY / SECOND);
  return { kind: "ask", by, operation: { do: "schedule", item, inSeconds } };
}

function networkFault(roll: Roll, by: number): DrawnStep {
  const kind = roll(5);
  if (kind === 0) return { kind: "crash", down: roll(20 * SECOND) };
  if (kind === 1) return { kind: "reset", by };
  if (kind === 2) return { kind: "slow", by, delay: roll(100), lasts: roll(MINUTE) };
  return { kind: "cut", by, lasts: roll(40 * SECOND) };
}

function clockFault(roll: Roll, by: number): DrawnStep {
  return wrongClock(roll, by, (1 + roll(90)) * (roll(3) === 0 ? DAY : MINUTE));
}

function wrongClock(roll: Roll, by: number, size: number): DrawnStep {
  return {
    kind: "clock",
    by: roll(6) === 0 ? "database" : by,
    ahead: roll(2) === 0 ? size : -size,
    lasts: 1 + roll(WRONG_MILLISECONDS_MAX),
  };
}

function suspension(roll: Roll): number {
  const kind = roll(4);
  if (kind === 0) return roll(40) * DAY;
  return kind === 1 ? roll(DAY) : roll(15 * MINUTE);
}

function operationOf(roll: Roll, number: number): Operation {
  const item = roll(ITEMS);
  const title = `${word(roll)} ${word(roll)} ${number}`;
  const chance = roll(100);
  if (chance < 40) {
    const toItems = Array.from({ length: roll(3) }, () => roll(ITEMS));
    return { do: "save", item, title, body: bodyOf(roll), isPublic: roll(5) > 0, toItems };
  }
  if (chance < 50) return { do: "saveTogether", items: [item, roll(ITEMS)], title };
  if (chance < 68) {
    const changes = ["publish", "unpublish", "archive", "delete"] as const;
    return { do: "status", item, change: changes[roll(changes.length)] ?? "publish" };
  }
  if (chance < 78)
    return { do: "schedule", item, inSeconds: 1 + roll(roll(3) === 0 ? 86_400 : 300) };
  if (chance < 88) return { do: "message" };
  if (chance < 92) return { do: "import", items: [roll(4), roll(4)], title };
  if (chance < 95) return { do: "export" };
  return { do: "site", name: `Association ${roll(3)}` };
}

function bodyOf(roll: Roll): string {
  const words = Array.from({ length: roll(8) }, () => word(roll));
  const repeated = roll(4) === 0 ? Array<string>(roll(REPEATS_MAX)).fill(word(roll)) : [];
  return [...words, ...repeated].join(" ");
}

function word(roll: Roll): string {
  return WORDS[roll(WORDS.length)] ?? "";
}
