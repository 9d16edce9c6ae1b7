import type { CommandContext } from "./terminal.ts";

export async function checkCommand(
  _url: URL,
  _flags: { json?: boolean },
  _c: CommandContext,
): Promise<number> {
  throw new Error("being written");
}
