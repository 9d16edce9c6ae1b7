import type { Browser, Request } from "playwright-core";
import type { Verdict } from "../verdict.ts";
import { verdict } from "./layout.ts";

export const BYTES_MAX = 30_000;
export const HTML_BYTES_MAX = 60_000;
export const REQUESTS_MAX = 4;
/** Pictures and fonts have separate limits. */
const NOT_COUNTED: ReadonlySet<string> = new Set(["image", "font"]);

interface Weights {
  verdicts: Verdict[];
  /** Bytes of each page without pictures and fonts, by address. */
  bytes: Map<string, number>;
}

/** Measures what a first visit to each page transfers, each with an empty cache. */
export async function judgeWeight(
  browser: Browser,
  addresses: readonly string[],
): Promise<Weights> {
  const heavy: string[] = [];
  const scripts: string[] = [];
  const bytes = new Map<string, number>();
  for (const address of addresses) {
    const context = await browser.newContext();
    const page = await context.newPage();
    const requests: Request[] = [];
    page.on("requestfinished", (request) => {
      if (!NOT_COUNTED.has(request.resourceType())) requests.push(request);
    });
    const answer = await page.goto(address, { waitUntil: "networkidle" });
    const html = (await answer?.body())?.length ?? 0;
    const sizes = await Promise.all(requests.map((request) => request.sizes()));
    const sum = sizes.reduce((all, { responseBodySize }) => all + responseBodySize, 0);
    bytes.set(address, sum);
    if (sum > BYTES_MAX || html > HTML_BYTES_MAX || requests.length > REQUESTS_MAX) {
      heavy.push(`${address}: ${requests.length} requests, ${sum} bytes, HTML of ${html}`);
    }
    const run = await page.locator('script:not([type="application/ld+json"])').count();
    if (run > 0) scripts.push(address);
    await context.close();
  }
  const most = Math.max(...bytes.values());
  const bars = `${REQUESTS_MAX} requests, ${BYTES_MAX} bytes, HTML of ${HTML_BYTES_MAX}`;
  return {
    verdicts: [
      verdict(`pages beyond ${bars} (most: ${most} bytes)`, heavy),
      verdict("pages with scripts", scripts),
    ],
    bytes,
  };
}
