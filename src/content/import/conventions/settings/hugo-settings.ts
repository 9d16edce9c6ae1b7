import { parseYamlMapping } from "../../front-matter.ts";
import { isRecord } from "../../item-parsing.ts";
import { hugoPostFolders } from "../../posts/post-folders.ts";
import { parseToml } from "../../toml.ts";
import type { ReadSettingsFile, SiteGenerator } from "../site-generator.ts";
import { createHugoExclusionMatcher } from "./hugo-exclusions.ts";
import { fillPermalink } from "./permalinks.ts";
import { frontMatterOfSections, parseHugoFrontMatterDefaults } from "./section-defaults.ts";

type Settings = Readonly<Record<string, unknown>>;

const CONFIG_FOLDERS = ["", "config/_default/"] as const;
const CONFIG_NAMES = ["hugo", "config"] as const;

/** Reads the addresses, languages and defaults of pages from Hugo's settings and sections. */
export function readHugoSettings(
  read: ReadSettingsFile,
  files: readonly string[],
): Partial<SiteGenerator> {
  const found = CONFIG_FOLDERS.flatMap((folder) =>
    CONFIG_NAMES.map((name) => settingsAt(folder + name, read)),
  );
  const settings: Settings = Object.assign({}, ...found);
  const permalinks = permalinksIn({
    ...recordOf(settings["permalinks"]),
    ...settingsAt("config/_default/permalinks", read),
  });
  const languages = {
    ...recordOf(settings["languages"]),
    ...settingsAt("config/_default/languages", read),
  };
  const main = settings["defaultcontentlanguage"] ?? "en";
  const dropsMain = settings["defaultcontentlanguageinsubdir"] !== true;
  const folders = contentFolders(
    { ...settings, defaultcontentlanguage: main },
    languages,
    dropsMain,
  );
  const modules = {
    ...recordOf(settings["module"]),
    ...settingsAt("config/_default/module", read),
  };
  return {
    contentFolders: folders,
    isExcluded: createHugoExclusionMatcher(settings["ignorefiles"], modules["mounts"]),
    defaultsOf: parseHugoFrontMatterDefaults(
      settings["cascade"],
      frontMatterOfSections(read, files),
      (file) => {
        const folder = Object.keys(folders).find((each) => file.startsWith(`${each}/`));
        return folder === undefined ? file : file.slice(folder.length + 1);
      },
    ),
    dropsMainLanguage: dropsMain,
    languageNames: Object.keys(languages),
    ...mainSectionsIn(settings, read),
    siteValues: siteValuesIn(settings, read),
    ...taxonomiesIn(recordOf(settings["taxonomies"])),
    hasFileAddresses: settings["uglyurls"] === true,
    ...(typeof settings["defaultcontentlanguage"] === "string"
      ? { mainLanguage: settings["defaultcontentlanguage"] }
      : {}),
    addressOf(page) {
      const { place } = page;
      const isList = /(?:^|\/)_index\.\w+$/.test(place);
      const pattern = permalinks.get(place.split("/")[0] ?? "");
      if (isList || pattern === undefined || !place.includes("/")) return null;
      return fillPermalink(pattern, page);
    },
  };
}

/** The sections of posts: `mainSections`, at the top level or among the theme's parameters. */
function mainSectionsIn(settings: Settings, read: ReadSettingsFile): Pick<SiteGenerator, "posts"> {
  const parameters = parametersIn(settings, read);
  const raw = [settings["mainsections"] ?? parameters["mainsections"] ?? []].flat();
  const sections = raw.filter((name) => typeof name === "string" && name !== "");
  return sections.length === 0 ? {} : { posts: hugoPostFolders(sections.map(String)) };
}

/** The parameters of the site. Their names are in lower case, because Hugo ignores case. */
function parametersIn(settings: Settings, read: ReadSettingsFile): Settings {
  return {
    ...withLowerCaseKeys(recordOf(settings["params"])),
    ...settingsAt("config/_default/params", read),
  };
}

function siteValuesIn(settings: Settings, read: ReadSettingsFile): Record<string, string> {
  return Object.fromEntries(
    Object.entries(parametersIn(settings, read)).flatMap(([name, value]) =>
      typeof value === "string" || typeof value === "number" ? [[name, String(value)]] : [],
    ),
  );
}

/** Taxonomies in the settings replace the default taxonomies, which are tags and categories. */
function taxonomiesIn(raw: Settings): Pick<SiteGenerator, "topicKeys" | "termFolders"> {
  const names = Object.values(raw).filter((name) => typeof name === "string");
  if (names.length === 0) return {};
  return {
    topicKeys: names.filter((name) => !/^authors?$/.test(name)),
    termFolders: Object.fromEntries(names.map((name) => [name, [name]])),
  };
}

/** Content folders, each with its path on the site. A language may have its own content folder. */
function contentFolders(
  settings: Settings,
  languages: Settings,
  dropsMain: boolean,
): Record<string, string> {
  const folder = textOf(settings["contentdir"]) ?? "content";
  const folders = Object.entries(languages).flatMap(([language, raw]) => {
    const own = textOf(withLowerCaseKeys(recordOf(raw))["contentdir"]);
    const isMain = dropsMain && language === settings["defaultcontentlanguage"];
    return own === null || own === folder ? [] : [[own, isMain ? "" : language] as const];
  });
  return { ...Object.fromEntries(folders), [folder]: "" };
}

/** Permalinks of pages, keyed by section. */
function permalinksIn(raw: Settings): Map<string, string> {
  const pagePermalinks = { ...raw, ...recordOf(raw["page"]) };
  return new Map(
    Object.entries(pagePermalinks).flatMap(([section, pattern]) =>
      typeof pattern === "string" ? [[section.toLowerCase(), pattern] as const] : [],
    ),
  );
}

function settingsAt(name: string, read: ReadSettingsFile): Settings {
  const toml = read(`${name}.toml`);
  if (toml !== null) {
    const found = parseToml(toml);
    return withLowerCaseKeys("values" in found ? found.values : {});
  }
  // The parser for YAML also reads JSON.
  const yaml = read(`${name}.yaml`) ?? read(`${name}.yml`) ?? read(`${name}.json`);
  return yaml === null ? {} : withLowerCaseKeys(parseYamlMapping(yaml, 0).values);
}

function withLowerCaseKeys(settings: Settings): Settings {
  return Object.fromEntries(
    Object.entries(settings).map(([key, value]) => [key.toLowerCase(), value]),
  );
}

function recordOf(value: unknown): Settings {
  return isRecord(value) ? value : {};
}

function textOf(value: unknown): string | null {
  return typeof value === "string" ? value.replace(/^\.\/|\/$/g, "") : null;
}
