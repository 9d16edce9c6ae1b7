import { writeFileSync } from "node:fs";
import { isMainThread } from "node:worker_threads";

/**
 * Preloaded into a server. On SIGUSR2, writes the durations of the event loop's turns since the last signal
 * to the file TURNS_FILE. They are in CPU time of the serving thread, which does not depend on other load.
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
