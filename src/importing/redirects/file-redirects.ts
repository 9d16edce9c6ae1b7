import { join } from "node:path";
import type { SurveyedFiles } from "../folders/survey-items.ts";
import type { ListingFilePublisher } from "../publish-files.ts";
import type { FiledRule } from "./import-redirects.ts";

/** Redirects from the addresses that the published files of a folder had on the former site. */
export function fileRedirects(
  { source: { root, files }, conventions }: Pick<SurveyedFiles, "source" | "conventions">,
  { published }: Pick<ListingFilePublisher, "published">,
): FiledRule[] {
  if (conventions === null) return [];
  return files.flatMap((name) => {
    const file = join(root, name);
    const to = published.get(file);
    const from = conventions.addressOfFile(name);
    const isMoved = to !== undefined && from !== null && to !== from;
    return isMoved ? [{ file, line: 1, from: encodedPath(from), to }] : [];
  });
}

function encodedPath(path: string): string {
  return path.split("/").map(encodeURIComponent).join("/");
}
