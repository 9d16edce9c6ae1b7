import type { ChildProcess } from "node:child_process";
import type { Fault } from "./judging.ts";
import type { Outcome } from "./next-start.ts";
import type { Step } from "./record.ts";

/** A command that is ended at each of its steps, and what must hold after the next start. */
export interface Scenario {
  name: string;
  /** The initial files: by their names in the folder of the scenario, the paths they are copied from. */
  given: Readonly<Record<string, string>>;
  /** The words of the command. `ROOT` is the folder of the scenario. */
  words: readonly string[];
  /** Environment of the command and of `again`, but not of the next start. */
  environment?: Readonly<Record<string, string>>;
  /**
   * Returns more environment variables for each run. With them, crashes cannot be laid out: processes must
   * really be ended.
   */
  prepare?: () => Promise<Prepared>;
  /** Uses a serving process and ends it. */
  drive?: (child: ChildProcess, port: number) => Promise<void>;
  /** A command that runs after the next start, and the expected site after it; null: none. */
  again: {
    words: readonly string[];
    goal: "before" | "after";
    /** Matches the error of a command that has nothing to do any more. */
    mayRefuse?: RegExp;
  } | null;
  /** Environment of the next start. */
  nextEnvironment?: Readonly<Record<string, string>>;
  /** Share of its crashes that is tried, if each takes long. */
  portion?: number;
  /** Number of crashes that are tried at the same time; by default four. */
  atOnce?: number;
  /** Takes minutes. */
  isLong?: boolean;
  /** Other stores in the folder of the scenario. They must be complete or absent. */
  copies?: readonly string[];
  /** Matches paths that are not leftovers, in addition to those of a data folder. */
  expected?: RegExp;
  judgeSite: (moment: Moment) => Fault[];
}

export interface Prepared extends AsyncDisposable {
  environment: Readonly<Record<string, string>>;
  /** Data sent to this port counts as steps. */
  port: number;
}

/** A crash and what was found after it. */
export interface Moment {
  /** What the process had reported before the crash. */
  said: readonly Step[];
  outcome: Outcome;
  before: Outcome;
  after: Outcome;
}
