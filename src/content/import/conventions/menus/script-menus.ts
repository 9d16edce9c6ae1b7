import type { Wording } from "../../../../errors.ts";
import type { ReadSettingsFile } from "../site-generator.ts";
import {
  type ForeignMenuEntry,
  type MenuError,
  NO_MENUS,
  type ParsedMenus,
} from "./foreign-menu.ts";
import { parseLiteralAt, type ScriptLiteral } from "./script-literal.ts";

const SCRIPT_EXTENSIONS = ["js", "mjs", "cjs", "ts", "mts"] as const;
/** Types of entries that are controls rather than links. */
const CONTROL_ENTRIES: ReadonlySet<string> = new Set([
  ..."search localeDropdown docsVersionDropdown docsVersion html".split(" "),
]);

/** Reads `navbar.items` from the settings of Docusaurus. The settings are a script, which is never run. */
export function readDocusaurusMenus(read: ReadSettingsFile): ParsedMenus {
  return menusIn("docusaurus.config", /\bnavbar\s*:\s*/, {
    read,
    listOf: (found) => (found.kind === "object" ? found.values.get("items") : found),
    entry: (values) => ({
      to: textOf(values, "to") ?? textOf(values, "href") ?? textOf(values, "docId"),
      label: textOf(values, "label"),
    }),
  });
}

/** Reads `themeConfig.nav` of VitePress. */
export function readVitepressMenus(read: ReadSettingsFile): ParsedMenus {
  return menusIn(".vitepress/config", /\bnav\s*:\s*(?=\[)/, {
    read,
    listOf: (found) => found,
    entry: (values) => ({ to: textOf(values, "link"), label: textOf(values, "text") }),
  });
}

interface MenuFormat {
  read: ReadSettingsFile;
  /** Finds the list of entries in the literal that the settings contain. */
  listOf: (found: ScriptLiteral) => ScriptLiteral | undefined;
  entry: (values: ReadonlyMap<string, ScriptLiteral>) => {
    to: string | null;
    label: string | null;
  };
}

function menusIn(name: string, start: RegExp, { read, listOf, entry }: MenuFormat): ParsedMenus {
  const file = SCRIPT_EXTENSIONS.map((ending) => `${name}.${ending}`).find(
    (each) => read(each) !== null,
  );
  const text = file === undefined ? null : read(file);
  const listStart = start.exec(text ?? "");
  if (file === undefined || text === null || listStart === null) return NO_MENUS;
  const raw = parseLiteralAt(text, listStart.index + listStart[0].length);
  const list = listOf(raw);
  if (list?.kind !== "list") {
    const hasNoMenu = raw.kind === "object" && list === undefined;
    const fault = { file, line: raw.line, message: COMPUTED_MENU };
    return hasNoMenu ? NO_MENUS : { menus: [], faults: [fault] };
  }
  const faults: MenuError[] = [];
  const entriesOf = (values: readonly ScriptLiteral[]): ForeignMenuEntry[] =>
    values.flatMap((each) => {
      const { line } = each;
      if (each.kind !== "object") {
        faults.push({ file, line, message: COMPUTED_MENU });
        return [];
      }
      if (CONTROL_ENTRIES.has(textOf(each.values, "type") ?? "")) return [];
      const { to, label } = entry(each.values);
      const childItems = each.values.get("items");
      const entries = childItems?.kind === "list" ? entriesOf(childItems.values) : [];
      if (to === null && entries.length === 0) {
        faults.push({ file, line, message: COMPUTED_MENU });
        return [];
      }
      return [{ label, to, file, line, entries }];
    });
  const entries = entriesOf(list.values);
  return { menus: [{ language: null, folders: ["", "docs"], entries }], faults };
}

const COMPUTED_MENU: Wording = {
  en: "this part of the navigation is computed by a script, which is not run; add the entry under Navigation",
  de: "dieser Teil der Navigation entsteht in einem Programm, das nicht ausgeführt wird; ergänzen Sie den Eintrag unter „Navigation“",
};

function textOf(values: ReadonlyMap<string, ScriptLiteral>, key: string): string | null {
  const found = values.get(key);
  return found?.kind === "text" && found.text.trim() !== "" ? found.text.trim() : null;
}
