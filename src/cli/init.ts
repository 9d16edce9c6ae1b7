import { openStore } from "../app/store.ts";
import { startSite } from "../content/site/starter-site.ts";
import { AppError, englishOnly } from "../errors.ts";
import { languageFault } from "./option-values.ts";
import type { CommandContext } from "./terminal.ts";

export interface InitFlags {
  language?: string;
  hidden?: boolean;
  json?: boolean;
}

/** `commonplace init`: creates a new site without the demo. */
export async function initCommand(
  { language = "en", hidden = false, json = false }: InitFlags,
  { config, terminal }: CommandContext,
): Promise<number> {
  const fault = languageFault(language);
  if (fault !== undefined) throw new AppError("invalid", englishOnly(fault));
  let isMade = false;
  await using record = await openStore(config, async (content) => {
    await startSite(content, new Date(), { hidden, language });
    isMade = true;
  });
  const place = config.databaseUrl === null ? config.dataDir : "the database";
  if (!isMade) throw new AppError("conflict", englishOnly(`There is a site in ${place} already`));
  const siteId = await record.siteId();
  terminal.out(json ? JSON.stringify({ siteId }) : `Made a new site in ${place}`);
  return 0;
}
