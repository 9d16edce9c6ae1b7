import { backUp } from "../data-folder.ts";
import { progressMeter, SILENT_METER } from "./progress-meter.ts";
import type { CommandContext } from "./terminal.ts";

/** `commonplace backup PLACE`: everything there is, also while a server runs. */
export async function backupCommand(
  to: string,
  { json = false }: { json?: boolean },
  { config, terminal }: CommandContext,
): Promise<number> {
  const meter = json ? SILENT_METER : await progressMeter("Copying the store", terminal);
  const { bytes, media } = await backUp(config, to, (share) =>
    meter.show(share, 1, `${Math.floor(100 * share)} %`),
  ).finally(meter.stop);
  if (json) {
    terminal.out(JSON.stringify({ path: to, bytes, media }));
    return 0;
  }
  const size = `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
  const files = media === null ? "the store alone, without the site's files" : `${media} files`;
  terminal.out(`Backed up to ${to}: ${size} and checked; ${files}`);
  return 0;
}
