import { baseLanguage } from "../../texts/choose.ts";
import type { SiteTexts } from "../../texts/site/english.ts";
import { siteTexts } from "../../texts/site/site-texts.ts";
import type { ListQuery, ReadingCopy } from "../library.ts";
import type { ContentType, ContentTypes } from "../types/content-type.ts";
import { typesInEdition } from "../types/type-names.ts";
import type { MarkdownSlot } from "./look/look.ts";
import type { SiteProfile, TranslatedProfile } from "./site.ts";

/** The site in one of its languages. */
export interface Edition {
  /** BCP 47 tag, as in the site profile. */
  language: string;
  /** Path prefix: empty in the main edition, `/de` in another. */
  prefix: string;
  texts: SiteTexts;
  /** The site profile. Its texts are translated where this language has a translation. */
  site: SiteProfile;
  /** All content types, with translated names where available and the list paths of the edition. */
  types: ContentTypes;
  /** Restricts lists to this edition; empty on a site with only one edition. */
  languageFilter: Pick<ListQuery, "language" | "notLanguages">;
}

type SiteReading = Pick<ReadingCopy, "site" | "types" | "version">;

const editionsByReading = new WeakMap<
  SiteReading,
  { version: number; editions: readonly Edition[] }
>();

/** The main edition, in the site's own language, followed by one for each of the site's other languages. */
export function editionsOf(reading: SiteReading): readonly Edition[] {
  const version = reading.version();
  const found = editionsByReading.get(reading);
  if (found?.version === version) return found.editions;
  const { language, languages } = reading.site();
  const byBase = new Map<string, string>();
  for (const tag of [language, ...languages]) {
    if (!byBase.has(baseLanguage(tag))) byBase.set(baseLanguage(tag), tag);
  }
  const [main = language, ...others] = byBase.values();
  const notLanguages = others.map(baseLanguage);
  const editions = [
    createEdition(reading, {
      language: main,
      prefix: "",
      languageFilter: others.length > 0 ? { notLanguages } : {},
    }),
    ...others.map((tag) =>
      createEdition(reading, {
        language: tag,
        prefix: `/${tag.toLowerCase()}`,
        languageFilter: { language: baseLanguage(tag) },
      }),
    ),
  ];
  editionsByReading.set(reading, { version, editions });
  return editions;
}

function createEdition(
  reading: SiteReading,
  { language, prefix, languageFilter }: Pick<Edition, "language" | "prefix" | "languageFilter">,
): Edition {
  const texts = siteTexts(language);
  const site = profileIn(reading.site(), language);
  const types = typesInEdition(reading.types(), { language, texts, prefix });
  return { language, prefix, texts, site, types, languageFilter };
}

/** Translated profiles, keyed by original profile, then by language. */
const translatedProfiles = new WeakMap<SiteProfile, Map<string, SiteProfile>>();

/**
 * The profile with its translated texts in a language. Returns the same object for the same profile and
 * language, because the caches of style sheets and palettes use the profile's `look` object as the key.
 */
function profileIn(profile: SiteProfile, language: string): SiteProfile {
  const known = translatedProfiles.get(profile) ?? new Map<string, SiteProfile>();
  translatedProfiles.set(profile, known);
  const translated = known.get(language) ?? translateProfile(profile, language);
  known.set(language, translated);
  return translated;
}

function translateProfile(profile: SiteProfile, language: string): SiteProfile {
  const { slots: translatedSlots, ...texts } = profile.translations[language] ?? {};
  const { look } = profile;
  const slots = { ...look.slots, ...translatedSlots };
  return { ...profile, ...texts, look: { ...look, slots } };
}

/**
 * The language in which an edition shows a text of the profile: the edition's if the text is
 * translated, otherwise the site's.
 */
export function profileTextLanguage(
  { language, site }: Pick<Edition, "language" | "site">,
  name: keyof TranslatedProfile,
): string {
  return site.translations[language]?.[name] === undefined ? site.language : language;
}

/** The language in which an edition shows the text of a slot; see {@link profileTextLanguage}. */
export function slotTextLanguage({ language, site }: Edition, slot: MarkdownSlot): string {
  return site.translations[language]?.slots?.[slot] === undefined ? site.language : language;
}

/**
 * The language in which an edition shows a type's names and description; see
 * {@link profileTextLanguage}.
 */
export function typeTextLanguage(
  { language, site, texts }: Edition,
  { name, translations }: ContentType,
): string {
  return (translations?.[language] ?? texts.types[name]) === undefined ? site.language : language;
}

/** The edition in the site's own language. */
export function mainEdition(reading: SiteReading): Edition {
  const [main] = editionsOf(reading);
  if (main === undefined) throw new Error("The site has no language");
  return main;
}

/** The edition that shows items in this language; the main one if the language has no edition. */
export function editionForItemLanguage(reading: SiteReading, language: string): Edition {
  const base = baseLanguage(language);
  return (
    editionsOf(reading).find((each) => baseLanguage(each.language) === base) ?? mainEdition(reading)
  );
}

/** The edition that a path belongs to, and the path without its prefix. */
export function splitEditionPrefix(
  reading: SiteReading,
  path: string,
): { edition: Edition; path: string } {
  const [main, ...others] = editionsOf(reading);
  for (const other of others) {
    if (path === other.prefix) return { edition: other, path: "/" };
    if (path.startsWith(`${other.prefix}/`)) {
      return { edition: other, path: path.slice(other.prefix.length) };
    }
  }
  return { edition: main ?? mainEdition(reading), path };
}

/** The path of a page in an edition, such as `/de/search` for `/search`. */
export function editionPath({ prefix }: Pick<Edition, "prefix">, path: string): string {
  return path === "/" ? prefix || "/" : prefix + path;
}

/**
 * The path of an item in the language of the edition. This is `path` itself if the item at `path` is in
 * that language, or the path of the item's translation. Null if there is neither.
 */
export function pathInEditionLanguage(
  reading: Pick<ReadingCopy, "resolve">,
  { language }: Edition,
  path: string,
): string | null {
  const found = reading.resolve(path);
  if (found.kind !== "item") return null;
  const base = baseLanguage(language);
  const versions = [{ language: found.item.language, path }, ...found.item.translations];
  return versions.find((version) => baseLanguage(version.language) === base)?.path ?? null;
}

/**
 * The language tag of an item's page: the item's own tag if item and edition share a language, or else
 * the edition's.
 */
export function itemPageLanguage({ language }: Edition, itemLanguage: string): string {
  return baseLanguage(itemLanguage) === baseLanguage(language) ? itemLanguage : language;
}

/** English texts and type names, which the documents and tools for agents use on every site. */
export function englishTextsAndTypes(types: ContentTypes): Pick<Edition, "texts" | "types"> {
  return { texts: siteTexts("en"), types };
}
