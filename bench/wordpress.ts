import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runWatched } from "../test/judges/imports/watched-command.ts";
import { writeLargeExport } from "../test/support/large-wordpress.ts";

/**
 * Measures what importing a WordPress site on the command line costs in time and memory: `npm run
 * bench:wordpress -- [POSTS]`, by default 20,000 posts with 10,000 files in two exports.
 */
const POSTS = Number(process.argv[2] ?? 20_000);
const MAIN = join(import.meta.dirname, "../bin/commonplace.cjs");
const SECONDS_MAX = 3600;

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

async function imported(files: readonly string[], flags: readonly string[]) {
  const { out, seconds, megabytes } = await runWatched(["import", ...files, "--json", ...flags], {
    environment: { DATA_DIR: join(folder, "data"), DEMO: "0", LOG_LEVEL: "error" },
    secondsMax: SECONDS_MAX,
    main: MAIN,
  });
  const { created, unchanged, failed, redirects }: Report = JSON.parse(out);
  return {
    created,
    unchanged,
    failed,
    redirects: redirects.created,
    seconds: Math.round(seconds),
    "peak, MB": Math.round(megabytes),
  };
}
