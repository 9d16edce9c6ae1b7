import type { Browser, BrowserContext, Page } from "playwright-core";
import type { DemoServer } from "../demo-server.ts";
import type { Verdict } from "../verdict.ts";
import { signIn } from "./first-account.ts";

/** What was typed earlier than this before the end must not be lost. */
const SAFE_MS = 2000;
/** Has the pauses spread over all lengths up to a little more than what must be safe. */
const PAUSE_STEP_MS = 373;

interface Desk {
  browser: Browser;
  server: DemoServer;
  /** Signed in. */
  context: BrowserContext;
}

/** How a page ends. */
interface End {
  name: string;
  beforeTyping?: () => Promise<void>;
  beforeClosing?: (page: Page) => Promise<unknown>;
  afterClosing?: () => Promise<void>;
}

/**
 * Types into a draft and ends the page in turn by closing it, losing the connection, reloading, killing the
 * server, and ending the session from another browser. Then opens the draft again and checks its text.
 */
export async function lostTyping(
  { browser, server, context }: Desk,
  draft: string,
  interruptions: number,
): Promise<Verdict> {
  const lost: string[] = [];
  const otherBrowser = await browser.newContext();
  const ends: readonly End[] = [
    { name: "close" },
    {
      name: "offline",
      beforeTyping: () => context.setOffline(true),
      afterClosing: () => context.setOffline(false),
    },
    { name: "reload", beforeClosing: (page) => page.reload() },
    { name: "kill", beforeClosing: server.kill, afterClosing: server.startAgain },
    {
      name: "ended session",
      beforeTyping: () => endOtherSessions(otherBrowser, server.origin),
      afterClosing: () => signIn(context, server.origin),
    },
  ];
  for (let turn = 0; turn < interruptions; turn += 1) {
    const end = ends[turn % ends.length] ?? { name: "close" };
    const word = `word${turn}x`;
    const page = await context.newPage();
    await page.goto(draft);
    await page.locator("#summary").fill("");
    await end.beforeTyping?.();
    await page.locator("#summary").pressSequentially(word, { delay: 5 });
    await page.waitForTimeout((turn * PAUSE_STEP_MS) % (SAFE_MS + 500));
    await end.beforeClosing?.(page);
    await page.close();
    await end.afterClosing?.();
    const again = await context.newPage();
    await again.goto(draft);
    const found = await again.inputValue("#summary");
    if (found !== word) lost.push(`${end.name} after ${word}: "${found}"`);
    await again.waitForTimeout(1500);
    await again.close();
  }
  await otherBrowser.close();
  const detail = lost.length === 0 ? `${interruptions} times, all there` : lost.join("; ");
  return { what: "typing that is cut off", passed: lost.length === 0, detail };
}

/** Signs in in another browser and ends all other sessions from there. */
async function endOtherSessions(context: BrowserContext, origin: string): Promise<void> {
  await context.clearCookies();
  await signIn(context, origin);
  const page = await context.newPage();
  await page.goto(`${origin}/admin/account`);
  await page.getByRole("button", { name: "End all others" }).click();
  await page.getByRole("button", { name: "End all others" }).waitFor({ state: "detached" });
  await page.close();
}
