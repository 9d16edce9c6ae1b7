import { run } from "./cli/run.ts";
import { processTerminal } from "./cli/terminal.ts";

// A reader that has seen enough (`| head`) is no fault of ours.
process.stdout.on("error", (error) => {
  if ("code" in error && error.code === "EPIPE") process.exit(0);
  throw error;
});

process.exitCode = await run(process.argv.slice(2), {
  environment: process.env,
  terminal: processTerminal,
});
