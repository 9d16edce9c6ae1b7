import { spawnSync } from "node:child_process";

/** Why a judge that runs as root with these programs cannot run on this machine; null: it can. */
export function whatIsMissing(programs: readonly string[]): string | null {
  const absent = programs.filter((name) => spawnSync(name, ["--version"]).error !== undefined);
  const faults = [
    ...(process.getuid?.() === 0 ? [] : ["it runs as root only"]),
    ...(absent.length === 0 ? [] : [`there is no ${absent.join(", no ")}`]),
  ];
  return faults.length === 0 ? null : faults.join("; ");
}
