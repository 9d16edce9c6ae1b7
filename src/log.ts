import { fstatSync, writeSync } from "node:fs";
import { isatty } from "node:tty";
import { type Logger, pino } from "pino";
import { redactCredentials } from "./access/credentials.ts";
import type { Config } from "./config.ts";

export type Log = Logger;

const STANDARD_OUTPUT = 1;

let linesLost = 0;

/** The number of log lines lost since the process started. */
export function countLostLogLines(): number {
  return linesLost;
}

/** Logs JSON lines to `write` and redacts credentials in them. */
export function createLog(
  level: Config["logLevel"],
  write: (line: string) => void = standardOutput(),
): Log {
  return pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime },
    { write: (line: string) => write(redactCredentials(line)) },
  );
}

/**
 * Returns a function that writes lines to standard output and never throws. Lines lost to a full
 * disk or a closed pipe are counted.
 */
function standardOutput(): (line: string) => void {
  return isFileOrDevice(STANDARD_OUTPUT) ? fileLines(STANDARD_OUTPUT) : streamLines(process.stdout);
}

/** Bypasses Node's stream, because a stream stops writing after the first failure. */
function fileLines(fd: number): (line: string) => void {
  let lostSince = 0;
  return (line) => {
    // The report of the loss starts with a newline, in case the last line was cut off.
    const prefix = lostSince === 0 ? "" : `\n${lossLine(lostSince)}`;
    try {
      writeWhole(fd, Buffer.from(prefix + line));
      lostSince = 0;
    } catch {
      lostSince += 1;
      linesLost += 1;
    }
  };
}

function streamLines(stream: NodeJS.WriteStream): (line: string) => void {
  const countLoss = (error: Error | null | undefined) => {
    if (error) linesLost += 1;
  };
  return (line) => {
    stream.write(line, countLoss);
  };
}

function writeWhole(fd: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
}

function lossLine(lost: number): string {
  const time = new Date().toISOString();
  return `${JSON.stringify({ level: 40, time, lost, msg: "Lines of the log were lost" })}\n`;
}

/** Whether lines go to a file or device; false for terminals, pipes and sockets. */
function isFileOrDevice(fd: number): boolean {
  try {
    const found = fstatSync(fd);
    return found.isFile() || (found.isCharacterDevice() && !isatty(fd));
  } catch {
    return false;
  }
}
