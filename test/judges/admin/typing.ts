import type { BrowserContext } from "playwright-core";
import type { Verdict } from "../verdict.ts";

/** What was typed earlier than this before the end must not be lost. */
const SAFE_MS = 2000;
const ENDS = ["close", "offline", "reload"] as const;

/**
 * Types into a draft, ends the page alternately by closing, losing the connection and reloading, and checks
 * the draft.
 */
export async function lostTyping(
  context: BrowserContext,
  draft: string,
  interruptions: number,
): Promise<Verdict> {
  const lost: string[] = [];
  for (let turn = 0; turn < interruptions; turn += 1) {
    const end = ENDS[turn % ENDS.length] ?? "close";
    const word = `word${turn}x`;
    const page = await context.newPage();
    await page.goto(draft);
    await page.locator("#summary").fill("");
    if (end === "offline") await context.setOffline(true);
    await page.locator("#summary").pressSequentially(word, { delay: 5 });
    // Varies the pause from zero to a little more than what must be safe.
    await page.waitForTimeout((turn * 370) % (SAFE_MS + 500));
    if (end === "reload") await page.reload();
    await page.close();
    if (end === "offline") await context.setOffline(false);
    const again = await context.newPage();
    await again.goto(draft);
    const found = await again.inputValue("#summary");
    if (found !== word) lost.push(`${end} after ${word}: "${found}"`);
    await again.waitForTimeout(1500);
    await again.close();
  }
  const detail = lost.length === 0 ? `${interruptions} times, all there` : lost.join("; ");
  return { what: "typing that is cut off", passed: lost.length === 0, detail };
}
