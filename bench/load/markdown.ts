import type { Row } from "./comparing.ts";
import type { Machine } from "./machine.ts";
import type { WorkersRow } from "./workers.ts";

/** The stored figures of a run on one store. */
export interface Figures {
  machine: Machine;
  items: number;
  start: { readyMilliseconds: number; cpuMilliseconds: number; idleMegabytes: number };
  loadedMegabytes: number;
  rows: Row[];
  workers: WorkersRow[];
}

/** The tables of a run. */
export function tablesOf({ machine, rows, workers, start, loadedMegabytes }: Figures): string {
  const table = markdown(
    ["what", "CPU µs", "bare µs", "ratio", "bar", "p50 ms", "p99 ms", "requests/s"],
    answered(rows).map((row) => [
      row.what,
      row.cpuMicroseconds,
      row.bareMicroseconds,
      row.ratio,
      row.bar ?? "–",
      row.p50Milliseconds,
      row.p99Milliseconds,
      row.perSecond,
    ]),
  );
  const memory = `Ready in ${start.readyMilliseconds} ms (CPU time ${start.cpuMilliseconds} ms), idle at ${start.idleMegabytes} MB, after all of the load ${loadedMegabytes} MB.`;
  const { at, cpu, cpus, node, loadBefore } = machine;
  const where = `${at.slice(0, 10)}, ${cpu}, ${cpus} processors, Node ${node}; load before ${loadBefore[0]}.`;
  return [
    [where, table],
    omission(rows),
    [memory],
    workers.length === 0 ? [] : [workersTable(answered(workers))],
    omission(workers),
  ]
    .flat()
    .join("\n\n");
}

/** A refusal costs less than an answer, so figures that include refusals would look too good. */
function answered<R extends { failures: number }>(rows: readonly R[]): R[] {
  return rows.filter(({ failures }) => failures === 0);
}

function omission(rows: readonly { what: string; failures: number }[]): string[] {
  const failed = rows.filter(({ failures }) => failures > 0).map(({ what }) => what);
  if (failed.length === 0) return [];
  return [`Left out, as answers were missing or refused: ${failed.join(", ")}.`];
}

function workersTable(rows: readonly WorkersRow[]): string {
  return markdown(
    [
      "one process : two workers",
      "CPU µs, one",
      "CPU µs, two",
      "of it for the limits",
      "ratio with a processor each",
      "bar",
      "requests/s beside wrk, one",
      "two",
    ],
    rows.map((row) => [
      row.what,
      ...row.cpuMicroseconds,
      row.firstMicroseconds,
      row.ratio,
      row.bar,
      ...row.perSecond,
    ]),
  );
}

/** How the cost of each kind changes with the store, starting with the smallest. */
export function growthTable(runs: readonly Figures[]): string {
  const stores = [...runs].sort((a, b) => a.items - b.items);
  const [smallest, ...larger] = stores;
  const rows = (smallest?.rows ?? []).flatMap(({ what }) => {
    const cells = stores.map(({ rows: of }) => of.find((row) => row.what === what));
    if (larger.length === 0 || cells.includes(undefined)) return [];
    const costs = cells.map((row) => row?.cpuMicroseconds ?? Number.NaN);
    const growth = Math.max(...costs) / (costs[0] ?? Number.NaN);
    return [
      [
        what,
        ...cells.map((row) => `${row?.cpuMicroseconds} (${row?.ratio})`),
        Math.round(growth * 100) / 100,
      ],
    ];
  });
  const starts = stores.map(
    ({ start }) => `${start.readyMilliseconds} ms, ${start.idleMegabytes} MB`,
  );
  return markdown(
    ["what", ...stores.map(({ items }) => items.toLocaleString("en")), "most : smallest"],
    [...rows, ["ready in, idle at", ...starts, ""]],
  );
}

function markdown(head: readonly string[], rows: readonly (readonly unknown[])[]): string {
  return [head, head.map(() => "---"), ...rows]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n");
}
