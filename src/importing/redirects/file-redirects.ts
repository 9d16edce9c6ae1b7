import { join } from "node:path";
import type { ContentReader } from "../../content/record.ts";
import type { SurveyedSource } from "../folders/survey-items.ts";
import type { ListingFilePublisher } from "../publish-files.ts";
import type { RedirectFromFile } from "./import-redirects.ts";

/**
 * Redirects from the addresses that files had on the former site. Files that only drafts use get no
 * redirects, because a redirect makes its file public.
 */
export async function planFormerFileRedirects(
  record: Pick<ContentReader, "showsFile">,
  surveyed: readonly Pick<SurveyedSource, "source" | "conventions">[],
  { published }: Pick<ListingFilePublisher, "published">,
  yieldBetween?: () => Promise<void>,
): Promise<RedirectFromFile[]> {
  const rules: RedirectFromFile[] = [];
  for (const { source, conventions } of surveyed) {
    for (const name of conventions === null ? [] : source.files) {
      const file = join(source.root, name);
      const to = published.get(file);
      const from = conventions?.addressOfFile(name) ?? null;
      if (to === undefined || from === null || to === from) continue;
      await yieldBetween?.();
      if (await record.showsFile(to)) rules.push({ file, line: 1, from: encodedPath(from), to });
    }
  }
  return rules;
}

function encodedPath(path: string): string {
  return path.split("/").map(encodeURIComponent).join("/");
}

/**
 * Returns redirects from the addresses of a folder's former lists and feeds to the addresses that replace
 * them.
 */
export function planRedirectsFromFormerLists({
  source: { root: file },
  lists,
}: SurveyedSource): RedirectFromFile[] {
  return [...lists].map(([from, to]) => ({ file, line: 1, from, to }));
}
