import { globSync, readFileSync } from "node:fs";
import { runFiles } from "../support/run-files.ts";

/**
 * Runs all tests that measure what a costly text takes, with texts of up to 1 MiB instead of the few
 * kilobytes of `npm test`: `npm run prove:costs`. Recognises them by what they import.
 */
const MEASURES_COSTS = /support\/costly\//;

const files = globSync("test/**/*.test.ts", { exclude: ["test/judges/node_modules/**"] })
  .filter((file) => MEASURES_COSTS.test(readFileSync(file, "utf8")))
  .sort();
if (files.length === 0) throw new Error("No test measures the cost of a text");

/** Two at a time: each measures processor time, and the two long files take as long as each other. */
process.exitCode = await runFiles(files, {
  processes: 2,
  filesPerProcess: 1,
  environment: { ...process.env, COSTS: "full" },
});
