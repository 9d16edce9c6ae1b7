import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { type CommandLine, INHERITED, MAIN } from "./command-line.ts";

/**
 * A server process. Disposal kills it unless it has ended, so that a failing test leaves no server behind.
 */
export interface Served extends AsyncDisposable {
  process: ChildProcess;
  origin: string;
  /** Everything that it has written so far. */
  output(): string;
}

/** Starts the service in a separate process on a free port. Resolves when it has printed its greeting. */
export async function serve(
  line: CommandLine,
  {
    more = {},
    command = [process.execPath, MAIN, "serve"],
  }: { more?: Record<string, string>; command?: readonly string[] } = {},
): Promise<Served> {
  const [program = "", ...words] = command;
  const child = spawn(program, words, {
    env: { ...INHERITED, ...line.environment, PORT: "0", ...more },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  let output = "";
  const greeted = new Promise<string>((resolve, reject) => {
    const take = (chunk: Buffer) => {
      output += chunk.toString();
      const origin = /Home +(https?:\S+)\/$/m.exec(output)?.[1];
      if (origin !== undefined && output.includes("keys issue")) resolve(origin);
    };
    child.stdout.on("data", take);
    child.stderr.on("data", take);
    child.on("exit", (code) => reject(new Error(`It ended with ${code}: ${output}`)));
  });
  return {
    process: child,
    origin: await greeted,
    output: () => output,
    [Symbol.asyncDispose]: async () => void (await stop({ process: child }, "SIGKILL")),
  };
}

/** Resolves with the exit code; null: a signal ended it. */
export async function stop(
  { process: child }: Pick<Served, "process">,
  signal: NodeJS.Signals,
): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const exit = once(child, "exit");
  child.kill(signal);
  const [code] = await exit;
  return code;
}
