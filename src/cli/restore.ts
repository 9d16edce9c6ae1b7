import { restore } from "../data-folder.ts";
import type { CommandContext } from "./terminal.ts";

/** `commonplace restore BACKUP`: puts a backup into the data folder. */
export async function restoreCommand(
  from: string,
  { force = false, json = false }: { force?: boolean; json?: boolean },
  { config, terminal }: CommandContext,
): Promise<number> {
  const { replaced } = await restore(config, from, { replaces: force, now: new Date() });
  if (json) {
    terminal.out(JSON.stringify({ path: config.dataDir, replaced }));
    return 0;
  }
  terminal.out(`Restored into ${config.dataDir}`);
  if (replaced !== null) {
    terminal.out(`What was there is now in ${replaced}; delete it when you are sure`);
  }
  return 0;
}
