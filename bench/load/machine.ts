import { cpus, loadavg, release, totalmem } from "node:os";

/** Where figures were measured: they mean little without it. */
export function describeMachine(): object {
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
