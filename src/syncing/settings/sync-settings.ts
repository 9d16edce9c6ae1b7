import { existsSync } from "node:fs";
import { join } from "node:path";
import { readSiteDescription, saveSyncedSite } from "../../content/editing/imported/saving-site.ts";
import {
  type SiteDescription,
  splitSiteIntoParts,
  TYPE_PART_PREFIX,
} from "../../content/editing/imported/site-parts.ts";
import { parseSiteProfile, parseTheme, parseTypeFile } from "../../content/import/site-file.ts";
import type { SiteProfile } from "../../content/site/site.ts";
import type { ContentType } from "../../content/types/content-type.ts";
import { listFilesBelow } from "../../importing/folders/folder-files.ts";
import {
  buildSiteDescriptionFiles,
  SITE_SETTINGS_FILE,
  THEME_FILE,
  TYPES_FOLDER,
} from "../../transfer/site-files.ts";
import { isConflictCopy } from "../item-files.ts";
import { reportProblems } from "../pass-parts.ts";
import {
  collectSettingsParts,
  readSettingsFile,
  type SettingsFile,
  type SettingsPass,
  syncSettingsGroup,
} from "./settings-group.ts";

/** The part of the settings that a site folder keeps in `theme.css`. */
const THEME_PART = "look.css";

/** Syncs `site.yaml`, `theme.css` and the files of `types/` with the settings and types of the site. */
export async function syncSettings(pass: SettingsPass): Promise<void> {
  const { content, actor, now } = pass;
  const site = await readSiteDescription(content);
  if (site === null) return;
  const siteTexts = new Map(buildSiteDescriptionFiles(site).map(({ name, text }) => [name, text]));
  const onSite = readDescription(pass, siteTexts, site.profile);
  const texts = textsOf(pass);
  const inFolder = texts === null ? null : readDescription(pass, texts, site.profile);
  if (onSite === null || inFolder === null) return;
  // If the site's style rules were removed, `theme.css` is emptied, not removed. An empty file adds no rules.
  if (inFolder.files.has(THEME_FILE) && !onSite.files.has(THEME_FILE))
    onSite.files.set(THEME_FILE, { text: "", parts: {} });
  const profile = inFolder.profile ?? site.profile;
  // The folder cannot change whether the site is hidden.
  const stated: SiteDescription = {
    profile: { ...profile, hidden: site.profile.hidden },
    types: inFolder.types,
  };
  await syncSettingsGroup(pass, {
    name: "settings",
    mainFile: SITE_SETTINGS_FILE,
    folderFiles: inFolder.files,
    // Reversed, so that style rules are written to `theme.css` before they are removed from `site.yaml`.
    siteFiles: new Map([...onSite.files].toReversed()),
    folderParts: splitSiteIntoParts(stated).parts,
    typeOrder: site.types.map(({ name }) => name),
    goneParts(known) {
      const there = collectSettingsParts(inFolder.files);
      const hasLostFile = (part: string) =>
        part === THEME_PART ? !inFolder.files.has(THEME_FILE) : part.startsWith(TYPE_PART_PREFIX);
      return Object.keys(known).filter((part) => hasLostFile(part) && !(part in there));
    },
    emptyText: null,
    async save({ base }) {
      const saved = await saveSyncedSite(content, actor, stated, { base, now });
      return { changed: saved.changed, refused: [], isStale: saved.conflicts.length > 0 };
    },
  });
}

/** Returns null, after reporting the fault, if a file cannot be read. */
function textsOf(pass: SettingsPass): Map<string, string> | null {
  const { root } = pass.folder;
  const typeFiles = listFilesBelow(join(root, TYPES_FOLDER))
    .filter((file) => !isConflictCopy(file))
    .map((file) => `${TYPES_FOLDER}/${file}`);
  const siteFiles = [SITE_SETTINGS_FILE, THEME_FILE].filter((file) => existsSync(join(root, file)));
  const texts = new Map<string, string>();
  for (const file of [...siteFiles, ...typeFiles]) {
    const text = readSettingsFile(pass, file);
    if (text === undefined) return null;
    texts.set(file, text);
  }
  return texts;
}

interface ReadDescription {
  files: Map<string, SettingsFile>;
  /** Null: there is neither `site.yaml` nor `theme.css`. */
  profile: SiteProfile | null;
  types: ContentType[];
}

/** Returns null, after reporting the fault, if a file cannot be read. */
function readDescription(
  pass: SettingsPass,
  texts: ReadonlyMap<string, string>,
  siteProfile: SiteProfile,
): ReadDescription | null {
  const read: ReadDescription = { files: new Map(), profile: null, types: [] };
  let isWhole = true;
  for (const [file, text] of texts) {
    const { parts, problems } =
      file === THEME_FILE
        ? readTheme(text, read, siteProfile)
        : (file === SITE_SETTINGS_FILE ? readProfile : readType)(text, read);
    read.files.set(file, { text, parts });
    const errors = problems.filter(({ severity }) => severity === "error");
    reportProblems(pass, file, errors);
    isWhole &&= errors.length === 0;
  }
  return isWhole ? read : null;
}

function readProfile(text: string, read: ReadDescription) {
  const { value, problems } = parseSiteProfile(text);
  read.profile = value;
  return {
    parts: value === null ? {} : splitSiteIntoParts({ profile: value, types: [] }).parts,
    problems,
  };
}

/**
 * Parses `theme.css` and adds its rules to `read.profile`, the settings of `site.yaml`. If `site.yaml`
 * is missing, adds the rules to the settings of the site instead.
 */
function readTheme(text: string, read: ReadDescription, siteProfile: SiteProfile) {
  if (text.trim() === "") return { parts: {}, problems: [] };
  const { css: _, ...look } = siteProfile.look;
  const { value, problems } = parseTheme(text, read.profile ?? { ...siteProfile, look });
  read.profile = value;
  const css = value?.look.css;
  return { parts: css === undefined ? {} : { [THEME_PART]: css }, problems };
}

function readType(text: string, read: ReadDescription) {
  const { value, problems } = parseTypeFile(text);
  if (value !== null) read.types.push(value);
  return { parts: value === null ? {} : { [`${TYPE_PART_PREFIX}${value.name}`]: value }, problems };
}
