import { parseArgs } from "node:util";
import { judgeDryRuns } from "./imports/dry-runs.ts";
import { judgeHostileFiles } from "./imports/hostile.ts";
import { announce } from "./verdict.ts";

/**
 * Judges imports of files that are hostile or costly, and that a dry run over generated folders says what the
 * import then does: `npm run judge:imports -- [--folders N] [--only hostile | dry-runs]`.
 */
const { values } = parseArgs({
  options: { folders: { type: "string", default: "1000" }, only: { type: "string" } },
});
const verdicts = [
  ...(values.only === "dry-runs" ? [] : await judgeHostileFiles()),
  ...(values.only === "hostile" ? [] : await judgeDryRuns(Number(values.folders))),
];
process.exitCode = announce(verdicts);
