import type { Wording } from "../../../../errors.ts";
import { dropLoneSurrogate } from "../../../../search/language/folding.ts";
import type { Menu } from "../../../site/menu.ts";
import type { ForeignMenuEntry } from "./foreign-menu.ts";

/** Maps the address or file that a menu entry names to a path on this site. */
export type PathsByMenuTarget = ReadonlyMap<string, string>;

type Warn = (at: { file: string; line: number }, message: Wording) => void;
type Link = Menu[number]["entries"][number];

const ENTRIES_MAX = 12;
const LABEL_CHARACTERS_MAX = 60;
const ADDRESS_CHARACTERS_MAX = 1000;

/**
 * Converts a navigation to a menu of this service, which has two levels of at most twelve entries.
 */
export function convertForeignMenu(
  entries: readonly ForeignMenuEntry[],
  targets: PathsByMenuTarget,
  warn: Warn,
): Menu {
  const menu = entries.flatMap((entry): Menu => {
    const link = linkOf(entry, targets, warn);
    const children = atMost(
      entry.entries.flatMap((each) => secondLevelLinks(each, targets, warn)),
      entry,
      warn,
    );
    const label = labelOf(entry.label) ?? link?.label;
    if (link === null && (label === undefined || children.length === 0)) return [];
    return [
      {
        ...(label === undefined ? {} : { label }),
        ...(link === null ? {} : { to: link.to }),
        entries: children,
      },
    ];
  });
  const [first] = entries;
  return first === undefined ? [] : atMost(menu, first, warn);
}

/**
 * Returns the link for an entry of the second level. A heading gets the target of the first link below it.
 */
function secondLevelLinks(entry: ForeignMenuEntry, targets: PathsByMenuTarget, warn: Warn): Link[] {
  const link = linkOf(entry, targets, warn);
  const deeper = entry.entries.flatMap((each) => secondLevelLinks(each, targets, warn));
  const [first] = deeper;
  const shown = link ?? (first === undefined ? null : { ...first, ...labelled(entry.label) });
  const leftOut = deeper.length - (link === null ? 1 : 0);
  if (leftOut > 0) warn(entry, tooDeep(leftOut));
  return shown === null ? [] : [shown];
}

function linkOf(
  { label, to, ...at }: ForeignMenuEntry,
  targets: PathsByMenuTarget,
  warn: Warn,
): Link | null {
  if (to === null) return null;
  const isElsewhere = /^(?:https?:\/\/|mailto:)/i.test(to);
  if (isElsewhere && URL.canParse(to) && to.length <= ADDRESS_CHARACTERS_MAX) {
    return { label: labelOf(label) ?? shortened(to.replace(/^\w+:(?:\/\/)?/, "")), to };
  }
  const target = targets.get(to);
  if (target === undefined || /[\s\\]/.test(target) || target.length > ADDRESS_CHARACTERS_MAX) {
    warn(at, targetMissing(to));
    return null;
  }
  return { ...labelled(label), to: target };
}

function labelled(label: string | null): { label?: string } {
  const found = labelOf(label);
  return found === undefined ? {} : { label: found };
}

function labelOf(label: string | null): string | undefined {
  const text = label?.replaceAll(/\s+/g, " ").trim() ?? "";
  return text === "" ? undefined : shortened(text);
}

function shortened(text: string): string {
  if (text.length <= LABEL_CHARACTERS_MAX) return text;
  return `${dropLoneSurrogate(text.slice(0, LABEL_CHARACTERS_MAX - 1))}…`;
}

function atMost<Entry>(entries: readonly Entry[], at: ForeignMenuEntry, warn: Warn): Entry[] {
  if (entries.length > ENTRIES_MAX) warn(at, tooMany(entries.length - ENTRIES_MAX));
  return entries.slice(0, ENTRIES_MAX);
}

function targetMissing(to: string): Wording {
  const shown = to.slice(0, 200);
  return {
    en: `the navigation leads to "${shown}", which is not a page of this import; the entry is left out`,
    de: `die Navigation führt zu „${shown}“; das ist keine Seite dieses Imports, und der Eintrag wird weggelassen`,
  };
}

function tooDeep(count: number): Wording {
  return {
    en: `the navigation has two levels here; entries below this one are left out: ${count}`,
    de: `die Navigation hat hier zwei Ebenen; Einträge unter diesem werden weggelassen: ${count}`,
  };
}

function tooMany(count: number): Wording {
  return {
    en: `the navigation has at most ${ENTRIES_MAX} entries at a level; further ones are left out: ${count}`,
    de: `die Navigation hat höchstens ${ENTRIES_MAX} Einträge je Ebene; weitere werden weggelassen: ${count}`,
  };
}
