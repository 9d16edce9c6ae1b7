import { isCancel, password as prompt } from "@clack/prompts";
import { hashPassword, type PasswordHash, passwordSchema } from "../access/passwords.ts";
import { AppError } from "../errors.ts";
import type { Terminal } from "./terminal.ts";

const BYTES_MAX = 10_000;

/** Reads a new password from standard input or a prompt; arguments would show in process lists. */
export async function passwordHash(
  terminal: Terminal,
  { fromStdin }: { fromStdin: boolean },
): Promise<PasswordHash> {
  const password = fromStdin ? await readLine() : await ask(terminal);
  const fault = faultOf(password);
  if (fault !== undefined) throw new AppError("invalid", `Cannot take this password: it ${fault}`);
  return await hashPassword(password);
}

async function ask({ isInteractive }: Terminal): Promise<string> {
  if (!isInteractive || !process.stdin.isTTY) {
    throw new AppError(
      "invalid",
      "Cannot ask for the password without a terminal: give it on standard input with --password-stdin",
    );
  }
  const first = await answered("New password", (typed) => faultOf(typed ?? ""));
  await answered("Once more", (typed) => (typed === first ? undefined : "is another password"));
  return first;
}

async function answered(
  message: string,
  validate: (typed: string | undefined) => string | undefined,
): Promise<string> {
  const typed = await prompt({ message, validate });
  if (isCancel(typed)) throw new AppError("invalid", "Stopped: no password was given");
  return typed;
}

/** The first line, without its line break. */
async function readLine(): Promise<string> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of process.stdin) {
    const bytes = Buffer.from(piece);
    pieces.push(bytes);
    size += bytes.length;
    if (size > BYTES_MAX) break;
  }
  return Buffer.concat(pieces).toString().split(/\r?\n/, 1)[0] ?? "";
}

function faultOf(password: string): string | undefined {
  return passwordSchema.safeParse(password).error?.issues[0]?.message;
}
