import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Browser, Page } from "playwright-core";
import {
  axeFaults,
  launch,
  overflow,
  smallTargets,
  type WatchedContext,
  watchContext,
} from "./admin/browser.ts";
import { doTasks } from "./admin/doing.ts";
import { setUpFirstAccount } from "./admin/first-account.ts";
import { judgePasskeys } from "./admin/passkeys.ts";
import { judgeQuickness } from "./admin/quickness.ts";
import { SCENES, unseenScreens } from "./admin/scenes.ts";
import { Secrets } from "./admin/secrets.ts";
import { openTaskSite, type TaskSite } from "./admin/task-site.ts";
import { lostTyping } from "./admin/typing.ts";
import { type DemoServer, startDemoServer } from "./demo-server.ts";
import { madeUpLines } from "./desk/made-up-lines.ts";
import { announce, type Verdict } from "./verdict.ts";

/**
 * Works with the administrators' screens in a browser, from the setup code to a published page: `npm run
 * judge:admin -- [--interruptions 20] [--items 0] [--only looks|tasks|passkeys|typing]`. `--items`: number of made-up
 * items in addition to the demo. Needs Chromium.
 */
const { values: flags } = parseArgs({
  options: {
    interruptions: { type: "string", default: "20" },
    items: { type: "string", default: "0" },
    only: { type: "string" },
  },
});
const SIZES = [
  { width: 360, height: 740 },
  { width: 1280, height: 800 },
] as const;
/** 1280 px, zoomed to 400 %. */
const ZOOMED = { width: 320, height: 256 };
const TOUCHED_PIXELS_MIN = 44;
/** Transferred for the editor with an empty cache. */
const EDITOR_BYTES_MAX = 45_000;
const LIST_BYTES_MAX = 30_000;

const verdicts: Verdict[] = [];
const secrets = new Secrets();
const server = await startDemoServer(undefined, { LOG_LEVEL: "debug" }, "localhost");
const browser = await launch();
try {
  const owner = await signedIn(browser, server);
  if (flags.items !== "0") await addItems(server, Number(flags.items));
  const draft = await firstPage(owner, server.origin);
  if (flags.only === undefined || flags.only === "looks") {
    const site = await openTaskSite(server);
    await look(browser, owner, site);
    await weigh(browser, owner, draft);
    verdicts.push(...(await judgeQuickness(owner.context, draft, site)));
  }
  if (flags.only === undefined || flags.only === "typing") {
    const desk = { browser, server, context: owner.context };
    verdicts.push(await lostTyping(desk, draft, Number(flags.interruptions)));
  }
  if (flags.only === undefined || flags.only === "tasks" || flags.only === "passkeys") {
    const passkeys = await judgePasskeys(browser, server, secrets);
    verdicts.push(
      ...passkeys.verdicts,
      verdict("policy and scripts with passkeys", passkeys.watched.breaches),
    );
  }
  if (flags.only === undefined || flags.only === "tasks") {
    const tasks = await doTasks(browser, owner, { site: await openTaskSite(server), secrets });
    verdicts.push(...tasks.verdicts, verdict("policy and scripts in the tasks", tasks.breaches));
  }
  verdicts.push(verdict("policy and scripts", owner.breaches), ...(await judgeSecrets()));
  process.exitCode = announce(verdicts);
} finally {
  await browser.close();
  await server.stop();
}

/** Looks for every secret of the run in all that was requested, named as a referrer, or logged. */
async function judgeSecrets(): Promise<Verdict[]> {
  const { addresses } = secrets;
  const lines = server.output().split("\n");
  const count = await secrets.count();
  const elsewhere = addresses.filter((address) => !address.startsWith(server.origin));
  return [
    {
      what: "secrets of the run are looked for in addresses and lines",
      passed: count > 0 && addresses.length > 0 && lines.length > 10,
      detail: `${count} in ${addresses.length} and ${lines.length}`,
    },
    verdict("addresses and referrers with a secret", await secrets.within(addresses)),
    verdict("lines of the log with a secret", await secrets.within(lines)),
    verdict("requests to other hosts", elsewhere),
  ];
}

function verdict(what: string, faults: readonly string[]): Verdict {
  const detail = faults.length === 0 ? "none" : `${faults.length}, as ${faults[0]}`;
  return { what, passed: faults.length === 0, detail };
}

async function signedIn(browser: Browser, server: DemoServer): Promise<WatchedContext> {
  const owner = await watchContext(browser, { viewport: SIZES[0] }, secrets);
  await setUpFirstAccount(owner.context, server);
  return owner;
}

/** Writes and publishes a page, then starts a draft of it. @returns the address of the draft. */
async function firstPage({ context }: WatchedContext, origin: string): Promise<string> {
  const page = await context.newPage();
  await page.goto(`${origin}/admin/desk`);
  await page.getByRole("button", { name: "Quotation", exact: true }).click();
  await page.fill("#title", "On kindness");
  await page.fill("#body", "Be kind, for everyone you meet is fighting a hard battle.");
  await page.fill("[data-picker=topics] [role=combobox]", "time");
  await page.getByRole("option", { name: /\/topics\/time/ }).click();
  await page.getByRole("button", { name: "Publish …" }).click();
  await page.getByRole("button", { name: "Publish now" }).click();
  await page.waitForSelector(".tag.published");
  const answer = await fetch(`${origin}/quotations/on-kindness`);
  verdicts.push({
    what: "from the setup code to a public page",
    passed: answer.status === 200 && (await answer.text()).includes("fighting a hard battle"),
    detail: `${answer.status}`,
  });
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  await page.waitForSelector("#body");
  const draft = page.url();
  await page.close();
  return draft;
}

async function addItems(server: DemoServer, items: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "commonplace-judge-items-"));
  await server.commonplace("import", madeUpLines(folder, items));
  rmSync(folder, { recursive: true });
}

/** Examines every scene in all sizes and schemes. */
async function look(browser: Browser, { context }: WatchedContext, site: TaskSite): Promise<void> {
  const faults: string[] = [];
  const wide: string[] = [];
  const small: string[] = [];
  const seen = new Set<string>();
  const stranger = await watchContext(browser, {}, secrets);
  const pages = { owner: await context.newPage(), stranger: await stranger.context.newPage() };
  for (const { name, as = "owner", show } of SCENES) {
    const page = pages[as];
    await show(page, site);
    await page.waitForLoadState("networkidle");
    seen.add(new URL(page.url()).pathname);
    await page.setViewportSize(ZOOMED);
    const zoomed = await overflow(page);
    if (zoomed > 0) wide.push(`${name} at ${ZOOMED.width}: ${zoomed} px`);
    for (const size of SIZES) {
      await page.setViewportSize(size);
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        await judgeLooks(page, name, { faults, wide });
      }
    }
    await page.setViewportSize(SIZES[0]);
    // What visitors see is judged as their pages are.
    const targets = name === "view" ? [] : await smallTargets(page, TOUCHED_PIXELS_MIN);
    for (const target of targets) small.push(`${name}: ${target}`);
    await page.emulateMedia({ forcedColors: "active" });
    for (const fault of await axeFaults(page)) faults.push(`${name}, forced colours: ${fault}`);
    await page.emulateMedia({ forcedColors: "none" });
  }
  const looked = `${SCENES.length} scenes, 360 and 1280 px, light, dark and forced colours`;
  verdicts.push(
    verdict(`axe on ${looked}`, faults),
    verdict("wider than the window, at 1280 px zoomed to 400 % too", wide),
    verdict(`controls lower than ${TOUCHED_PIXELS_MIN} px on a phone`, small),
    verdict("screens that no scene shows", unseenScreens(seen)),
  );
  await stranger.context.close();
  await pages.owner.close();
}

async function judgeLooks(
  page: Page,
  name: string,
  { faults, wide }: { faults: string[]; wide: string[] },
): Promise<void> {
  const where = `${name} at ${page.viewportSize()?.width}`;
  for (const fault of await axeFaults(page)) faults.push(`${where}: ${fault}`);
  const pixels = await overflow(page);
  if (pixels > 0) wide.push(`${where}: ${pixels} px`);
}

async function weigh(browser: Browser, { context }: WatchedContext, draft: string): Promise<void> {
  const cold = await browser.newContext({ storageState: await context.storageState() });
  for (const [what, address, bytesMax] of [
    ["editor", draft, EDITOR_BYTES_MAX],
    ["list", new URL("/admin/content", draft).href, LIST_BYTES_MAX],
  ] as const) {
    const page = await cold.newPage();
    let bytes = 0;
    page.on("requestfinished", async (request) => {
      const { responseBodySize, responseHeadersSize } = await request.sizes();
      bytes += responseBodySize + responseHeadersSize;
    });
    await page.goto(address, { waitUntil: "networkidle" });
    verdicts.push({
      what: `bytes of the ${what}, cold`,
      passed: bytes > 0 && bytes <= bytesMax,
      detail: `${bytes} of ${bytesMax}`,
    });
    await page.close();
  }
  await cold.close();
}
