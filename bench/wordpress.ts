import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { writeLargeExport } from "../test/support/large-wordpress.ts";

/**
 * Measures what importing a WordPress site on the command line costs in time and memory: `npm run
 * bench:wordpress -- [POSTS]`, by default 20,000 posts with 10,000 files in two exports.
 */
const POSTS = Number(process.argv[2] ?? 20_000);
const MAIN = join(import.meta.dirname, "../bin/commonplace.cjs");
const WATCH_MILLISECONDS = 200;

const folder = mkdtempSync(join(tmpdir(), "commonplace-wordpress-"));
try {
  const files = ["one.xml", "two.xml"].map((name) => join(folder, name));
  await writeLargeExport(files, POSTS);
  console.table({
    "dry run": await imported(files, ["--dry-run"]),
    run: await imported(files, []),
    repeat: await imported(files, []),
  });
} finally {
  rmSync(folder, { recursive: true });
}

async function imported(files: readonly string[], flags: readonly string[]) {
  const begun = performance.now();
  const child = spawn(process.execPath, [MAIN, "import", ...files, "--json", ...flags], {
    env: { ...process.env, DATA_DIR: join(folder, "data"), DEMO: "0", LOG_LEVEL: "error" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let peak = 0;
  const watch = setInterval(() => {
    peak = peakMegabytes(Number(child.pid)) ?? peak;
  }, WATCH_MILLISECONDS);
  const exited = once(child, "exit");
  const { created, unchanged, failed, redirects } = JSON.parse(await text(child.stdout));
  await exited;
  clearInterval(watch);
  const seconds = Math.round((performance.now() - begun) / 1000);
  return { created, unchanged, failed, redirects: redirects.created, seconds, "peak, MB": peak };
}

/** Undefined if the process has ended. */
function peakMegabytes(pid: number): number | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    const kilobytes = /VmHWM:\s+(\d+)/.exec(status)?.[1];
    return kilobytes === undefined ? undefined : Math.round(Number(kilobytes) / 1024);
  } catch {
    return undefined;
  }
}
