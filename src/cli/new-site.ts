import { existsSync, readdirSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { openRecordForCommand } from "../app/store.ts";
import { describeIssue } from "../content/items/issue-messages.ts";
import { LOOKS, type LookName } from "../content/site/look/look.ts";
import { siteProfileSchema } from "../content/site/site.ts";
import { createStarterSite, type NewSiteOptions } from "../content/site/starter-site.ts";
import { AppError, englishOnlyWording } from "../errors.ts";
import { makeFolder, writeNewFile } from "../files/durable-files.ts";
import { importContent } from "../importing/import-content.ts";
import { findImportFiles } from "../importing/import-files.ts";
import { describeLanguageTagError } from "./option-values.ts";
import { buildSiteFolderFiles, type NewSiteSettings } from "./site-folder.ts";
import type { CommandContext } from "./terminal.ts";

const NAME_DEFAULT = "New site";

export interface NewSiteFlags {
  name?: string;
  address?: string;
  language?: string;
  look?: LookName;
  demo?: boolean;
  hidden?: boolean;
  json?: boolean;
}

/**
 * `commonplace init FOLDER`: creates a site folder with its store and first page. On a terminal,
 * asks for missing options. Without the demo, the site is hidden by default.
 */
export async function runNewSiteCommand(
  folder: string,
  flags: NewSiteFlags,
  { config, terminal }: CommandContext,
): Promise<number> {
  const place = resolve(folder);
  if (entryNames(place).length > 0) {
    throw new AppError(
      "conflict",
      englishOnlyWording(`${place} is not empty; name a folder that does not exist yet`),
    );
  }
  const site = checkFlags(
    await (terminal.isInteractive ? askQuestions(flags) : Promise.resolve(flags)),
  );
  const isNewFolder = !existsSync(place);
  try {
    await makeSite(place, site, config);
  } catch (error) {
    // Otherwise the next attempt would find a folder that is not empty.
    for (const name of entryNames(place)) rmSync(join(place, name), { recursive: true });
    if (isNewFolder) rmSync(place, { recursive: true, force: true });
    throw error;
  }
  if (flags.json === true) terminal.out(JSON.stringify({ folder: place, ...site }));
  else {
    const hidden = site.hidden
      ? "\n\nVisitors only read that it opens soon, until you open it at /admin"
      : "";
    terminal.out(
      `Made ${site.name} in ${place}. Next:\n\n  cd ${folder}\n  npm install\n  npm start${hidden}`,
    );
  }
  return 0;
}

async function makeSite(
  place: string,
  site: NewSiteSettings & { hidden: boolean },
  config: CommandContext["config"],
): Promise<void> {
  for (const [file, text] of Object.entries(buildSiteFolderFiles(site))) {
    makeFolder(dirname(join(place, file)));
    await writeNewFile(join(place, file), text);
  }
  // A site with the demo gets its store when the server starts for the first time.
  if (site.withDemo) return;
  const siteConfig = { ...config, databaseUrl: null, dataDir: join(place, "data") };
  await fillStore(place, siteConfig, site);
}

function entryNames(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}

async function fillStore(
  place: string,
  config: CommandContext["config"],
  options: NewSiteOptions,
): Promise<void> {
  const now = new Date();
  await using record = await openRecordForCommand(config, (content) =>
    createStarterSite(content, now, options),
  );
  await importContent(record.content, { kind: "operator" }, [await findImportFiles(place)], {
    now,
    unknown: "refuse",
    events: {
      onProblem({ file, line, field, message }) {
        throw new AppError(
          "invalid",
          englishOnlyWording(`${file}:${line}: ${field}: ${message.en}`),
        );
      },
    },
  });
}

/** @throws {AppError} `invalid` for an invalid name, address or language. */
function checkFlags(flags: NewSiteFlags): NewSiteSettings & { hidden: boolean } {
  const { name = NAME_DEFAULT, address = "http://127.0.0.1:8080", language = "en" } = flags;
  const fault = nameFault(name) ?? addressFault(address) ?? describeLanguageTagError(language);
  if (fault !== undefined) throw new AppError("invalid", englishOnlyWording(fault));
  if (flags.demo === true && flags.hidden === true) {
    throw new AppError(
      "invalid",
      englishOnlyWording("The demo is shown at once: leave out --demo or --hidden"),
    );
  }
  const { look = "classic", demo = false, hidden = false } = flags;
  const { origin } = new URL(address);
  // The machine's time zone is most likely that of the association, except on servers, which use UTC.
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  return { name, address: origin, language, timeZone, look, withDemo: demo, hidden };
}

function nameFault(name: string): string | undefined {
  const read = siteProfileSchema.shape.name.safeParse(name, { error: describeIssue });
  return read.success ? undefined : `The name ${read.error.issues[0]?.message}`;
}

function addressFault(address: string): string | undefined {
  const isWeb = /^https?:$/.test(URL.parse(address)?.protocol ?? "");
  return isWeb ? undefined : `"${address}" is not an address, such as https://quotations.example`;
}

async function askQuestions(given: NewSiteFlags): Promise<NewSiteFlags> {
  const { group, select, text, confirm } = await import("@clack/prompts");
  const alreadyAnswered = async <T>(value: T) => value;
  const { name, address, language, look, demo } = given;
  const answers = await group(
    {
      name: () =>
        name === undefined
          ? text({
              message: "What is the association called?",
              defaultValue: NAME_DEFAULT,
              validate: (value) => nameFault(value || NAME_DEFAULT),
            })
          : alreadyAnswered(name),
      address: () =>
        address === undefined
          ? text({
              message: "Where will the site be found?",
              initialValue: "http://127.0.0.1:8080",
              validate: (value) => addressFault(value ?? ""),
            })
          : alreadyAnswered(address),
      language: () =>
        language === undefined
          ? text({
              message: "In which language are its pages?",
              initialValue: "en",
              validate: (value) => describeLanguageTagError(value ?? ""),
            })
          : alreadyAnswered(language),
      look: () =>
        look === undefined
          ? select<LookName>({
              message: "How should it look? It can be changed at any time",
              options: LOOKS.map((value) => ({ value, label: value })),
            })
          : alreadyAnswered(look),
      demo: () =>
        demo === undefined
          ? confirm({ message: "Begin with the demo's quotations?", initialValue: false })
          : alreadyAnswered(demo),
    },
    {
      onCancel() {
        throw new AppError("invalid", englishOnlyWording("Stopped before anything was made"));
      },
    },
  );
  return { hidden: !answers.demo, ...given, ...answers };
}
