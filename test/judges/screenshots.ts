import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { LOOKS } from "../../src/content/site/look/look.ts";
import { launch } from "./admin/browser.ts";
import { startDemoServer } from "./demo-server.ts";
import { photographGuide, photographScreens } from "./guide/pictures.ts";
import { addArabic, docsShots, PRINTED, RIGHT_TO_LEFT } from "./reader/docs-pictures.ts";
import { setLook } from "./reader/layout.ts";
import { pagesOfEachKind } from "./reader/pages.ts";
import { photograph, SCHEMES, type Shot } from "./reader/photograph.ts";

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

const [word = "/tmp/screenshots", folder = "/tmp/screenshots"] = process.argv.slice(2);
const server = await startDemoServer();
const browser = await launch();
try {
  if (word === "--guide") await photographGuide(browser, server, GUIDE);
  else if (word === "--admin") await photographScreens(browser, server, folder);
  else if (word === "--docs") await photographForDocs();
  else await photographLooks(word);
} finally {
  await browser.close();
  await server.stop();
}

async function photographLooks(folder: string): Promise<void> {
  const paths = await pagesOfEachKind(server);
  for (const look of LOOKS) {
    await setLook(server, look);
    await photographAll(folder, allShots(paths, look));
  }
}

async function photographForDocs(): Promise<void> {
  for (const look of LOOKS) {
    await setLook(server, look);
    await photographAll(DOCS, docsShots(look));
    if (look === "classic") await photographAll(DOCS, [README, PRINTED]);
  }
  await addArabic(server);
  await setLook(server, "broadsheet");
  await photographAll(DOCS, [RIGHT_TO_LEFT]);
}

async function photographAll(folder: string, shots: readonly Shot[]): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const shot of shots)
    await photograph(browser, server, { ...shot, file: join(folder, shot.file) });
}

function allShots(paths: readonly string[], look: string): Shot[] {
  return paths.flatMap((path) => {
    const name = `${look}${path === "/" ? "-home" : path.replaceAll(/\W+/g, "-")}`;
    const onScreen = (["desktop", "phone"] as const).flatMap((size) =>
      SCHEMES.map((scheme) => ({ path, size, scheme, file: `${name}-${size}-${scheme}.png` })),
    );
    const printed = { path, size: "desktop", scheme: "light", media: "print" } as const;
    return [...onScreen, { ...printed, file: `${name}-print.png` }];
  });
}
