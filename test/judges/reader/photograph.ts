import { writeFile } from "node:fs/promises";
import type { Browser } from "playwright-core";
import sharp from "sharp";
import type { DemoServer } from "../demo-server.ts";

const SIZES = {
  desktop: { width: 1200, height: 850 },
  readme: { width: 1000, height: 900 },
  paper: { width: 760, height: 1000 },
  phone: { width: 390, height: 780 },
} as const;
/** Of a picture in docs/looks.md. */
const PICTURE_BYTES_MAX = 30_000;
/** A page of documents shows two pictures next to each other. */
const PICTURE_PIXELS_MAX = 800;
/** Only paper has them. */
const PAPER_MARGINS = "document.documentElement.style.padding = '4rem'";
export const SCHEMES = ["light", "dark"] as const;

/** A picture to take: a page, how it is seen, and the file that the picture is written to. */
export interface Shot {
  path: string;
  size: keyof typeof SIZES;
  scheme: (typeof SCHEMES)[number];
  media?: "print";
  file: string;
}

/** Photographs a page as it looks when nothing more loads. */
export async function photograph(
  browser: Browser,
  { origin }: DemoServer,
  { path, size, scheme, media, file }: Shot,
): Promise<void> {
  const page = await browser.newPage({ viewport: SIZES[size], colorScheme: scheme });
  await page.emulateMedia({ media: media ?? "screen" });
  await page.goto(origin + path, { waitUntil: "networkidle" });
  if (media === "print") await page.evaluate(PAPER_MARGINS);
  await writePicture(await page.screenshot(), file);
  await page.close();
}

/** Writes a picture; a WebP, which is for a page of documents, is made as good as fits its limit, but never worse than can be read. */
async function writePicture(picture: Buffer, file: string): Promise<void> {
  if (file.endsWith(".png")) return await writeFile(file, picture);
  for (const quality of [80, 70, 60, 50, 40]) {
    const { size } = await sharp(picture)
      .resize({ width: PICTURE_PIXELS_MAX, withoutEnlargement: true })
      .webp({ quality, effort: 6 })
      .toFile(file);
    if (size <= PICTURE_BYTES_MAX) return;
  }
}
