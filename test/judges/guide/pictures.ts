import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import sharp from "sharp";
import { setUpFirstAccount } from "../admin/first-account.ts";
import { SCENES } from "../admin/scenes.ts";
import { openTaskSite } from "../admin/task-site.ts";
import type { DemoServer } from "../demo-server.ts";

const GUIDE_SIZE = { width: 900, height: 640 };
const GUIDE_QUALITY = 70;
const SIZES = { desktop: { width: 1280, height: 800 }, phone: { width: 360, height: 740 } };
const SCHEMES = ["light", "dark"] as const;
/** Generous for busy machines. */
const SHOWN_WITHIN_MS = 20_000;

/** Makes the pictures of the guide in a folder, as small WebP files. */
export async function photographGuide(
  browser: Browser,
  server: DemoServer,
  folder: string,
): Promise<void> {
  await mkdir(folder, { recursive: true });
  await throughScenes(browser, server, async (page, name, isInGuide) => {
    if (!isInGuide) return;
    await sharp(await page.screenshot())
      .webp({ quality: GUIDE_QUALITY })
      .toFile(join(folder, `${name}.webp`));
  });
}

/** Photographs every screen of the administrators whole, on phone and desktop, light and dark. */
export async function photographScreens(
  browser: Browser,
  server: DemoServer,
  folder: string,
): Promise<void> {
  await mkdir(folder, { recursive: true });
  await throughScenes(browser, server, async (page, name) => {
    for (const [size, { width, height }] of Object.entries(SIZES)) {
      await page.setViewportSize({ width, height });
      // A window as high as the page, so that what stays at its edges is not in the middle of the picture.
      const pageHeight = await page.evaluate("document.documentElement.scrollHeight");
      await page.setViewportSize({ width, height: Number(pageHeight) });
      for (const colorScheme of SCHEMES) {
        await page.emulateMedia({ colorScheme });
        await page.screenshot({ path: join(folder, `${name}-${size}-${colorScheme}.png`) });
      }
    }
    await page.setViewportSize(GUIDE_SIZE);
    await page.emulateMedia({ colorScheme: "light" });
  });
}

async function throughScenes(
  browser: Browser,
  server: DemoServer,
  photograph: (page: Page, name: string, isInGuide: boolean) => Promise<void>,
): Promise<void> {
  const options = { viewport: GUIDE_SIZE, locale: "en-GB" };
  const context = await browser.newContext(options);
  context.setDefaultTimeout(SHOWN_WITHIN_MS);
  await setUpFirstAccount(context, server);
  const site = await openTaskSite(server);
  const pages = { owner: await context.newPage(), stranger: await browser.newPage(options) };
  for (const { name, as = "owner", isInGuide = false, show } of SCENES) {
    const page = pages[as];
    await show(page, site);
    await page.waitForLoadState("networkidle");
    await photograph(page, name, isInGuide);
  }
  await pages.stranger.close();
  await context.close();
}
