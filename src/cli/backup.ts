import { backUp } from "../data-folder.ts";
import type { CommandContext } from "./terminal.ts";

const SECONDS_BETWEEN_LINES = 5;

/** `commonplace backup PLACE`: everything there is, also while a server runs. */
export async function backupCommand(
  to: string,
  { json = false }: { json?: boolean },
  { config, terminal }: CommandContext,
): Promise<number> {
  let toldAt = performance.now();
  const { bytes, media } = await backUp(config, to, (share) => {
    if (json || performance.now() - toldAt < SECONDS_BETWEEN_LINES * 1000) return;
    toldAt = performance.now();
    terminal.err(`${Math.floor(100 * share)} % of the store copied`);
  });
  if (json) {
    terminal.out(JSON.stringify({ path: to, bytes, media }));
    return 0;
  }
  const size = `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
  const files = media === null ? "the store alone, without the site's files" : `${media} files`;
  terminal.out(`Backed up to ${to}: ${size} and checked; ${files}`);
  return 0;
}
