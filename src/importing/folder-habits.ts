import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { readFrontMatter } from "../content/import/front-matter.ts";
import { type FolderHabits, habitsOf } from "../content/import/habits/folder-habits.ts";
import { type ImportFiles, isLinesFile, readText } from "./import-files.ts";
import { isFileBelow } from "./publish-files.ts";

/**
 * The program that a folder was written for; null: this one, or a single file.
 *
 * @param language of texts that state none.
 */
export function habitsOfFolder(source: ImportFiles, language: string): FolderHabits | null {
  if (source.siteFile !== null || !source.isFolder) return null;
  const texts = source.content.filter((file) => !isLinesFile(file));
  const textOf = (file: string) => {
    if (!isFileBelow(source.root, file)) return "";
    const read = readText(join(source.root, file));
    return "text" in read ? read.text : "";
  };
  const namesIn = (folder: string) => {
    const place = join(source.root, folder);
    const isThere = lstatSync(place, { throwIfNoEntry: false })?.isDirectory() === true;
    return isThere ? readdirSync(place) : [];
  };
  return habitsOf({
    namesIn,
    files: source.files,
    texts,
    language,
    textOf,
    keysOf: (file) => Object.keys(readFrontMatter(textOf(file)).values),
  });
}
