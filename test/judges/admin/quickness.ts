import type { BrowserContext, Page } from "playwright-core";
import type { Verdict } from "../verdict.ts";
import type { TaskSite } from "./task-site.ts";

/** A slow phone on a slow network, as Lighthouse assumes them. */
const SLOW = { cpu: 4, bytesPerSecond: 200_000, roundTripMs: 150 };
const ECHO_MS_MAX = 1000;
const PARAGRAPH = `${"All things are full of labour; man cannot utter it. ".repeat(8)}\n\n`;
const LONG_BODY = PARAGRAPH.repeat(480);
const TASK_MS_MAX = 100;
const KEYS_TYPED = 80;
const PREVIEW_MS_MAX = 500;
/** The middle of as many is judged. */
const TURNS = 5;

/** How soon the editor echoes, keeps up with typing, and shows a preview. */
export async function judgeQuickness(
  context: BrowserContext,
  draft: string,
  site: TaskSite,
): Promise<Verdict[]> {
  const changes = { title: "A long text", body: LONG_BODY };
  const { id } = await site.api("POST", "/drafts", { type: "page", changes });
  const echo = await middleOf(() => echoMilliseconds(context, draft));
  const task = await longestTask(context, `${site.origin}/admin/drafts/${id}`);
  const preview = await middleOf(() => previewMilliseconds(context, draft));
  return [
    timed("typing echoes on a slow phone, since navigation", echo, ECHO_MS_MAX),
    timed(`longest task while typing in ${LONG_BODY.length} characters`, task, TASK_MS_MAX),
    timed("preview", preview, PREVIEW_MS_MAX),
  ];
}

function timed(what: string, milliseconds: number, max: number): Verdict {
  const detail = `${milliseconds.toFixed(0)} of ${max} ms`;
  return { what, isOfTime: true, passed: milliseconds <= max, detail };
}

/** Since the start of a navigation whose files are not cached, until a typed character is in the text. */
async function echoMilliseconds(context: BrowserContext, draft: string): Promise<number> {
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.setCacheDisabled", { cacheDisabled: true });
  await session.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: SLOW.roundTripMs,
    downloadThroughput: SLOW.bytesPerSecond,
    uploadThroughput: SLOW.bytesPerSecond,
  });
  await session.send("Emulation.setCPUThrottlingRate", { rate: SLOW.cpu });
  // Somebody who taps the field as soon as it is there, and types on.
  await page.addInitScript(`
    const waiting = setInterval(() => {
      const field = document.querySelector("#body");
      if (field === null) return;
      clearInterval(waiting);
      field.focus();
    }, 10);
    addEventListener("input", () => { window.echoedAt ??= performance.now(); }, true);
  `);
  await page.goto(draft, { waitUntil: "commit" });
  let milliseconds = 0;
  while (milliseconds === 0) {
    await page.keyboard.press("q");
    milliseconds = Number(await page.evaluate("window.echoedAt ?? 0"));
  }
  await page.close();
  return milliseconds;
}

/** Milliseconds of the longest task of the page while somebody types in the middle of a long text. */
async function longestTask(context: BrowserContext, draft: string): Promise<number> {
  const page = await context.newPage();
  await page.goto(draft, { waitUntil: "networkidle" });
  await page.locator("#body").focus();
  await page.evaluate(
    "document.querySelector('#body').setSelectionRange(100000, 100000); window.tasks = [0]; new PerformanceObserver((list) => { for (const { duration } of list.getEntries()) window.tasks.push(duration); }).observe({ type: 'longtask' })",
  );
  for (let key = 0; key < KEYS_TYPED; key += 1) {
    await page.keyboard.type(key % 6 === 5 ? " " : "e");
    await page.waitForTimeout(60);
  }
  await page.waitForTimeout(1500);
  const milliseconds = Number(await page.evaluate("Math.max(...window.tasks)"));
  await page.close();
  return milliseconds;
}

/** Between the press of the button and the page in the frame. */
async function previewMilliseconds(context: BrowserContext, draft: string): Promise<number> {
  const page = await context.newPage();
  await page.goto(draft, { waitUntil: "networkidle" });
  const begun = performance.now();
  await page.getByRole("button", { name: "Preview", exact: true }).click();
  await shownInFrame(page);
  const milliseconds = performance.now() - begun;
  await page.close();
  return milliseconds;
}

async function middleOf(measure: () => Promise<number>): Promise<number> {
  const times: number[] = [];
  for (let turn = 0; turn < TURNS; turn += 1) times.push(await measure());
  return times.sort((one, other) => one - other)[Math.floor(TURNS / 2)] ?? 0;
}

async function shownInFrame(page: Page): Promise<void> {
  await page.frameLocator("iframe.preview").locator("main").first().waitFor();
}
