import type { Browser, Page } from "playwright-core";
import { axeFaults, launch, overflow, type WatchedContext, watched } from "./admin/browser.ts";
import { lostTyping } from "./admin/typing.ts";
import { type DemoServer, startDemoServer } from "./demo-server.ts";
import { announce, type Verdict } from "./verdict.ts";

/**
 * Works with the administrators' screens in a browser, from the setup code to a published page:
 * `npm run judge:admin -- [INTERRUPTIONS]`. Needs Chromium.
 */
const INTERRUPTIONS = Number(process.argv[2] ?? 20);
const PASSWORD = "a few words in a row";
const SIZES = [
  { width: 360, height: 740 },
  { width: 1280, height: 800 },
] as const;
const SCREENS = [
  ...["desk", "content", "content?q=time", "drafts", "requests", "messages", "keys"],
  ...["people", "settings", "audit", "account"],
];
/** Transferred for the editor, cold. */
const EDITOR_BYTES_MAX = 45_000;
const LIST_BYTES_MAX = 30_000;

const verdicts: Verdict[] = [];
const server = await startDemoServer();
const browser = await launch();
try {
  const owner = await signedIn(browser, server);
  const draft = await firstPage(owner, server.origin);
  await look(owner, server.origin, draft);
  await weigh(browser, owner, draft);
  verdicts.push(await lostTyping(owner.context, draft, INTERRUPTIONS));
  const secrets = owner.addresses.filter((address) => /cpl[a-z]?_|password|token=/.test(address));
  const strangers = owner.addresses.filter((address) => !address.startsWith(server.origin));
  verdicts.push(
    verdict("policy and scripts", owner.breaches),
    verdict("addresses with a secret", secrets),
    verdict("requests to other hosts", strangers),
  );
  process.exitCode = announce(verdicts);
} finally {
  await browser.close();
  await server.stop();
}

function verdict(what: string, faults: readonly string[]): Verdict {
  const detail = faults.length === 0 ? "none" : `${faults.length}, as ${faults[0]}`;
  return { what, passed: faults.length === 0, detail };
}

/** Sets up the first account with the code that the start left in a file. */
async function signedIn(
  browser: Browser,
  { origin, setupCode }: DemoServer,
): Promise<WatchedContext> {
  const owner = await watched(browser, { viewport: SIZES[0] });
  const page = await owner.context.newPage();
  await page.goto(`${origin}/admin/setup`);
  await page.fill("[name=code]", setupCode());
  await page.fill("[name=email]", "anna@example.org");
  await page.fill("[name=name]", "Anna");
  await page.fill('[name="new-password"]', PASSWORD);
  await page.click("button");
  await page.waitForURL("**/admin/desk");
  await page.close();
  return owner;
}

/** Writes and publishes a page, then starts a draft of it. @returns the address of that draft. */
async function firstPage({ context }: WatchedContext, origin: string): Promise<string> {
  const page = await context.newPage();
  await page.goto(`${origin}/admin/desk`);
  await page.getByRole("button", { name: "Quotation", exact: true }).click();
  await page.fill("#title", "On kindness");
  await page.fill("#body", "Be kind, for everyone you meet is fighting a hard battle.");
  await page.fill('[name="a.topics"]', "/topics/time");
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

async function look({ context }: WatchedContext, origin: string, draft: string): Promise<void> {
  const page = await context.newPage();
  const faults: string[] = [];
  const wide: string[] = [];
  const addresses = [
    ...SCREENS.map((name) => `${origin}/admin/${name}`),
    draft,
    `${draft}/publish`,
  ];
  for (const size of SIZES) {
    await page.setViewportSize(size);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      for (const address of addresses) await judgeLooks(page, address, { faults, wide });
    }
  }
  const looked = `${addresses.length} screens, 360 and 1280 px, light and dark`;
  verdicts.push(verdict(`axe on ${looked}`, faults), verdict("wider than the window", wide));
  await page.close();
}

async function judgeLooks(
  page: Page,
  address: string,
  { faults, wide }: { faults: string[]; wide: string[] },
): Promise<void> {
  await page.goto(address);
  const where = `${new URL(address).pathname} at ${page.viewportSize()?.width}`;
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
