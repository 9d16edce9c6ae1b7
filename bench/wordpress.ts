import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeLargeExport } from "../test/support/large-wordpress.ts";
import { measuredImport } from "./imports/measured-import.ts";

/**
 * Measures what importing a WordPress site on the command line costs in time and memory: `npm run
 * bench:wordpress -- [POSTS]`, by default 20,000 posts with 10,000 files in two exports.
 */
const POSTS = Number(process.argv[2] ?? 20_000);
const MAIN = join(import.meta.dirname, "../bin/commonplace.cjs");

interface Report {
  created: number;
  unchanged: number;
  failed: number;
  redirects: { created: number };
}

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

async function imported(files: readonly string[], flags: string[]) {
  const { report, seconds, peakMegabytes } = await measuredImport<Report>(
    [process.execPath, MAIN],
    { files, dataDir: join(folder, "data"), flags },
  );
  const { created, unchanged, failed, redirects } = report;
  return {
    created,
    unchanged,
    failed,
    redirects: redirects.created,
    seconds: Math.round(seconds),
    "peak, MB": peakMegabytes,
  };
}
