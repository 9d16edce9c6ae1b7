import { isDeepStrictEqual } from "node:util";
import { type Actor, hasScope } from "../../access/actor.ts";
import { languageTagFromName } from "../../content/import/conventions/language-in-name.ts";
import type {
  ForeignMenu,
  ParsedMenus,
} from "../../content/import/conventions/menus/foreign-menu.ts";
import { convertForeignMenu } from "../../content/import/conventions/menus/site-menu.ts";
import type { ImportEventHandlers } from "../../content/import/import-events.ts";
import type { ContentRecord } from "../../content/record.ts";
import type { Menu } from "../../content/site/menu.ts";
import { NAVIGATION_FIELD, typesWithNavigationField } from "../../content/site/navigation-order.ts";
import { changeSettings } from "../../content/site/settings.ts";
import { buildStarterPages } from "../../content/site/starter-site.ts";
import type { Wording } from "../../errors.ts";
import type { SurveyedSource } from "../folders/survey-items.ts";
import { type MenuTargetContext, resolveMenuTargets } from "./menu-targets.ts";

interface Options extends Pick<ImportEventHandlers, "onProblem" | "onNote"> {
  now: Date;
  /** Called between entries to yield to the event loop. */
  yieldBetween: (() => Promise<void>) | undefined;
}

/**
 * Imports the navigation of a folder from another site generator, unless the editors have set a
 * menu. Must be called after the items are saved.
 */
export async function importMenus(
  record: ContentRecord,
  actor: Actor,
  surveyed: readonly SurveyedSource[],
  { now, onProblem, onNote, yieldBetween }: Options,
): Promise<void> {
  for (const folder of surveyed) {
    const { conventions, survey, source } = folder;
    if (conventions === null) continue;
    const pages = survey.menuEntries.map((entry) => ({
      ...entry,
      file: conventions.fileIn(entry.file),
    }));
    const foreign = conventions.menusOf(pages);
    const [first] = foreign.menus.flatMap(({ entries }) => entries);
    const warn = (at: { file: string; line: number }, message: Wording) => {
      const [file = at.file] = conventions.filesAt(at.file);
      const problem = { file: `${source.root}/${file}`, line: at.line, field: "", message };
      onProblem({ ...problem, severity: "warning" });
    };
    for (const { message, ...at } of foreign.faults) warn(at, message);
    const profile = await record.site();
    if (first === undefined || profile === null) continue;
    const siteLanguages = [profile.language, ...profile.languages];
    const menus = await siteMenus(record, foreign, {
      ...{ folder, conventions, siteLanguages, warn, yieldBetween },
    });
    const isSame = Object.entries(menus).every(([language, menu]) =>
      isDeepStrictEqual(profile.menus[language], menu),
    );
    if (Object.keys(menus).length === 0 || isSame) continue;
    if (await hasOwnNavigation(record)) return warn(first, HAS_NAVIGATION);
    if (!hasScope(actor, "settings:write")) return warn(first, NOT_PERMITTED);
    await changeSettings(record, actor, { menus }, { now });
    onNote?.(navigationImported(Object.values(menus)));
    return;
  }
}

const HAS_NAVIGATION: Wording = {
  en: "this navigation is not imported, since the site has one; change it under Navigation",
  de: "diese Navigation wird nicht übernommen, denn die Website hat schon eine; ändern Sie sie unter „Navigation“",
};
const NOT_PERMITTED: Wording = {
  en: "this navigation is not imported, since the import may not change settings (settings:write)",
  de: "diese Navigation wird nicht übernommen, denn dieser Import darf Einstellungen nicht ändern (settings:write)",
};

function navigationImported(menus: readonly Menu[]): Wording {
  const entries = menus.flat().reduce((sum, entry) => sum + 1 + entry.entries.length, 0);
  return {
    en: `The navigation of the folder is now that of the site: ${entries} entries; entries of drafts show once they are published`,
    de: `Die Navigation des Ordners ist jetzt die der Website, Einträge: ${entries}; solche zu Entwürfen erscheinen mit deren Veröffentlichung`,
  };
}

/**
 * Whether editors have set a menu, or changed the initial order of a new site's pages. Also true
 * without a profile.
 */
async function hasOwnNavigation(record: ContentRecord): Promise<boolean> {
  const profile = await record.site();
  if (profile === null || Object.keys(profile.menus).length > 0) return true;
  const positions = new Map(
    buildStarterPages(profile.language).map(({ path, fields }) => [path, fields[NAVIGATION_FIELD]]),
  );
  const types = typesWithNavigationField(await record.types());
  const positioned = await record.itemsWithField(types, NAVIGATION_FIELD);
  return positioned.some(({ item, value }) => positions.get(item.path) !== value);
}

interface MenuContext extends MenuTargetContext {
  /** The languages of the site, main language first. */
  siteLanguages: readonly string[];
  warn: (at: { file: string; line: number }, message: Wording) => void;
}

async function siteMenus(
  record: ContentRecord,
  { menus }: ParsedMenus,
  context: MenuContext,
): Promise<Record<string, Menu>> {
  const found: Record<string, Menu> = {};
  for (const menu of menus) {
    const language = editionOf(menu, context);
    const targets = await resolveMenuTargets(record, menu, context);
    const entries = convertForeignMenu(menu.entries, targets, context.warn);
    if (entries.length > 0 && language !== null) found[language] ??= entries;
  }
  return found;
}

/**
 * The language of the edition that shows a menu. A menu without a language goes to the edition in the
 * folder's main language. If the site has no such edition, the menu goes to the main edition.
 */
function editionOf(
  { language }: ForeignMenu,
  { conventions, siteLanguages }: MenuContext,
): string | null {
  if (language !== null) return languageTagFromName(language);
  const [main = "en"] = siteLanguages;
  const folderMain = conventions.languages.main;
  return siteLanguages.includes(folderMain) ? folderMain : main;
}
