import { z } from "zod";
import { AppError } from "../../../errors.ts";
import type { DraftedItemParts } from "../../drafts/draft.ts";
import { isObject } from "../../items/merge-patch.ts";
import type { SiteImportBase } from "../../record.ts";
import { type SiteProfile, siteProfileSchema } from "../../site/site.ts";
import { type ContentType, contentTypeSchema } from "../../types/content-type.ts";

/** A site profile with the types that the site declares. */
export interface SiteDescription {
  profile: SiteProfile;
  types: readonly ContentType[];
}

/**
 * Prefix of a part that is a type: the type `event` is the part `types.event`. No setting is called `types`.
 */
export const TYPE_PART_PREFIX = "types.";

/**
 * Divides a site description into the parts that are merged: each type, each key of a setting that has
 * keys, and each other setting as a whole.
 */
export function splitSiteIntoParts({ profile, types }: SiteDescription): SiteImportBase {
  const settings = Object.entries(profile).flatMap(([key, value]): [string, unknown][] =>
    isObject(value) && Object.keys(value).length > 0
      ? Object.entries(value).map(([name, inner]) => [`${key}.${name}`, inner])
      : [[key, value]],
  );
  const declared = types.map((type): [string, unknown] => [
    `${TYPE_PART_PREFIX}${type.name}`,
    type,
  ]);
  return {
    parts: Object.fromEntries([...settings, ...declared]),
    typeOrder: types.map(({ name }) => name),
  };
}

/**
 * Builds settings and types from merged parts. Types that are not in `typeOrder` come last.
 *
 * @throws {AppError} `conflict` if the parts do not form valid settings.
 */
export function buildSiteFromParts(
  parts: DraftedItemParts,
  typeOrder: readonly string[],
): SiteDescription {
  const settings: Record<string, unknown> = {};
  const declared = new Map<string, unknown>();
  for (const [name, value] of Object.entries(parts)) {
    if (value === null) continue;
    const [key = "", ...rest] = name.split(".");
    const inner = rest.join(".");
    const group = settings[key];
    if (name.startsWith(TYPE_PART_PREFIX)) declared.set(inner, value);
    else if (inner === "") settings[key] = value;
    else settings[key] = { ...(isObject(group) ? group : {}), [inner]: value };
  }
  const names = new Set([...typeOrder, ...declared.keys()]);
  const types = [...names].flatMap((name) => declared.get(name) ?? []);
  const profile = siteProfileSchema.safeParse(settings);
  const parsedTypes = z.array(contentTypeSchema).safeParse(types);
  if (profile.success && parsedTypes.success)
    return { profile: profile.data, types: parsedTypes.data };
  throw new AppError("conflict", {
    en: "Cannot merge the settings of the folder with those of the site, since together they contradict each other. Make both say the same, or import again and choose which side to prefer",
    de: "Die Einstellungen des Ordners und die der Website widersprechen sich zusammen. Gleichen Sie beide an, oder importieren Sie noch einmal, und wählen Sie, welche Seite gilt",
  });
}
