import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { axeFaults, overflow, watchContext } from "../admin/browser.ts";
import type { DemoServer } from "../demo-server.ts";
import type { Verdict } from "../verdict.ts";
import { verdict } from "./layout.ts";

const PASSWORD = "a few words in a row";
const LOGO = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><circle cx="32" cy="32" r="30" fill="#0b5c4a"/></svg>`;
/** The most bytes that a custom look may add to a page. */
const ADDED_BYTES_MAX = 3000;
const REFUSED = [
  ["own-accent", "#ffd700"],
  ["css", "body { background: url(https://elsewhere.example/x.png) }"],
  ["css", ".cover { position: fixed; inset: 0 }"],
  ["css", "@import 'https://elsewhere.example/x.css';"],
] as const;

/**
 * A volunteer designs the look of the site on the administrators' screen: look, accent, fonts, logo, a note
 * and a style rule. `plainBytes`: the weight of the home page before.
 */
export async function judgeVolunteer(
  browser: Browser,
  server: DemoServer,
  weighHome: () => Promise<number>,
): Promise<Verdict[]> {
  const file = join(tmpdir(), `logo-${process.pid}.svg`);
  await writeFile(file, LOGO);
  await server.commonplace("media", "add", file);
  const before = await weighHome();
  const { context, breaches } = await watchContext(browser, {
    viewport: { width: 1280, height: 800 },
  });
  const page = await context.newPage();
  await setUp(page, server);
  await page.goto(`${server.origin}/admin/appearance`);
  const faults = (await axeFaults(page)).map((fault) => `Appearance: ${fault}`);
  const started = performance.now();
  const actions = await makeOwn(page);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  await page.goto(server.origin);
  const shown = await page.evaluate(
    `[getComputedStyle(document.documentElement).getPropertyValue("--accent"), document.querySelector(".logo")?.naturalWidth > 0,
      document.querySelector(".site-note")?.textContent.trim(), getComputedStyle(document.querySelector("h1")).textTransform].join(" ")`,
  );
  const added = (await weighHome()) - before;
  const refusals = await refusedOnes(page, server.origin);
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(`${server.origin}/admin/appearance`);
  const wide = await overflow(page);
  await context.close();
  return [
    {
      what: "a volunteer sets look, accent, fonts, logo, note and style rule",
      passed: shown === "#0b5c4a true We meet on Mondays. uppercase",
      detail: `${actions} actions in ${seconds} s: ${shown}`,
    },
    {
      what: "what that adds to the home page",
      passed: added <= ADDED_BYTES_MAX,
      detail: `${added} bytes`,
    },
    verdict("pale colours and hostile style rules that were taken", refusals),
    verdict("Appearance: axe, policy", [...faults, ...breaches]),
    { what: "Appearance: wider than a phone", passed: wide === 0, detail: `${wide} px` },
  ];
}

async function setUp(page: Page, { origin, setupCode }: DemoServer): Promise<void> {
  await page.goto(`${origin}/admin/setup`);
  await page.fill("[name=code]", await setupCode());
  await page.fill("[name=email]", "vera@example.org");
  await page.fill("[name=name]", "Vera");
  await page.fill('[name="new-password"]', PASSWORD);
  await page.click("main button");
  await page.waitForURL("**/admin/desk");
}

/** @returns the number of actions. */
async function makeOwn(page: Page): Promise<number> {
  const logo = await page.locator("#logo option").nth(1).getAttribute("value");
  const steps = [
    () => page.check("input[name=name][value=modern]"),
    () => page.fill("input[name=accent]", "#0b5c4a"),
    () => page.selectOption("#fonts", "garamond"),
    () => page.selectOption("#logo", logo),
    () => page.fill("#slot-header", "We meet on **Mondays**."),
    () => page.fill("#css", "h1 { text-transform: uppercase }"),
    () => page.getByRole("button", { name: "Save" }).click(),
  ];
  for (const step of steps) await step();
  await page.waitForLoadState("networkidle");
  return steps.length;
}

/** Values that the screen accepted, or refused without a reason. */
async function refusedOnes(page: Page, origin: string): Promise<string[]> {
  const taken: string[] = [];
  for (const [name, value] of REFUSED) {
    await page.goto(`${origin}/admin/appearance`);
    if (name === "css") await page.fill("#css", value);
    else await page.fill("input[name=accent]", value);
    await page.getByRole("button", { name: "Save" }).click();
    const fault = await page
      .locator('main [role="alert"]')
      .textContent()
      .catch(() => null);
    if (!/(?:Style rules \(CSS\): line 1|Accent: #ffd700)/.test(fault ?? ""))
      taken.push(`${value}: ${fault}`);
  }
  return taken;
}
