import { join } from "node:path";
import { freePort } from "../../support/free-port.ts";
import { listenForMcp } from "../../support/mcp-listener.ts";
import { openMcpService } from "../../support/mcp-service.ts";
import type { Verdict } from "../verdict.ts";
import { runTool } from "../web/run-tool.ts";
import { CONFORMANCE_OFFERING } from "./conformance-offering.ts";
import { openKeyProxy } from "./key-proxy.ts";

const SUITE = "@modelcontextprotocol/conformance/dist/index.js";
const REVISIONS = ["2025-11-25", "2026-07-28"];

/**
 * Runs the official conformance suite for both eras of the protocol. A baseline lists what may fail, with
 * reasons.
 */
export async function judgeByConformance(): Promise<Verdict[]> {
  await using service = await openMcpService({
    offering: CONFORMANCE_OFFERING,
    allowedHosts: ["localhost", "127.0.0.1"],
  });
  await using listening = await listenForMcp(service.handle);
  await using proxy = await openKeyProxy(listening.url, service.key, await freePort());
  const verdicts: Verdict[] = [];
  for (const revision of REVISIONS) {
    const baseline = join(import.meta.dirname, `baseline.${revision}.yml`);
    const words = ["--requirements", revision, "--expected-failures", baseline];
    const { exitCode, stdout, stderr } = await runTool(SUITE, [
      "server",
      "--url",
      proxy.url,
      ...words,
    ]);
    const passed = exitCode === 0;
    if (!passed) console.log(stdout, stderr);
    verdicts.push({ what: `conformance ${revision}`, passed, detail: figureOf(stdout) });
  }
  return verdicts;
}

/** The number of passed checks, and the scenarios that the baseline excused. */
function figureOf(stdout: string): string {
  const total = /^Total: (.*)$/m.exec(stdout)?.[1] ?? "no total";
  const scenarios = [...stdout.matchAll(/^([✓✗]) [^:]+: \d+ passed/gmu)].map((match) => match[1]);
  const clean = scenarios.filter((mark) => mark === "✓").length;
  return `${clean} of ${scenarios.length} scenarios clean; checks: ${total}`;
}
