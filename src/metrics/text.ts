import type { MetricSample } from "./histogram.ts";

interface Family {
  name: string;
  kind: "counter" | "gauge" | "histogram";
  help: string;
}

/** All metrics, in output order. */
export const METRIC_FAMILIES: readonly Family[] = [
  { name: "commonplace_info", kind: "gauge", help: "The running version" },
  { name: "commonplace_requests_total", kind: "counter", help: "Answers by door and status" },
  { name: "commonplace_request_seconds", kind: "histogram", help: "Time until an answer started" },
  {
    name: "commonplace_rate_refusals_total",
    kind: "counter",
    help: "Requests refused by the rate limit",
  },
  {
    name: "commonplace_repeated_answers_total",
    kind: "counter",
    help: "Answers to repeated page requests from the cache",
  },
  {
    name: "commonplace_cut_off_total",
    kind: "counter",
    help: "Connections ended and requests refused to protect others, by reason",
  },
  { name: "commonplace_mcp_calls_total", kind: "counter", help: "Messages to the MCP service" },
  { name: "commonplace_items_published", kind: "gauge", help: "Published items by type" },
  {
    name: "commonplace_waiting",
    kind: "gauge",
    help: "Pending mails, webhook deliveries and jobs; absent while the record is unavailable",
  },
  {
    name: "commonplace_database_reachable",
    kind: "gauge",
    help: "1 if the last query to PostgreSQL succeeded",
  },
  {
    name: "commonplace_reading_current",
    kind: "gauge",
    help: "1 if the reading copy has every change this instance knows of",
  },
  {
    name: "commonplace_reading_position",
    kind: "gauge",
    help: "Sequence number of the last change in the reading copy",
  },
  {
    name: "commonplace_reading_lag_seconds",
    kind: "gauge",
    help: "Time the reading copy has been behind",
  },
  {
    name: "commonplace_damaged",
    kind: "gauge",
    help: "1 while stored content of the part is known to be damaged",
  },
  {
    name: "commonplace_damage_found_total",
    kind: "counter",
    help: "Damaged places found in stored content",
  },
  {
    name: "commonplace_clock_jumps_total",
    kind: "counter",
    help: "Times the system clock was set by more than 10 seconds",
  },
  {
    name: "commonplace_clock_steady",
    kind: "gauge",
    help: "1 unless scheduled publishing waits for the system clock to be steady",
  },
  {
    name: "commonplace_health",
    kind: "gauge",
    help: "Findings of the last health check: 0 good, 1 a warning, 2 bad",
  },
  {
    name: "commonplace_faults_survived_total",
    kind: "counter",
    help: "Unhandled exceptions",
  },
  {
    name: "commonplace_log_lines_lost_total",
    kind: "counter",
    help: "Log lines that could not be written",
  },
  { name: "process_resident_memory_bytes", kind: "gauge", help: "Memory in use" },
  { name: "process_heap_bytes", kind: "gauge", help: "JavaScript heap in use" },
  { name: "process_cpu_seconds_total", kind: "counter", help: "CPU time used" },
  {
    name: "process_event_loop_delay_seconds",
    kind: "histogram",
    help: "Event-loop delay, which every request waits at least",
  },
];

/** Prometheus text (exposition format 0.0.4). */
export function formatPrometheusText(samples: Iterable<MetricSample>): string {
  const lines = new Map<string, string[]>(METRIC_FAMILIES.map(({ name }) => [name, []]));
  for (const [series, value] of samples) {
    const family = lines.get(familyOf(series));
    if (family === undefined) throw new Error(`${series} is in no family of metrics`);
    family.push(`${series} ${value}`);
  }
  const blocks = METRIC_FAMILIES.map(({ name, kind, help }) => {
    const series = lines.get(name) ?? [];
    return series.length === 0
      ? []
      : [`# HELP ${name} ${help}`, `# TYPE ${name} ${kind}`, ...series];
  });
  return `${blocks.flat().join("\n")}\n`;
}

export function escapeLabelValue(text: string): string {
  return text.replaceAll(/["\\\n]/g, (character) =>
    character === "\n" ? "\\n" : `\\${character}`,
  );
}

function familyOf(series: string): string {
  const name = series.split("{", 1)[0] ?? "";
  const histogram = name.replace(/_(?:bucket|sum|count)$/, "");
  return histogram.endsWith("_seconds") ? histogram : name;
}
