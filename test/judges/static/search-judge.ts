import type { Browser, Page } from "playwright-core";
import { mainEdition } from "../../../src/content/site/editions.ts";
import { stopWordsOf } from "../../../src/search/language/stop-words.ts";
import { wordsOf } from "../../../src/search/language/words.ts";
import { openReadingCopy } from "../../../src/storage/reading/open.ts";
import { axeFaults, overflow, watchContext } from "../admin/browser.ts";
import type { Verdict } from "../verdict.ts";

const QUOTATIONS_TRIED = 10;
/** Of tens of thousands of quotations, dozens have the same two words. */
const PAGES_TURNED_MAX = 4;
const BYTES_MAX = 200_000;

interface Sought {
  path: string;
  /** Words of the text without stop words, the longest first. */
  words: readonly string[];
}

/** Searches in a copy with a search page, by two words of quotations, as a visitor with a phone does. */
export async function judgeSearch(
  origin: string,
  { browser, store }: { browser: Browser; store: string },
): Promise<Verdict[]> {
  const missing: string[] = [];
  const faults: string[] = [];
  let bytesMost = 0;
  const quotations = quotationsIn(store);
  const searches = quotations.map(({ path, words }) => ({ path, text: firstTwo(words) }));
  for (const { path, text } of [...searches, { path: null, text: commonWords(quotations) }]) {
    const search = await searchFor(text, { origin, browser });
    if (path !== null && !search.links.includes(path)) missing.push(`${text}: ${search.status}`);
    faults.push(...search.faults);
    bytesMost = Math.max(bytesMost, search.bytes);
  }
  const policies = await Promise.all(
    ["/search", "/", "/topics", "/search.md"].map(async (path) => {
      const policy = (await fetch(origin + path)).headers.get("content-security-policy") ?? "";
      return `${path} ${policy.includes("script-src 'self'")}`;
    }),
  );
  return [
    {
      what: "the search page finds quotations by two of their words",
      passed: quotations.length > 0 && missing.length === 0,
      detail: `${quotations.length - missing.length} of ${quotations.length} ${missing.join("; ")}`,
    },
    {
      what: "a search of two words loads 200 kB at the most",
      passed: bytesMost > 0 && bytesMost <= BYTES_MAX,
      detail: `${bytesMost} bytes of the index`,
    },
    {
      what: "the search page breaks no rule, of its policy, axe or 360 pixels",
      passed: faults.length === 0,
      detail: [...new Set(faults)].slice(0, 4).join("; "),
    },
    {
      what: "only search pages may run scripts",
      passed: policies.join() === "/search true,/ false,/topics false,/search.md false",
      detail: policies.join(", "),
    },
  ];
}

function firstTwo(words: readonly string[]): string {
  return words.slice(0, 2).join(" ");
}

/** Two common words, so that a search finds many items. */
function commonWords(quotations: readonly Sought[]): string {
  const uses = Object.entries(
    Object.groupBy(
      quotations.flatMap(({ words }) => words),
      (word) => word,
    ),
  );
  return firstTwo(uses.sort(([, a = []], [, b = []]) => b.length - a.length).map(([word]) => word));
}

/** Quotations from all over the store. */
function quotationsIn(store: string): Sought[] {
  using reading = openReadingCopy({ file: store });
  const { languageFilter, language } = mainEdition(reading);
  const stopWords = stopWordsOf(language);
  const total = reading.counts()["quotation"] ?? 0;
  return Array.from({ length: QUOTATIONS_TRIED }, (_, number) => {
    const query = {
      types: ["quotation"],
      filters: [],
      links: [],
      sort: "added",
      ...languageFilter,
    };
    const offset = Math.floor((number * total) / QUOTATIONS_TRIED);
    return reading.items({ ...query, descending: false, limit: 1, offset });
  }).flatMap(([item]) => {
    if (item === undefined) return [];
    const words = new Set(wordsOf(item.text.toLowerCase()).map(({ text }) => text));
    const telling = [...words].filter((word) => !stopWords.has(word));
    return [{ path: item.path, words: telling.sort((a, b) => b.length - a.length) }];
  });
}

async function searchFor(words: string, { origin, browser }: { origin: string; browser: Browser }) {
  const viewport = { width: 360, height: 800 };
  // Without transitions between pages, which a slow browser reports as faults.
  const options = { viewport, reducedMotion: "reduce" } as const;
  const { context, breaches } = await watchContext(browser, options);
  const page = await context.newPage();
  const sizes: Promise<number>[] = [];
  page.on("requestfinished", (request) => {
    if (!new URL(request.url()).pathname.startsWith("/search/")) return;
    sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize));
  });
  await page.goto(`${origin}/search`);
  await page.getByRole("searchbox").fill(words);
  await page.getByRole("searchbox").press("Enter");
  const status = page.getByRole("status");
  await status.filter({ hasText: words }).waitFor();
  const firstStatus = (await status.textContent()) ?? "";
  const links = await linksIn(page);
  const faults = [...breaches, ...(await axeFaults(page))];
  const wider = await overflow(page);
  const result = {
    status: firstStatus,
    faults: wider > 0 ? [...faults, `${wider} pixels too wide`] : faults,
    bytes: (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0),
  };
  const next = page.locator('#found .paging a[rel="next"]');
  for (let turned = 0; (await next.count()) > 0 && turned < PAGES_TURNED_MAX; turned += 1) {
    await next.click();
    await page.waitForURL((url) => url.searchParams.get("page") === String(turned + 2));
    await status.filter({ hasText: words }).waitFor();
    links.push(...(await linksIn(page)));
  }
  await context.close();
  return { ...result, links };
}

async function linksIn(page: Page): Promise<string[]> {
  return await page
    .locator("#found .entries a")
    .evaluateAll((found) => found.map((link) => decodeURI(link.getAttribute("href") ?? "")));
}
