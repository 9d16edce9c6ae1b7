import type { ChildProcess } from "node:child_process";
import type { Fault } from "./judging.ts";
import type { Outcome } from "./next-start.ts";
import type { Step } from "./record.ts";

/** A command to be ended at each of its steps, and what has to hold after the next start. */
export interface Scenario {
  name: string;
  /** What is there before: by its name in the folder of the scenario, where it is copied from. */
  given: Readonly<Record<string, string>>;
  /** The command; `ROOT` stands for the folder of the scenario. */
  words: readonly string[];
  /** For the command and for `again`, not for the next start. */
  environment?: Readonly<Record<string, string>>;
  /** For each run, what more is to be in its environment; then crashes cannot be laid out, only real. */
  prepare?: () => Promise<Prepared>;
  /** Does something with a process that serves, and has it end. */
  drive?: (child: ChildProcess, port: number) => Promise<void>;
  /** A command after the next start, and how the site has to be after it; null: none. */
  again: {
    words: readonly string[];
    goal: "before" | "after";
    /** What it may complain of, for having nothing to do any more. */
    mayRefuse?: RegExp;
  } | null;
  /** For the next start. */
  nextEnvironment?: Readonly<Record<string, string>>;
  /** Which part of its crashes is tried, where each takes long. */
  portion?: number;
  /** How many may run at once; by default four. */
  atOnce?: number;
  /** Takes minutes. */
  isLong?: boolean;
  /** Further stores in the folder of the scenario, which are whole or not there. */
  copies?: readonly string[];
  /** Paths that are no leftovers, besides those of a data folder. */
  expected?: RegExp;
  judgeSite: (moment: Moment) => Fault[];
}

export interface Prepared extends AsyncDisposable {
  environment: Readonly<Record<string, string>>;
  /** What is sent there counts as steps. */
  port: number;
}

/** A crash, and what was found after it. */
export interface Moment {
  /** What the process had told until then. */
  said: readonly Step[];
  outcome: Outcome;
  before: Outcome;
  after: Outcome;
}
