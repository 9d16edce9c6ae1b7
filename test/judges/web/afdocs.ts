import { z } from "zod";
import type { Verdict } from "../verdict.ts";
import { runTool } from "./run-tool.ts";

const report = z.object({
  results: z.array(z.object({ id: z.string(), status: z.string(), message: z.string() })),
  scoring: z.object({ overall: z.number() }),
});

/** Checks the Agent-Friendly Documentation Spec on a sample of 50 pages. */
export async function judgeByAfdocs(origin: string): Promise<Verdict[]> {
  const sample = ["--sampling", "deterministic", "--max-links", "50", "--request-delay", "5"];
  const words = ["check", origin, "--format", "json", "--score", "-q", ...sample];
  const { stdout, stderr } = await runTool("afdocs/bin/afdocs.mjs", words);
  if (stdout === "") return [{ what: "afdocs", passed: false, detail: stderr }];
  const { results, scoring } = report.parse(JSON.parse(stdout));
  const findings = results.filter(({ status }) => status !== "pass" && status !== "skip");
  return [
    { what: "afdocs", passed: scoring.overall === 100, detail: `${scoring.overall} of 100` },
    ...findings.map(({ id, status, message }) => ({
      what: `afdocs ${id}`,
      passed: status !== "fail",
      detail: `${status}: ${message}`,
    })),
  ];
}
