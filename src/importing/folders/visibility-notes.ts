import type { ImportEventHandlers } from "../../content/import/import-events.ts";
import type { Wording } from "../../errors.ts";

const NAMED_MAX = 5;

/**
 * Records which pages an import makes public or hides. The import must use the returned `events`, which
 * replace the given events. `report` sends notes about the recorded pages.
 */
export function trackVisibilityChanges(events: ImportEventHandlers): {
  events: ImportEventHandlers;
  report: () => void;
} {
  const named = { public: new Set<string>(), hidden: new Set<string>() };
  const counts = { public: 0, hidden: 0 };
  return {
    events: {
      ...events,
      onVisibility(change, path) {
        counts[change] += 1;
        if (named[change].size < NAMED_MAX) named[change].add(path);
      },
    },
    report() {
      for (const change of ["public", "hidden"] as const) {
        if (counts[change] > 0) events.onNote?.(NOTES[change](counts[change], [...named[change]]));
      }
    },
  };
}

const NOTES: Record<"public" | "hidden", (count: number, paths: readonly string[]) => Wording> = {
  public: (count, paths) => ({
    en: `Public now: ${shown(count, paths, "such as")}`,
    de: `Jetzt öffentlich: ${shown(count, paths, "zum Beispiel")}`,
  }),
  hidden: (count, paths) => ({
    en: `Drafts in place of pages of the new site, which are not public any more: ${shown(count, paths, "such as")}; correct the links to them`,
    de: `Entwürfe anstelle von Seiten der neuen Website, die nicht mehr öffentlich sind: ${shown(count, paths, "zum Beispiel")}; berichtigen Sie Links dorthin`,
  }),
};

function shown(count: number, paths: readonly string[], suchAs: string): string {
  const list = paths.join(", ");
  return count > paths.length ? `${count}, ${suchAs} ${list}` : list;
}
