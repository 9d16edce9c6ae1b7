import type { FolderConventions } from "../../content/import/conventions/folder-conventions.ts";
import { avoidReservedPath, toFormerSitePath } from "../../content/import/file-path.ts";
import type { SiteLookup } from "../../content/import/markdown-links.ts";
import type { FolderSurvey, SurveyedSource } from "./survey-items.ts";

/** Looks up the files and pages of a folder by their addresses on the former site. */
export function createFormerSiteLookup(
  { filesAt, languages }: FolderConventions,
  { owners, former }: FolderSurvey,
  lists: SurveyedSource["lists"],
): SiteLookup {
  const listsByAddress = new Map([...lists].map(([from, to]) => [toFormerSitePath(from), to]));
  for (const to of lists.values()) {
    const list = to.replace(/\/feed\.atom$/, "");
    listsByAddress.set(to, to).set(list, list);
  }
  const pageAt = (path: string): string | undefined => {
    const moved = avoidReservedPath(path);
    return owners.has(moved)
      ? moved
      : (former.get(path) ?? former.get(`${path}/`) ?? listsByAddress.get(path));
  };
  return {
    filesAt,
    pageAt(path) {
      const fallback = languages.fallbackOf(path);
      return pageAt(path) ?? (fallback === null ? undefined : pageAt(fallback));
    },
  };
}
