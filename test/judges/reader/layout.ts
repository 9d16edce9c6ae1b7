import type { Browser, BrowserContext, Page } from "playwright-core";
import { axeFaults, overflow } from "../admin/browser.ts";
import type { DemoServer } from "../demo-server.ts";
import type { Verdict } from "../verdict.ts";

const PHONE = { width: 360, height: 740 };
const NARROW = { width: 320, height: 640 };
const DESKTOP = { width: 1280, height: 800 };
/** The most pixels from the top of a phone's screen to the main heading. */
const HEADING_TOP_MAX = 140;

const MEDIA_QUERIES = [
  { name: "light", media: { colorScheme: "light", forcedColors: "none" } },
  { name: "dark", media: { colorScheme: "dark", forcedColors: "none" } },
  { name: "forced colours", media: { colorScheme: "dark", forcedColors: "active" } },
] as const;

const NOTHING_OWN = { accent: null, fonts: null, logo: null, css: null, slots: null };

/** Sets a built-in look of the running site through the command line. */
export async function setLook({ commonplace }: DemoServer, name: string): Promise<void> {
  const patch = JSON.stringify({ look: { ...NOTHING_OWN, name } });
  await commonplace("api", "PATCH", "/settings", "--header", "If-Match: *", "--data", patch);
}

/** Checks every kind of page in every look with axe, and that nothing is wider than the window. */
export async function judgeLayout(
  browser: Browser,
  server: DemoServer,
  { paths, looks }: { paths: readonly string[]; looks: readonly string[] },
): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
  for (const name of looks) {
    await setLook(server, name);
    const context = await browser.newContext({ viewport: DESKTOP });
    const at = paths.map((path) => server.origin + path);
    verdicts.push(
      ...(await axeVerdicts(context, name, at)),
      ...(await sizeVerdicts(context, name, at)),
    );
    await context.close();
  }
  return verdicts;
}

async function axeVerdicts(
  context: BrowserContext,
  look: string,
  addresses: readonly string[],
): Promise<Verdict[]> {
  const page = await context.newPage();
  const verdicts: Verdict[] = [];
  for (const { name, media } of MEDIA_QUERIES) {
    await page.emulateMedia(media);
    const faults: string[] = [];
    for (const address of addresses) {
      await page.goto(address);
      for (const fault of await axeFaults(page)) faults.push(`${pathOf(address)} ${fault}`);
    }
    verdicts.push(verdict(`${look}: axe, ${name}, ${addresses.length} pages`, faults));
  }
  await page.close();
  return verdicts;
}

async function sizeVerdicts(
  context: BrowserContext,
  look: string,
  addresses: readonly string[],
): Promise<Verdict[]> {
  const page = await context.newPage();
  const wide: string[] = [];
  const low: string[] = [];
  for (const address of addresses) {
    await page.setViewportSize(NARROW);
    await page.goto(address);
    await noteOverflow(page, wide, `${pathOf(address)} at 320 px`);
    await page.setViewportSize(PHONE);
    const top = Math.round(
      Number(await page.evaluate("document.querySelector('h1').getBoundingClientRect().top")),
    );
    if (top > HEADING_TOP_MAX) low.push(`${pathOf(address)} at ${top} px`);
    await page.evaluate("document.documentElement.style.fontSize = '200%'");
    await noteOverflow(page, wide, `${pathOf(address)} with text of 200 %`);
  }
  await page.close();
  return [
    verdict(`${look}: wider than the window at 320 px, and at 360 px with text of 200 %`, wide),
    verdict(`${look}: main heading below ${HEADING_TOP_MAX} px on a phone`, low),
  ];
}

async function noteOverflow(page: Page, faults: string[], where: string): Promise<void> {
  const pixels = await overflow(page);
  if (pixels > 0) faults.push(`${where}: ${pixels} px`);
}

function pathOf(address: string): string {
  const { pathname, search } = new URL(address);
  return pathname + search;
}

export function verdict(what: string, faults: readonly string[]): Verdict {
  const detail =
    faults.length === 0 ? "none" : `${faults.length}, as ${faults.slice(0, 3).join("; ")}`;
  return { what, passed: faults.length === 0, detail };
}
