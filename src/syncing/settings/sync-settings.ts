import { existsSync } from "node:fs";
import { join } from "node:path";
import {
  baseOf,
  descriptionOf,
  type SiteDescription,
  saveSyncedSite,
  TYPE_PREFIX,
} from "../../content/editing/imported/saving-site.ts";
import { parseSiteProfile, parseTypeFile } from "../../content/import/site-file.ts";
import type { SiteProfile } from "../../content/site/site.ts";
import type { ContentType } from "../../content/types/content-type.ts";
import { filesBelow } from "../../importing/folders/folder-files.ts";
import { descriptionFiles, SITE_FILE, TYPES_FOLDER } from "../../transfer/site-files.ts";
import { isCopyFile } from "../item-files.ts";
import { reportProblems } from "../pass-parts.ts";
import {
  partsIn,
  readSettings,
  type SettingsFile,
  type SettingsPass,
  syncGroup,
} from "./settings-group.ts";

/** Keeps `site.yaml` and the files of `types/` equal with the settings and types of the site. */
export async function syncSettings(pass: SettingsPass): Promise<void> {
  const { content, actor, now } = pass;
  const site = await descriptionOf(content);
  if (site === null) return;
  const theirs = readDescription(
    pass,
    new Map(descriptionFiles(site).map(({ name, text }) => [name, text])),
  );
  const texts = textsOf(pass);
  const mine = texts === null ? null : readDescription(pass, texts);
  if (theirs === null || mine === null) return;
  const profile = mine.profile ?? site.profile;
  // Whether the site is hidden is up to the site.
  const stated: SiteDescription = {
    profile: { ...profile, hidden: site.profile.hidden },
    types: mine.types,
  };
  await syncGroup(pass, {
    name: "settings",
    mainFile: SITE_FILE,
    folderFiles: mine.files,
    siteFiles: theirs.files,
    mine: baseOf(stated).parts,
    typeOrder: site.types.map(({ name }) => name),
    goneParts(known) {
      const there = partsIn(mine.files);
      return Object.keys(known).filter((part) => part.startsWith(TYPE_PREFIX) && !(part in there));
    },
    emptyText: null,
    async save({ base }) {
      const saved = await saveSyncedSite(content, actor, stated, { base, now });
      return { changed: saved.changed, refused: [], isStale: saved.conflicts.length > 0 };
    },
  });
}

/** Null: a file cannot be read, which is reported. */
function textsOf(pass: SettingsPass): Map<string, string> | null {
  const { root } = pass.folder;
  const typeFiles = filesBelow(join(root, TYPES_FOLDER))
    .filter((file) => !isCopyFile(file))
    .map((file) => `${TYPES_FOLDER}/${file}`);
  const siteFile = existsSync(join(root, SITE_FILE)) ? [SITE_FILE] : [];
  const texts = new Map<string, string>();
  for (const file of [...siteFile, ...typeFiles]) {
    const text = readSettings(pass, file);
    if (text === undefined) return null;
    texts.set(file, text);
  }
  return texts;
}

interface ReadDescription {
  files: Map<string, SettingsFile>;
  /** Null: there is no `site.yaml`. */
  profile: SiteProfile | null;
  types: ContentType[];
}

/** Null: a file cannot be read, which is reported. */
function readDescription(
  pass: SettingsPass,
  texts: ReadonlyMap<string, string>,
): ReadDescription | null {
  const read: ReadDescription = { files: new Map(), profile: null, types: [] };
  let isWhole = true;
  for (const [file, text] of texts) {
    const { parts, problems } = file === SITE_FILE ? readProfile(text, read) : readType(text, read);
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
  return { parts: value === null ? {} : baseOf({ profile: value, types: [] }).parts, problems };
}

function readType(text: string, read: ReadDescription) {
  const { value, problems } = parseTypeFile(text);
  if (value !== null) read.types.push(value);
  return { parts: value === null ? {} : { [`${TYPE_PREFIX}${value.name}`]: value }, problems };
}
