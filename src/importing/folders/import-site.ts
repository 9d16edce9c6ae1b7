import { dirname } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { Actor } from "../../access/actor.ts";
import type { ImportEvents } from "../../content/import/import-events.ts";
import { isObject } from "../../content/items/merge-patch.ts";
import type { ContentReader, ContentRecord } from "../../content/record.ts";
import type { SiteProfile } from "../../content/site/site.ts";
import { saveSite, siteDeclaredTypes } from "../../content/site/site-saving.ts";
import { isUndescribed } from "../../content/site/starter-site.ts";
import type { ContentType } from "../../content/types/content-type.ts";
import type { ImportFiles } from "../import-files.ts";
import { type FilePublisher, publishSiteMedia } from "../publish-files.ts";
import { readSite } from "./read-site.ts";

interface SiteOptions {
  now: Date;
  /** Publishes the files that the settings name; absent: they are left alone. */
  publisher: FilePublisher | undefined;
  events: ImportEvents;
}

/** A site profile with the types that the site declares. */
interface Description {
  profile: SiteProfile;
  types: readonly ContentType[];
}

/**
 * Imports the profile and the types of a site folder, and reports what they replace on a site that its
 * editors have described. Does nothing for other sources.
 *
 * @throws {AppError} `invalid` for an invalid `site.yaml` or type.
 */
export async function importSite(
  record: ContentRecord,
  actor: Actor,
  { siteFile, typeFiles }: Pick<ImportFiles, "siteFile" | "typeFiles">,
  { now, publisher, events }: SiteOptions,
): Promise<void> {
  if (siteFile === null) return;
  const { profile, types } = readSite(siteFile, typeFiles, events.onProblem);
  const before = await descriptionOf(record);
  await saveSite(record, actor, profile, types, now);
  const after = await descriptionOf(record);
  if (before !== null && after !== null && !isUndescribed(before.profile)) {
    const names = changedSettings(before, after).join(", ");
    if (names !== "") {
      events.onNote?.({
        en: `${siteFile} replaces settings of the site: ${names}`,
        de: `${siteFile} ersetzt Einstellungen der Website: ${names}`,
      });
    }
  }
  if (publisher !== undefined) {
    await publishSiteMedia(dirname(siteFile), publisher, events.onProblem);
  }
}

async function descriptionOf(content: ContentReader): Promise<Description | null> {
  const profile = await content.site();
  return profile === null ? null : { profile, types: siteDeclaredTypes(await content.types()) };
}

/** The names of settings that differ, such as `contact.email` and `types.event`. */
function changedSettings(before: Description, after: Description): string[] {
  const typesOf = ({ types }: Description) =>
    Object.fromEntries(types.map((type) => [type.name, type]));
  return [
    ...differingKeys(before.profile, after.profile).flatMap((key) =>
      nestedKeys(key, before.profile, after.profile),
    ),
    ...differingKeys(typesOf(before), typesOf(after)).map((name) => `types.${name}`),
  ];
}

function nestedKeys(key: string, before: object, after: object): string[] {
  const [one, other] = [before, after].map((values) => new Map(Object.entries(values)).get(key));
  if (!isObject(one) || !isObject(other)) return [key];
  return differingKeys(one, other).map((name) => `${key}.${name}`);
}

function differingKeys(before: object, after: object): string[] {
  const [one, other] = [before, after].map((values) => new Map(Object.entries(values)));
  const keys = new Set([...(one?.keys() ?? []), ...(other?.keys() ?? [])]);
  return [...keys].filter((key) => !isDeepStrictEqual(one?.get(key), other?.get(key)));
}
