import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { LOOKS } from "../../src/content/site/look/look.ts";
import { launch } from "./admin/browser.ts";
import { type DemoServer, startDemoServer } from "./demo-server.ts";
import { photographGuide, photographScreens } from "./guide/pictures.ts";
import { setLook } from "./reader/layout.ts";
import { pagesOfEachKind } from "./reader/pages.ts";

/**
 * Photographs every kind of page in every look, on phone and desktop, light, dark and printed: `npm run
 * screenshots -- FOLDER`. `npm run screenshots -- --docs` updates the pictures of docs/looks.md and the
 * README, `npm run screenshots -- --guide` those of docs/guide. `npm run screenshots -- --admin FOLDER`
 * photographs every screen of the administrators.
 */
const GUIDE = "docs/guide/pictures";
const DOCS = "docs/looks";
const README: Shot = {
  path: "/quotations/the-unripe-grape-the-ripe-bunch-the-dried-grape-all-are",
  size: "readme",
  scheme: "light",
  file: "../picture.png",
};
const SIZES = {
  desktop: { width: 1200, height: 850 },
  readme: { width: 1000, height: 900 },
  phone: { width: 390, height: 780 },
} as const;
const SCHEMES = ["light", "dark"] as const;

interface Shot {
  path: string;
  size: keyof typeof SIZES;
  scheme: (typeof SCHEMES)[number];
  media?: "print";
  file: string;
}

const [word = "/tmp/screenshots", folder = "/tmp/screenshots"] = process.argv.slice(2);
const server = await startDemoServer();
const browser = await launch();
try {
  if (word === "--guide") await photographGuide(browser, server, GUIDE);
  else if (word === "--admin") await photographScreens(browser, server, folder);
  else await photographLooks();
} finally {
  await browser.close();
  await server.stop();
}

async function photographLooks(): Promise<void> {
  const paths = await pagesOfEachKind(server);
  const folder = word === "--docs" ? DOCS : word;
  await mkdir(folder, { recursive: true });
  for (const look of LOOKS) {
    await setLook(server, look);
    const shots = word === "--docs" ? docsShots(look) : allShots(paths, look);
    for (const shot of shots)
      await photograph(browser, server, { ...shot, file: join(folder, shot.file) });
  }
}

function docsShots(look: string): Shot[] {
  return [
    { path: "/topics/time", size: "desktop", scheme: "light", file: `${look}-topic.jpg` },
    { path: "/quotations/clock", size: "phone", scheme: "dark", file: `${look}-quotation.jpg` },
    ...(look === "classic" ? [README] : []),
  ];
}

function allShots(paths: readonly string[], look: string): Shot[] {
  return paths.flatMap((path) => {
    const name = `${look}${path === "/" ? "-home" : path.replaceAll(/\W+/g, "-")}`;
    const onScreen = (["desktop", "phone"] as const).flatMap((size) =>
      SCHEMES.map((scheme) => ({ path, size, scheme, file: `${name}-${size}-${scheme}.jpg` })),
    );
    const printed = { path, size: "desktop", scheme: "light", media: "print" } as const;
    return [...onScreen, { ...printed, file: `${name}-print.jpg` }];
  });
}

async function photograph(
  browser: Browser,
  { origin }: DemoServer,
  { path, size, scheme, media, file }: Shot,
): Promise<void> {
  const page = await browser.newPage({ viewport: SIZES[size], colorScheme: scheme });
  await page.emulateMedia({ media: media ?? "screen" });
  await page.goto(origin + path, { waitUntil: "networkidle" });
  await page.screenshot({ path: file, ...(file.endsWith(".jpg") && { quality: 72 }) });
  await page.close();
}
