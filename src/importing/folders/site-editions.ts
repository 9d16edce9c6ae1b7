import { type Actor, hasScope } from "../../access/actor.ts";
import type { ImportEventHandlers } from "../../content/import/import-events.ts";
import type { ContentRecord } from "../../content/record.ts";
import { changeSettings } from "../../content/site/settings.ts";
import type { Wording } from "../../errors.ts";
import type { SurveyedSource } from "./survey-items.ts";

/** Maximum number of texts of each language that are searched for a published one. */
const TEXTS_MAX = 50;
/**
 * Minimum number of an edition's texts, as a share of the number of texts in the main language. With fewer
 * texts, the edition would be nearly empty.
 */
const SHARE_MIN = 0.05;

interface Options extends Pick<ImportEventHandlers, "onNote"> {
  now: Date;
  /** Called between texts to yield to the event loop. */
  yieldBetween: (() => Promise<void>) | undefined;
}

/**
 * Adds the languages of translated texts to the site's languages, unless the editors have chosen
 * languages. Must be called after the items are saved.
 */
export async function addEditionsOfTranslations(
  record: ContentRecord,
  actor: Actor,
  surveyed: readonly SurveyedSource[],
  { now, onNote, yieldBetween }: Options,
): Promise<void> {
  const profile = await record.site();
  if (profile === null || profile.languages.length > 0) return;
  const languages: string[] = [];
  const waiting: string[] = [];
  for (const [language, paths] of pathsByLanguage(surveyed)) {
    await yieldBetween?.();
    if (language === profile.language) continue;
    const isPublished = await hasPublished(record, paths.slice(0, TEXTS_MAX));
    (isPublished ? languages : waiting).push(language);
  }
  if (languages.length > 0 && hasScope(actor, "settings:write")) {
    await changeSettings(record, actor, { languages }, { now });
    onNote?.(publishedIn(languages.join(", ")));
  } else waiting.unshift(...languages);
  if (waiting.length > 0) onNote?.(toBePublishedIn(waiting.join(", ")));
}

/**
 * Maps each language of translated folders to the paths of its texts. Omits a language with few texts
 * compared with the folder's main language. Also omits languages without translations, except the main
 * language.
 */
function pathsByLanguage(surveyed: readonly SurveyedSource[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const { conventions, survey } of surveyed) {
    if (conventions === null) continue;
    const { languages, sitePathOf } = conventions;
    const texts = [...survey.paths].flatMap(([file, path]) => {
      const place = sitePathOf(file);
      return place === null ? [] : [{ path, ...languages.of(place) }];
    });
    const inMain = texts.filter(({ language }) => (language ?? languages.main) === languages.main);
    const translations = texts.filter(({ original }) => original !== null);
    if (translations.length === 0) continue;
    const byLanguage = Map.groupBy(texts, ({ language }) => language);
    for (const [language, some] of byLanguage) {
      const isTranslated =
        language === languages.main || translations.some((each) => each.language === language);
      if (language === null || !isTranslated || some.length < SHARE_MIN * inMain.length) continue;
      found.set(language, [...(found.get(language) ?? []), ...some.map(({ path }) => path)]);
    }
  }
  return found;
}

async function hasPublished(record: ContentRecord, paths: readonly string[]): Promise<boolean> {
  for (const path of paths) {
    if ((await record.itemAt(path))?.status === "published") return true;
  }
  return false;
}

function publishedIn(languages: string): Wording {
  return {
    en: `The site is now published in these languages too, each with a home page and lists: ${languages}`,
    de: `Die Website erscheint jetzt auch in diesen Sprachen, jede mit Startseite und Listen: ${languages}`,
  };
}

function toBePublishedIn(languages: string): Wording {
  return {
    en: `There are texts in ${languages}; add these languages under Languages once some are published, so that each has a home page and lists`,
    de: `Es gibt Texte in ${languages}; fügen Sie diese unter „Sprachen“ hinzu, sobald einige veröffentlicht sind, damit jede eine Startseite und Listen hat`,
  };
}
