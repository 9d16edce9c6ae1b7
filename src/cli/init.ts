import { openRecordForCommand } from "../app/store.ts";
import { createStarterSite } from "../content/site/starter-site.ts";
import { AppError, englishOnlyWording } from "../errors.ts";
import type { NewSiteFlags } from "./new-site.ts";
import { describeLanguageTagError } from "./option-values.ts";
import type { CommandContext } from "./terminal.ts";

const ONLY_WITH_FOLDER = ["name", "address", "look", "demo"] as const;

/** `commonplace init`: creates a new site without the demo. */
export async function runInitCommand(
  flags: NewSiteFlags,
  { config, terminal }: CommandContext,
): Promise<number> {
  const { language = "en", hidden = false, json = false } = flags;
  const fault = unusedFault(flags) ?? describeLanguageTagError(language);
  if (fault !== undefined) throw new AppError("invalid", englishOnlyWording(fault));
  let isMade = false;
  await using record = await openRecordForCommand(config, async (content) => {
    await createStarterSite(content, new Date(), { hidden, language });
    isMade = true;
  });
  const place = config.databaseUrl === null ? config.dataDir : "the database";
  if (!isMade)
    throw new AppError("conflict", englishOnlyWording(`There is a site in ${place} already`));
  const siteId = await record.siteId();
  terminal.out(json ? JSON.stringify({ siteId }) : `Made a new site in ${place}`);
  return 0;
}

function unusedFault(flags: NewSiteFlags): string | undefined {
  // Accepts `--no-demo`, because this command creates no demo anyway.
  const unused = ONLY_WITH_FOLDER.find(
    (flag) => flags[flag] !== undefined && flags[flag] !== false,
  );
  return unused === undefined
    ? undefined
    : `--${unused} needs a folder, as in "commonplace init my-site --${unused}". Leave it out, or name a new folder`;
}
