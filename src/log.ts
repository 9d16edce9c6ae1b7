import { type Logger, pino } from "pino";
import { redactCredentials } from "./access/credentials.ts";
import type { Config } from "./config.ts";

export type Log = Logger;

/** JSON lines to `write`; whatever is logged, a credential never reaches the line. */
export function createLog(
  level: Config["logLevel"],
  write: (line: string) => void = (line) => process.stdout.write(line),
): Log {
  return pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime },
    { write: (line: string) => write(redactCredentials(line)) },
  );
}
