import { existsSync } from "node:fs";
import { z } from "zod";
import type { Verdict } from "../verdict.ts";
import { runTool } from "./run-tool.ts";

const CATEGORIES = ["agentic-browsing", "accessibility", "seo", "best-practices"];
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

/** Simulates a phone on a slow network. The median of the runs must reach 98 on every page. */
export async function judgePerformance(
  origin: string,
  paths: readonly string[],
  runs: number,
): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
  for (const path of paths) {
    const points: number[] = [];
    for (let run = 0; run < runs; run += 1) {
      const read = await reportOn(`${origin}${path}`, ["performance"]);
      const score = "fault" in read ? null : read.categories["performance"]?.score;
      points.push(Math.round((score ?? 0) * 100));
    }
    const median = points.toSorted((a, b) => a - b)[Math.floor(runs / 2)] ?? 0;
    const detail = `${median} of 100; runs ${points.join(", ")}`;
    verdicts.push({ what: `lighthouse ${path} performance`, passed: median >= 98, detail });
  }
  return verdicts;
}

async function reportOn(
  url: string,
  categories: readonly string[],
): Promise<z.infer<typeof report> | { fault: string }> {
  const words = [
    url,
    `--only-categories=${categories.join(",")}`,
    `--chrome-flags=${BROWSER_FLAGS.join(" ")}`,
    "--output=json",
    "--quiet",
  ];
  const { stdout, stderr } = await runTool("lighthouse/cli/index.js", words, {
    CHROME_PATH: browser(),
  });
  if (stdout === "") return { fault: stderr };
  const read = report.parse(JSON.parse(stdout));
  return read.runtimeError === undefined ? read : { fault: read.runtimeError.message };
}

async function judgePage(url: string, path: string): Promise<Verdict[]> {
  const read = await reportOn(url, CATEGORIES);
  if ("fault" in read) {
    return [{ what: `lighthouse ${path}`, passed: false, detail: read.fault }];
  }
  const { categories, audits } = read;
  return CATEGORIES.map((name) => {
    const category = categories[name];
    const lost = (category?.auditRefs ?? [])
      .filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 1)
      .map(({ id }) => `${id}: ${audits[id]?.title}`);
    const points = Math.round((category?.score ?? 0) * 100);
    const detail = [`${points} of 100`, ...lost].join("; ");
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
