import { setTimeout as wait } from "node:timers/promises";
import type { Browser, BrowserContext } from "playwright-core";
import type { Verdict } from "../verdict.ts";
import { type WatchedContext, watchContext } from "./browser.ts";
import { Hand, WAYS, type Way } from "./hand.ts";
import type { Secrets } from "./secrets.ts";
import type { Task } from "./task.ts";
import type { TaskSite } from "./task-site.ts";
import { TASKS } from "./tasks.ts";

/** Generous, because typing is saved after a pause. */
const DONE_WITHIN_MS = 10_000;
const DESKTOP = { viewport: { width: 1280, height: 800 } };
const OPTIONS: Readonly<Record<Way, Parameters<Browser["newContext"]>[0]>> = {
  mouse: DESKTOP,
  "no scripts": { ...DESKTOP, javaScriptEnabled: false },
  touch: { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
  keyboard: DESKTOP,
};

interface Done {
  task: Task;
  way: Way;
  actions: number;
  /** The fault; empty: none. */
  fault: string;
}

/** Does every task in every way, and prints the number of actions of each. */
export async function doTasks(
  browser: Browser,
  { context }: WatchedContext,
  { site, secrets }: { site: TaskSite; secrets: Secrets },
): Promise<{ verdicts: Verdict[]; breaches: string[] }> {
  const storageState = await context.storageState();
  const done: Done[] = [];
  const breaches: string[] = [];
  for (const way of WAYS) {
    const watched = await watchContext(browser, { ...OPTIONS[way], storageState }, secrets);
    watched.context.setDefaultTimeout(15_000);
    for (const task of TASKS) done.push(await doTask(watched.context, site, { task, way }));
    breaches.push(...watched.breaches);
    await watched.context.close();
  }
  printTable(done);
  return { verdicts: WAYS.map((way) => verdictOf(done, way)), breaches };
}

async function doTask(
  context: BrowserContext,
  site: TaskSite,
  { task, way }: { task: Task; way: Way },
): Promise<Done> {
  const { path, perform, isDone } = await task.prepare(site, way.replace(" ", ""));
  const page = await context.newPage();
  await page.goto(site.origin + path);
  const hand = new Hand(page, way);
  try {
    await perform(hand);
    const fault = (await within(DONE_WITHIN_MS, isDone)) ? "" : "was not done";
    return { task, way, actions: hand.actions, fault };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { task, way, actions: hand.actions, fault: `${reason} at ${page.url()}` };
  } finally {
    await page.close();
  }
}

async function within(milliseconds: number, isSo: () => Promise<boolean>): Promise<boolean> {
  const deadline = performance.now() + milliseconds;
  while (!(await isSo())) {
    if (performance.now() > deadline) return false;
    await wait(100);
  }
  return true;
}

/** One action more than the limit of the task; twice the limit without scripts. */
function actionsAllowed({ actionsMax }: Task, way: Way): number {
  return way === "no scripts" ? actionsMax * 2 : actionsMax + 1;
}

function verdictOf(done: readonly Done[], way: Way): Verdict {
  const faults = done
    .filter((each) => each.way === way)
    .flatMap(({ task, actions, fault }) => {
      if (fault !== "") return [`${task.name}: ${fault}`];
      return actions > actionsAllowed(task, way) ? [`${task.name}: ${actions} actions`] : [];
    });
  const detail = faults.length === 0 ? `${TASKS.length} within their bars` : faults.join("; ");
  return { what: `tasks: ${way}`, passed: faults.length === 0, detail };
}

function printTable(done: readonly Done[]): void {
  const rows = TASKS.map((task) => {
    const counts = WAYS.map((way) => {
      const found = done.find((each) => each.task === task && each.way === way);
      return found === undefined || found.fault !== "" ? "–" : String(found.actions);
    });
    return [task.name, task.from, String(task.actionsMax), ...counts];
  });
  const table = [["task", "from", "bar", ...WAYS], ...rows];
  const widths = table[0]?.map((_, at) => Math.max(...table.map((row) => row[at]?.length ?? 0)));
  for (const row of table) {
    console.log(row.map((cell, at) => cell.padEnd(widths?.[at] ?? 0)).join("  "));
  }
}
