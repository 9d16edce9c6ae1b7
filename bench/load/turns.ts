import { writeFileSync } from "node:fs";
import { isMainThread } from "node:worker_threads";

/**
 * Preloaded into a server: on SIGUSR2 writes how long the turns of its event loop took since the last
 * time, to the file named by TURNS_FILE. Counted in CPU time of the serving thread, which does not depend
 * on what else the machine does.
 */
export interface Turns {
  p99Milliseconds: number;
  mostMilliseconds: number;
}

const file = process.env["TURNS_FILE"];
if (file !== undefined && isMainThread && process.argv.includes("serve")) measureTurns(file);

function measureTurns(file: string): void {
  let turns: number[] = [];
  let before = cpuMilliseconds();
  setInterval(() => {
    const now = cpuMilliseconds();
    turns.push(now - before);
    before = now;
  }, 1).unref();
  process.on("SIGUSR2", () => {
    const sorted = turns.sort((a, b) => a - b);
    const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
    const figures: Turns = { p99Milliseconds: at(0.99), mostMilliseconds: at(1) };
    writeFileSync(file, JSON.stringify(figures));
    turns = [];
  });
}

function cpuMilliseconds(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
