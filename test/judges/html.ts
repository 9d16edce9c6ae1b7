import { mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import type { BrowserContext } from "playwright-core";
import { openSiteLine } from "../support/command-line.ts";
import { serve } from "../support/served.ts";
import { launch } from "./admin/browser.ts";
import { type Comparison, compare, STRUCTURE, shareOf, sumOf } from "./html/compare.ts";
import { evenly, gatherPages } from "./html/gather-pages.ts";
import { contentOf } from "./html/page-content.ts";
import { PAGE_SOURCES, type PageSource } from "./html/sources.ts";
import { announce, type Verdict } from "./verdict.ts";

/**
 * Imports pages of HTML as many programs make them, from documentation packages of Debian and npm, and compares
 * what the site shows of them with what is their content: `npm run judge:html -- [--only PACKAGE …] [--pages N]
 * [--words]`. Needs apt-get, dpkg-deb, npm, tar and Chromium. Packages are kept in the folder for temporary files.
 */
const { values } = parseArgs({
  options: {
    only: { type: "string", multiple: true, default: [] },
    pages: { type: "string", default: "2" },
    words: { type: "boolean", default: false },
  },
});

/** A page with what the import said of its buttons and fields. */
interface JudgedPage extends Comparison {
  isReported: boolean;
}

const WORDS_MIN = 0.999;
const PAGES_MIN = 0.95;
const CHROME_MAX = 0.005;
/** Of a page of the service, without the marks of footnotes, which it makes itself. */
const SHOWN = {
  content: "main > h1, main > .text",
  chrome: ".footnote-ref, .footnote-backref",
};

const cache = join(tmpdir(), "commonplace-html-pages");
mkdirSync(cache, { recursive: true });
const sources = PAGE_SOURCES.filter(
  ({ package: name }) => values.only.length === 0 || values.only.includes(name),
);
const browser = await launch("chromium-headless-shell");
try {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const pages: JudgedPage[] = [];
  for (const source of sources) pages.push(...(await judgeSource(source, context)));
  process.exitCode = announce(verdictsOn(pages));
} finally {
  await browser.close();
}

/** Imports a folder of pages into a site of its own, and compares some of them. */
async function judgeSource(source: PageSource, context: BrowserContext): Promise<JudgedPage[]> {
  using line = await openSiteLine();
  const folder = join(line.folder, "given");
  const names = gatherPages(source, { cache, to: folder });
  const { code, err } = await line.run("import", folder, "--publish");
  if (code !== 0) throw new Error(`${source.package} is not imported: ${err.slice(0, 1000)}`);
  await using server = await serve(line);
  const page = await context.newPage();
  const compared: JudgedPage[] = [];
  for (const name of evenly(names, Number(values.pages))) {
    await page.goto(String(pathToFileURL(join(folder, name))));
    const expected = await contentOf(page, source);
    await page.goto(`${server.origin}/${encodeURIComponent(name)}`);
    const shown = await contentOf(page, SHOWN);
    const comparison = compare(expected, shown);
    const isReported = err
      .split("\n")
      .some((line) => line.includes(`/${name}:`) && line.includes("buttons and fields outside of"));
    compared.push({ ...comparison, isReported });
    print(`${source.generator}: ${name}`, comparison);
  }
  await page.close();
  return compared;
}

function print(name: string, page: Comparison): void {
  const percent = (value: number) => (100 * value).toFixed(2);
  const structure = STRUCTURE.map((kind) => {
    const { found, expected } = page.structure[kind];
    return `${kind} ${found}/${expected}${found < expected ? "!" : ""}`;
  });
  const words = `words ${percent(shareOf(page.words))} % of ${page.words.expected}`;
  const isShort = shareOf(page.words) < WORDS_MIN;
  const chrome = `chrome ${percent(shareOf(page.chrome))} %`;
  console.log(
    `${name.padEnd(60)} ${words}${isShort ? "!" : ""}, ${chrome}, ${structure.join(", ")}`,
  );
  if (!values.words) return;
  for (const [kind, texts] of Object.entries({ ...page.lost, extra: page.extra })) {
    if (texts.length > 0) console.log(`  ${kind}: ${texts.join(" | ").slice(0, 300)}`);
  }
}

function verdictsOn(pages: readonly JudgedPage[]): Verdict[] {
  const percent = (value: number) => `${(100 * value).toFixed(2)} %`;
  const whole = pages.filter(({ words }) => shareOf(words) >= WORDS_MIN).length;
  const chrome = sumOf(pages.map((page) => page.chrome));
  const silent = pages.filter((page) => page.looseFields.length > 0 && !page.isReported);
  const handlers = pages.reduce((sum, page) => sum + page.handlers, 0);
  return [
    {
      what: `pages with ${WORDS_MIN} of their words`,
      passed: pages.length >= 60 && whole >= PAGES_MIN * pages.length,
      detail: `${whole} of ${pages.length}`,
    },
    ...STRUCTURE.map((kind) => {
      const share = sumOf(pages.map(({ structure }) => structure[kind]));
      return {
        what: kind,
        passed: share.found === share.expected && share.expected > 0,
        detail: `${share.found} of ${share.expected}`,
      };
    }),
    {
      what: "words of what is around the text",
      passed: shareOf(chrome) <= CHROME_MAX,
      detail: `${percent(shareOf(chrome))} of ${chrome.expected}`,
    },
    {
      what: "pages with buttons and fields that are left out without a word",
      passed: silent.length === 0,
      detail: String(silent.length),
    },
    { what: "handlers", passed: handlers === 0, detail: String(handlers) },
  ];
}
