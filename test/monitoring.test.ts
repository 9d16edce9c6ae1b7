import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it } from "node:test";
import { parse } from "yaml";
import { z } from "zod";
import { METRIC_FAMILIES } from "../src/metrics/text.ts";

const RULES = z
  .object({
    groups: z.array(
      z.object({ rules: z.array(z.object({ alert: z.string(), expr: z.string() }).loose()) }),
    ),
  })
  .parse(parse(readFileSync("deploy/alerts.yaml", "utf8")))
  .groups.flatMap(({ rules }) => rules);

const DASHBOARD = z
  .object({
    panels: z.array(
      z.looseObject({ title: z.string(), targets: z.array(z.looseObject({ expr: z.string() })) }),
    ),
  })
  .parse(JSON.parse(readFileSync("deploy/grafana.json", "utf8")))
  .panels.flatMap(({ title, targets }) => targets.map(({ expr }) => ({ title, expr })));

/** As Prometheus names the series of each family. */
const SERIES = new Set(
  METRIC_FAMILIES.flatMap(({ name, kind }) =>
    kind === "histogram" ? ["bucket", "sum", "count"].map((end) => `${name}_${end}`) : [name],
  ),
);

function metricsIn(expression: string): string[] {
  const withoutLabels = expression.replaceAll(/\{[^}]*\}/g, "");
  return withoutLabels.match(/\b(?:commonplace|process)_\w+/g) ?? [];
}

it("alerts and dashboard name metrics that the program has, and each expression one", () => {
  const named = [...RULES.map(({ alert, expr }) => ({ title: alert, expr })), ...DASHBOARD];
  assert(named.length > 20);
  for (const { title, expr } of named) {
    assert(metricsIn(expr).length > 0 || expr.includes("up{"), `${title} names no metric: ${expr}`);
    for (const metric of metricsIn(expr)) assert(SERIES.has(metric), `${title}: ${metric}`);
  }
});

it("the dashboard shows every metric", () => {
  const shown = new Set(DASHBOARD.flatMap(({ expr }) => metricsIn(expr)));
  const without = METRIC_FAMILIES.map(({ name }) => name).filter(
    (name) => ![...shown].some((series) => series.replace(/_bucket$/, "") === name),
  );
  // The position says something only beside that of another instance, and current is what the lag says.
  assert.deepEqual(without, [
    "commonplace_reading_current",
    "commonplace_reading_position",
    "commonplace_damage_found_total",
    "commonplace_clock_jumps_total",
  ]);
});

it("Prometheus takes the alerts and what the dashboard asks", (context) => {
  if (spawnSync("promtool", ["--version"]).error !== undefined) {
    return context.skip("promtool is not here");
  }
  const record = DASHBOARD.map(({ expr }) => ({
    record: "asked",
    expr: expr.replaceAll("$__rate_interval", "1m").replaceAll("$instance", ".+"),
  }));
  const asked = JSON.stringify({ groups: [{ name: "dashboard", rules: record }] });
  const folder = mkdtempSync(join(tmpdir(), "commonplace-rules-"));
  try {
    const file = join(folder, "dashboard.json");
    writeFileSync(file, asked);
    const words = ["check", "rules", "--lint=none", "deploy/alerts.yaml", file];
    const { status, stdout, stderr } = spawnSync("promtool", words, { encoding: "utf8" });
    assert.equal(status, 0, stdout + stderr);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
