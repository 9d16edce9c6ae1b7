import type { Sample } from "./histogram.ts";

interface Family {
  name: string;
  kind: "counter" | "gauge" | "histogram";
  help: string;
}

/** All metrics, in output order. */
export const FAMILIES: readonly Family[] = [
  { name: "commonplace_info", kind: "gauge", help: "The version that runs" },
  { name: "commonplace_requests_total", kind: "counter", help: "Answers by door and status" },
  { name: "commonplace_request_seconds", kind: "histogram", help: "Until an answer began" },
  { name: "commonplace_rate_refusals_total", kind: "counter", help: "Requests over their rate" },
  {
    name: "commonplace_repeated_answers_total",
    kind: "counter",
    help: "Answers to page requests repeated from memory as they were",
  },
  { name: "commonplace_mcp_calls_total", kind: "counter", help: "Messages to the MCP service" },
  { name: "commonplace_items_published", kind: "gauge", help: "Published items by type" },
  {
    name: "commonplace_waiting",
    kind: "gauge",
    help: "Mails, deliveries to webhooks and jobs that wait; absent while the record is away",
  },
  {
    name: "commonplace_database_reachable",
    kind: "gauge",
    help: "1 when the last look at PostgreSQL succeeded",
  },
  {
    name: "commonplace_reading_current",
    kind: "gauge",
    help: "1 when the reading copy has every change this instance knows of",
  },
  {
    name: "commonplace_reading_position",
    kind: "gauge",
    help: "The change up to which the reading copy has come",
  },
  {
    name: "commonplace_reading_lag_seconds",
    kind: "gauge",
    help: "For how long the reading copy has been behind",
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
    name: "commonplace_faults_survived_total",
    kind: "counter",
    help: "Exceptions that no request or task handled",
  },
  {
    name: "commonplace_log_lines_lost_total",
    kind: "counter",
    help: "Log lines that could not be written",
  },
  { name: "process_resident_memory_bytes", kind: "gauge", help: "Memory in use" },
  { name: "process_heap_bytes", kind: "gauge", help: "Memory in use by JavaScript" },
  { name: "process_cpu_seconds_total", kind: "counter", help: "Processor time taken" },
  {
    name: "process_event_loop_delay_seconds",
    kind: "histogram",
    help: "How late timers are: what every request waits at least",
  },
];

/** Prometheus text (exposition format 0.0.4). */
export function metricsText(samples: Iterable<Sample>): string {
  const lines = new Map<string, string[]>(FAMILIES.map(({ name }) => [name, []]));
  for (const [series, value] of samples) {
    const family = lines.get(familyOf(series));
    if (family === undefined) throw new Error(`${series} is in no family of metrics`);
    family.push(`${series} ${value}`);
  }
  const blocks = FAMILIES.map(({ name, kind, help }) => {
    const told = lines.get(name) ?? [];
    return told.length === 0 ? [] : [`# HELP ${name} ${help}`, `# TYPE ${name} ${kind}`, ...told];
  });
  return `${blocks.flat().join("\n")}\n`;
}

/** Escapes a label value. */
export function labelValue(text: string): string {
  return text.replaceAll(/["\\\n]/g, (sign) => (sign === "\n" ? "\\n" : `\\${sign}`));
}

function familyOf(series: string): string {
  const name = series.split("{", 1)[0] ?? "";
  const histogram = name.replace(/_(?:bucket|sum|count)$/, "");
  return histogram.endsWith("_seconds") ? histogram : name;
}
