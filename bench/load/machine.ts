import { cpus, loadavg, release, totalmem } from "node:os";

export interface Machine {
  at: string;
  cpu: string;
  cpus: number;
  memoryGigabytes: number;
  system: string;
  node: string;
  /** Load averages of the last minute, five and fifteen minutes. */
  loadBefore: number[];
}

/** The machine on which figures were measured; they mean little without it. */
export function describeMachine(): Machine {
  const [cpu] = cpus();
  return {
    at: new Date().toISOString(),
    cpu: cpu?.model ?? "unknown",
    cpus: cpus().length,
    memoryGigabytes: Math.round(totalmem() / 1024 ** 3),
    system: `${process.platform} ${release()}`,
    node: process.version,
    loadBefore: loadavg().map((load) => Math.round(load * 10) / 10),
  };
}
