import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import type { Secrets } from "./secrets.ts";

/** The headless shell takes less than half of the CPU time, but can only show pages. */
type Chromium = "chromium" | "chromium-headless-shell";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** A browser context that records violations of the content security policy and errors of scripts. */
export interface WatchedContext {
  context: BrowserContext;
  breaches: string[];
}

export async function launch(program: Chromium = "chromium"): Promise<Browser> {
  return await chromium.launch({
    executablePath: `/usr/bin/${program}`,
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
  });
}

export async function watchContext(
  browser: Browser,
  options: Parameters<Browser["newContext"]>[0],
  secrets?: Secrets,
): Promise<WatchedContext> {
  const context = await browser.newContext(options);
  const result: WatchedContext = { context, breaches: [] };
  secrets?.watch(context);
  context.on("weberror", (error) => result.breaches.push(error.error().message));
  context.on("console", (message) => {
    if (/Content Security Policy|TrustedHTML/i.test(message.text())) {
      result.breaches.push(message.text());
    }
  });
  return result;
}

/**
 * Rules that a page breaks according to axe, which bypasses the page's policy, as that forbids its script.
 */
export async function axeFaults(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  const evaluate = async (expression: string) =>
    await session.send("Runtime.evaluate", {
      expression,
      awaitPromise: true,
      returnByValue: true,
    });
  await evaluate(AXE);
  const { result } = await evaluate(
    "axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes[0].html.slice(0, 120)))",
  );
  await session.detach();
  return Array.isArray(result.value) ? result.value.map(String) : ["axe did not run"];
}

/** How many pixels a page is wider than its window. */
export async function overflow(page: Page): Promise<number> {
  return Number(
    await page.evaluate(
      "document.documentElement.scrollWidth - document.documentElement.clientWidth",
    ),
  );
}

/**
 * Controls that are lower or narrower than a finger needs; in a text links may be, and boxes that their label
 * surrounds.
 */
export async function smallTargets(page: Page, pixelsMin: number): Promise<string[]> {
  const found = await page.evaluate(`(() => {
    const controls = "button, .button, select, textarea, summary, nav a, label.choice, input:not([type=hidden], [type=checkbox], [type=radio])";
    return [...document.querySelectorAll(controls)].flatMap((each) => {
      const { width, height } = each.getBoundingClientRect();
      if (width === 0 || each.closest(".visually-hidden, label.look") !== null) return [];
      const isSmall = Math.round(height) < ${pixelsMin} || Math.round(width) < 24;
      return isSmall ? [each.outerHTML.slice(0, 80) + " " + Math.round(width) + "×" + Math.round(height)] : [];
    });
  })()`);
  return Array.isArray(found) ? found.map(String) : ["the controls were not measured"];
}
