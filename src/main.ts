import { run } from "./cli/run.ts";
import { processTerminal } from "./cli/terminal.ts";

process.exitCode = await run(process.argv.slice(2), {
  environment: process.env,
  terminal: processTerminal,
});
