import { openStaticSource } from "../app/site/static-site.ts";
import { createLog } from "../log.ts";
import type { ExportHostName } from "../static/rules/host.ts";
import { EXPORT_HOSTS } from "../static/rules/hosts.ts";
import { writeStaticSite } from "../static/writing-site.ts";
import { createProgressMeter, SILENT_PROGRESS_METER } from "./progress-meter.ts";
import { summarizeNames } from "./summarize-names.ts";
import type { CommandContext } from "./terminal.ts";

export interface ExportStaticFlags {
  for: ExportHostName;
  search?: boolean;
  json?: boolean;
}

/**
 * `commonplace export --static FOLDER`: writes the public site as files, or updates them. Exit code 1 if an
 * address had to be left out.
 */
export async function runExportStaticCommand(
  path: string,
  { for: hostName, search: hasSearch = false, json = false }: ExportStaticFlags,
  { config, terminal }: CommandContext,
): Promise<number> {
  const log = createLog("error", (line) => terminal.err(line.trimEnd()));
  await using source = await openStaticSource(config, { log });
  const { reading } = source;
  const total = Object.values(reading.counts()).reduce((sum, count) => sum + count, 0);
  const before = reading.version();
  const meter = json ? SILENT_PROGRESS_METER : await createProgressMeter("Writing", terminal);
  const onPages = (pages: number) => meter.show(Math.min(pages, total), total, `${pages} pages`);
  const options = { host: EXPORT_HOSTS[hostName], hasSearch, onPages };
  const written = await writeStaticSite(path, source, options).finally(meter.stop);
  const isCurrent = reading.version() === before;
  if (json) {
    terminal.out(JSON.stringify({ path, ...written, isCurrent }));
    return written.unnameable.length === 0 ? 0 : 1;
  }
  const { pages, files, changed, removed, kept, limits, unnameable } = written;
  terminal.out(
    `${pages} pages in ${files} files in ${path}: ${changed} written, ${removed} removed, the others unchanged`,
  );
  if (kept.length > 0) {
    terminal.err(
      `warning: no longer part of the site, but changed by others and kept: ${summarizeNames(kept)}`,
    );
  }
  for (const limit of limits) terminal.err(`warning: ${limit}`);
  if (unnameable.length > 0) {
    terminal.err(
      `error: left out, because no file can have such a name (a part of it is too long or not allowed, or it is the name of a list's further page): ${summarizeNames(unnameable)}. Give these pages other addresses and export again`,
    );
  }
  if (!isCurrent)
    terminal.err("warning: something was published meanwhile; export again to have it");
  return unnameable.length === 0 ? 0 : 1;
}
