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

/** Lighthouse in Debian's Chromium; every category has to reach 100 on every page. */
export async function judgeByLighthouse(
  origin: string,
  paths: readonly string[],
): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
  for (const path of paths) verdicts.push(...(await judgePage(`${origin}${path}`, path)));
  return verdicts;
}

async function judgePage(url: string, path: string): Promise<Verdict[]> {
  const words = [
    url,
    `--only-categories=${CATEGORIES.join(",")}`,
    `--chrome-flags=${BROWSER_FLAGS.join(" ")}`,
    "--output=json",
    "--quiet",
  ];
  const { stdout, stderr } = await runTool("lighthouse/cli/index.js", words, {
    CHROME_PATH: browser(),
  });
  if (stdout === "") return [{ what: `lighthouse ${path}`, passed: false, detail: stderr }];
  const { runtimeError, categories, audits } = report.parse(JSON.parse(stdout));
  if (runtimeError !== undefined) {
    return [{ what: `lighthouse ${path}`, passed: false, detail: runtimeError.message }];
  }
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
