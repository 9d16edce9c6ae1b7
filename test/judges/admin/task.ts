import type { Locator } from "playwright-core";
import type { Hand } from "./hand.ts";
import type { TaskSite } from "./task-site.ts";

export const DESK = "/admin/desk";

/**
 * A task of an editor. What it works on has a unique word in its name, so that all tasks can run at the same
 * time.
 */
export interface Task {
  name: string;
  /** The screen on which the task starts. "desk" is the first screen after signing in. */
  from: string;
  /** The most actions it may take, without the additional one that every task is allowed. */
  actionsMax: number;
  /** Creates what the task needs. @returns where the task starts, and how to check its result. */
  prepare(site: TaskSite, word: string): Promise<Prepared>;
}

interface Prepared {
  path: string;
  perform(hand: Hand): Promise<void>;
  /** Whether the task has been done. */
  isDone(): Promise<boolean>;
}

export function button({ page }: Hand, name: string): Locator {
  return page.getByRole("button", { name, exact: true });
}
