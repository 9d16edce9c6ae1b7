import { parseArgs } from "node:util";
import { judgeBesideWriter } from "./imports/beside-writer.ts";
import { judgeDryRuns } from "./imports/dry-runs.ts";
import { judgeHostileFiles } from "./imports/hostile.ts";
import { announce } from "./verdict.ts";

/**
 * Judges imports of files that are hostile or costly, that a dry run over generated folders says what the
 * import then does, and that one of many items delays no writes:
 * `npm run judge:imports -- [--folders N] [--items N] [--only hostile | dry-runs | writer]`.
 */
const { values } = parseArgs({
  options: {
    folders: { type: "string", default: "1000" },
    items: { type: "string", default: "100000" },
    only: { type: "string" },
  },
});
const isAsked = (part: string) => values.only === undefined || values.only === part;
const verdicts = [
  ...(isAsked("hostile") ? await judgeHostileFiles() : []),
  ...(isAsked("dry-runs") ? await judgeDryRuns(Number(values.folders)) : []),
  ...(isAsked("writer") ? await judgeBesideWriter(Number(values.items)) : []),
];
process.exitCode = announce(verdicts);
