import { formatCommandErrorLine } from "./cli/faults.ts";
import { setIdlePriority } from "./cli/process-priority.ts";
import { runCommandLine } from "./cli/run.ts";
import { stdioTerminal } from "./cli/terminal.ts";
import { describeUnknownSettings } from "./config/unknown-settings.ts";
import { SETTING_NAMES } from "./config.ts";

// Restricts new files to the owner: they hold visitors' messages and webhook secrets.
process.umask(0o077);

const words = process.argv.slice(2);

// If a reader closes the pipe early, as `| head` does, a command ends without an error. A server
// keeps running.
if (words[0] !== "serve") {
  process.stdout.on("error", (error) => {
    if ("code" in error && error.code === "EPIPE") process.exit(0);
    stdioTerminal.err(formatCommandErrorLine(Object.assign(error, { path: "standard output" })));
    process.exit(1);
  });
}

// If a server started this backup, the backup ends when the server ends: the IPC channel between
// them then closes.
if (words[0] === "backup" && process.connected) {
  process.once("disconnect", () => process.exit(1));
  process.channel?.unref();
}

// A dry run must not slow down a server on the same machine.
if (words[0] === "import" && words.includes("--dry-run")) setIdlePriority();

// Child processes skip this check, because the server has already checked the settings they
// inherit.
if (!process.connected) {
  for (const line of describeUnknownSettings(process.env, SETTING_NAMES)) {
    stdioTerminal.err(`warning: ${line}`);
  }
}

process.exitCode = await runCommandLine(words, {
  environment: process.env,
  terminal: stdioTerminal,
});
