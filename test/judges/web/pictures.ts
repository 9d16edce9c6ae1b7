import { AppError } from "../../../src/errors.ts";
import { sanitizeSvg } from "../../../src/storage/media/svg-cleaning.ts";
import { COSTLY_SVG } from "../../support/costly/svg.ts";
import type { Verdict } from "../verdict.ts";
import { PaintingBrowser } from "./painting.ts";

const SIZES = [500, 2000, 8000, 32_000, 128_000, 512_000, 1_000_000];
const PAINT_MILLISECONDS_MAX = 1000;
/** The fastest attempt counts, because a busy machine slows down any of them. */
const ATTEMPTS = 3;

/** Chromium must paint every costly SVG that the cleaner accepts within a second. */
export async function judgePictures(): Promise<Verdict[]> {
  await using browser = await PaintingBrowser.start();
  const verdicts: Verdict[] = [];
  for (const [name, text] of Object.entries(COSTLY_SVG)) {
    const accepted = SIZES.flatMap((size) => acceptedSvg(text(size)) ?? []);
    let slowest = 0;
    for (const svg of accepted) slowest = Math.max(slowest, await fastestOf(browser, svg));
    verdicts.push({
      what: `an SVG of ${name} is painted`,
      ...(Number.isFinite(slowest) ? { isOfTime: true } : {}),
      passed: slowest < PAINT_MILLISECONDS_MAX,
      detail: `${accepted.length} of ${SIZES.length} accepted, ${Math.round(slowest)} ms at most`,
    });
  }
  return verdicts;
}

function acceptedSvg(text: string): string | null {
  try {
    return sanitizeSvg(text)?.svg ?? null;
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

async function fastestOf(browser: PaintingBrowser, svg: string): Promise<number> {
  let fastest = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < ATTEMPTS && fastest >= PAINT_MILLISECONDS_MAX; attempt += 1) {
    const milliseconds = await browser.paint(svg);
    if (milliseconds !== null) fastest = Math.min(fastest, milliseconds);
  }
  return fastest;
}
