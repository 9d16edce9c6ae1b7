import { fstatSync, writeSync } from "node:fs";
import { isatty } from "node:tty";
import { type Logger, pino } from "pino";
import { redactCredentials } from "./access/credentials.ts";
import type { Config } from "./config.ts";

export type Log = Logger;

const STANDARD_OUTPUT = 1;

let linesLost = 0;

/** Lines of the log that could not be written since the start of this process. */
export function logLinesLost(): number {
  return linesLost;
}

/** JSON lines to `write`; whatever is logged, a credential never reaches the line. */
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
 * Writes to standard output and never throws: a full disk or a reader that is gone costs lines, which
 * are counted, and not the process.
 */
function standardOutput(): (line: string) => void {
  return isWrittenAtOnce(STANDARD_OUTPUT)
    ? fileLines(STANDARD_OUTPUT)
    : streamLines(process.stdout);
}

/** Not through Node's stream, which writes nothing more once a write has failed. */
function fileLines(fd: number): (line: string) => void {
  let lostSince = 0;
  return (line) => {
    // A line that was cut off must not swallow the next.
    const gap = lostSince === 0 ? "" : `\n${lossLine(lostSince)}`;
    try {
      writeWhole(fd, Buffer.from(gap + line));
      lostSince = 0;
    } catch {
      lostSince += 1;
      linesLost += 1;
    }
  };
}

function streamLines(stream: NodeJS.WriteStream): (line: string) => void {
  const noteLoss = (error: Error | null | undefined) => {
    if (error) linesLost += 1;
  };
  return (line) => {
    stream.write(line, noteLoss);
  };
}

function writeWhole(fd: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
}

function lossLine(lost: number): string {
  const time = new Date().toISOString();
  return `${JSON.stringify({ level: 40, time, lost, msg: "Lines of the log were lost" })}\n`;
}

/** A file or a device, neither a terminal nor something with a reader at its other end. */
function isWrittenAtOnce(fd: number): boolean {
  try {
    const found = fstatSync(fd);
    return found.isFile() || (found.isCharacterDevice() && !isatty(fd));
  } catch {
    return false;
  }
}
