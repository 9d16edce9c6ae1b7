import { backUp } from "../app/data-folder.ts";
import { progressMeter, SILENT_METER } from "./progress-meter.ts";
import { summarizeNames } from "./summarize-names.ts";
import type { CommandContext } from "./terminal.ts";

/** `commonplace backup PLACE`: can run while the server is up. */
export async function backupCommand(
  to: string,
  { json = false }: { json?: boolean },
  { config, terminal }: CommandContext,
): Promise<number> {
  const meter = json ? SILENT_METER : await progressMeter("Copying the store", terminal);
  const onShare = (share: number) => meter.show(share, 1, `${Math.floor(100 * share)} %`);
  const options = { onShare, now: new Date() };
  const { isNoted, ...written } = await backUp(config, to, options).finally(meter.stop);
  const { bytes, media, damaged, missing } = written;
  if (damaged.length > 0) {
    const names = summarizeNames(damaged);
    terminal.err(`warning: damaged in the media folder, and in the backup as they are: ${names}`);
  }
  if (missing.length > 0) {
    const names = summarizeNames(missing);
    terminal.err(`warning: missing in the media folder, though the store names them: ${names}`);
  }
  if (!isNoted) {
    terminal.err("warning: DATA_DIR takes no file, so that doctor will not know of this backup");
  }
  if (json) {
    terminal.out(JSON.stringify({ path: to, ...written }));
    return 0;
  }
  const size = `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
  const files = media === null ? "the store alone, without the site's files" : `${media} files`;
  terminal.out(`Backed up to ${to}: ${size} and checked; ${files}`);
  return 0;
}
