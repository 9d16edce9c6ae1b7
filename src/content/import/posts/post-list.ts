import { baseLanguage } from "../../../search/language/languages.ts";
import type { SiteProfile } from "../../site/site.ts";
import type { ContentType } from "../../types/content-type.ts";

/**
 * Returns the list of posts in the edition of this language. If there is no such edition, returns the list in
 * the main edition.
 */
export type FindPostList = (language: string | null) => { path: string; title: string };

export function createPostListFinder(
  { name, listPath, plural, translations }: ContentType,
  { language: main, languages }: Pick<SiteProfile, "language" | "languages">,
): FindPostList {
  return (language) => {
    const base = baseLanguage(language ?? main);
    const edition = [main, ...languages].find((tag) => baseLanguage(tag) === base) ?? main;
    const isMain = baseLanguage(edition) === baseLanguage(main);
    return {
      path: `${isMain ? "" : `/${edition.toLowerCase()}`}${listPath ?? `/${name}`}`,
      title: translations?.[edition]?.plural ?? plural,
    };
  };
}
