import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import type { Verdict } from "../verdict.ts";
import { runTool } from "./run-tool.ts";

const CATEGORIES = ["agentic-browsing", "accessibility", "seo", "best-practices"];
const PERFORMANCE = "performance";
const PERFORMANCE_MIN = 98;
const BROWSER_FLAGS = [
  "--headless=new",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

const report = z.object({
  runtimeError: z.object({ message: z.string() }).optional(),
  categories: z.record(
    z.string(),
    z.object({
      score: z.number().nullable(),
      auditRefs: z.array(z.object({ id: z.string(), weight: z.number() })),
    }),
  ),
  audits: z.record(z.string(), z.object({ score: z.number().nullable(), title: z.string() })),
});

/** Runs Lighthouse in Debian's Chromium. Every category must reach 100 on every page. */
export async function judgeByLighthouse(
  origin: string,
  paths: readonly string[],
): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
  for (const path of paths) verdicts.push(...(await judgePage(`${origin}${path}`, path)));
  return verdicts;
}

/**
 * Simulates a phone on a slow network. Of the medians of the runs, performance must reach 98 on every page, and
 * every other category 100.
 */
export async function judgeMedians(
  origin: string,
  paths: readonly string[],
  runs: number,
): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
  for (const path of paths) {
    const reports: Report[] = [];
    for (let run = 0; run < runs; run += 1) {
      reports.push(await reportOn(`${origin}${path}`, [PERFORMANCE, ...CATEGORIES]));
    }
    const judged = [PERFORMANCE, ...CATEGORIES].map((name) => medianVerdict(reports, name));
    verdicts.push(...judged.map((each) => ({ ...each, what: `lighthouse ${path} ${each.what}` })));
  }
  return verdicts;
}

function medianVerdict(reports: readonly Report[], category: string): Verdict {
  const sorted = reports.toSorted((a, b) => pointsOf(a, category) - pointsOf(b, category));
  const median = sorted[Math.floor(reports.length / 2)] ?? { fault: "No report" };
  const points = pointsOf(median, category);
  const isOfTime = category === PERFORMANCE;
  const passed = points >= (isOfTime ? PERFORMANCE_MIN : 100);
  const all = reports.map((each) => pointsOf(each, category)).join(", ");
  const lost = passed ? [] : lostIn(median, category);
  const detail = [`${points} of 100; runs ${all}`, ...lost].join("; ");
  return { what: category, passed, ...(isOfTime && { isOfTime }), detail };
}

type Report = z.infer<typeof report> | { fault: string };

async function reportOn(url: string, categories: readonly string[]): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), "commonplace-lighthouse-"));
  // It exits before it has written a large report to its standard output.
  const file = join(folder, "report.json");
  const words = [
    url,
    `--only-categories=${categories.join(",")}`,
    `--chrome-flags=${BROWSER_FLAGS.join(" ")}`,
    // Results of a search are not for search engines.
    ...(new URL(url).pathname === "/search" ? ["--skip-audits=is-crawlable"] : []),
    "--output=json",
    `--output-path=${file}`,
    "--quiet",
  ];
  try {
    const { stderr } = await runTool("lighthouse/cli/index.js", words, { CHROME_PATH: browser() });
    if (!existsSync(file)) return { fault: stderr };
    const read = report.parse(JSON.parse(readFileSync(file, "utf8")));
    return read.runtimeError === undefined ? read : { fault: read.runtimeError.message };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Points of 100; none without a report. */
function pointsOf(read: Report, category: string): number {
  return "fault" in read ? 0 : Math.round((read.categories[category]?.score ?? 0) * 100);
}

/** The audits for which a category has less than all points. */
function lostIn(read: Report, category: string): string[] {
  if ("fault" in read) return [read.fault];
  return (read.categories[category]?.auditRefs ?? [])
    .filter(({ id, weight }) => weight > 0 && (read.audits[id]?.score ?? 1) < 1)
    .map(({ id }) => `${id}: ${read.audits[id]?.title}`);
}

async function judgePage(url: string, path: string): Promise<Verdict[]> {
  const read = await reportOn(url, CATEGORIES);
  return CATEGORIES.map((name) => {
    const points = pointsOf(read, name);
    const detail = [`${points} of 100`, ...lostIn(read, name)].join("; ");
    return { what: `lighthouse ${path} ${name}`, passed: points === 100, detail };
  });
}

function browser(): string {
  const named = process.env["CHROME_PATH"];
  const found = [named, "/usr/bin/chromium", "/usr/bin/google-chrome"].find(
    (file) => file !== undefined && existsSync(file),
  );
  if (found === undefined) {
    throw new Error("No browser: install Debian's chromium or name one in CHROME_PATH");
  }
  return found;
}
