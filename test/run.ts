import { globSync } from "node:fs";
import { runFiles } from "./support/run-files.ts";

const files = globSync(["test/*.test.ts", "test/!(judges)/**/*.test.ts"]).sort();

/** One process more than a small machine has processors, as some tests wait for other processes. */
process.exitCode = await runFiles(files, { processes: 4 });
