import { readdirSync } from "node:fs";
import { join } from "node:path";
import {
  detectConventions,
  FIRST_HEADING,
  type FolderConventions,
  HUGO_SHORTCODE,
  WIKI_LINK,
} from "../content/import/conventions/folder-conventions.ts";
import { isHtmlFile } from "../content/import/file-path.ts";
import { readFrontMatter } from "../content/import/front-matter.ts";
import type { GeneratorChoice } from "../content/site/import-choices/generator-choices.ts";
import { readTextInAnyEncoding } from "./any-encoding.ts";
import { isPlainFolder } from "./folders/folder-files.ts";
import { findRepeatedPageParts } from "./html/survey-pages.ts";
import { type ImportFiles, isJsonLinesFile } from "./import-files.ts";
import { isFileBelow } from "./publish-files.ts";

interface FolderOptions {
  /** The language of texts that specify none. */
  language: string;
  /** IANA name of the site's time zone. */
  timeZone: string;
  /** The site generator that a person chose; absent: it is detected. */
  generator?: GeneratorChoice | undefined;
  /** Called between files to yield to the event loop. */
  yieldBetween?: (() => Promise<void>) | undefined;
}

/**
 * The conventions of the site generator that a folder was written for; null: a folder of this
 * service, or a single file.
 */
export async function detectFolderConventions(
  source: ImportFiles,
  { language, timeZone, generator, yieldBetween }: FolderOptions,
): Promise<FolderConventions | null> {
  if (source.isSiteFolder || !source.isFolder) return null;
  const texts = source.content.filter((file) => !isJsonLinesFile(file));
  const textOf = (file: string) => {
    if (!isFileBelow(source.root, file)) return "";
    const read = readTextInAnyEncoding(join(source.root, file));
    return "text" in read ? read.text : "";
  };

  const namesIn = (folder: string) => {
    const place = join(source.root, folder);
    return isPlainFolder(place) ? readdirSync(place) : [];
  };
  const scanTexts = async () => {
    const keys = new Set<string>();
    let hasShortcode = false;
    let hasWikiLink = false;
    let hasUntitled = false;
    for (const file of texts) {
      await yieldBetween?.();
      const text = textOf(file);
      hasShortcode ||= HUGO_SHORTCODE.test(text);
      hasWikiLink ||= !isHtmlFile(file) && WIKI_LINK.test(text);
      const { values, body } = readFrontMatter(text);
      for (const key of Object.keys(values)) keys.add(key);
      const isTitled = Object.keys(values).length > 0 || FIRST_HEADING.test(body);
      hasUntitled ||= !isTitled && body.trim() !== "";
    }
    return { keys, hasShortcode, hasWikiLink, hasUntitled };
  };
  const conventions = await detectConventions({
    ...{ namesIn, files: source.files, texts, language, timeZone, generator, textOf, scanTexts },
    yieldBetween: async () => await yieldBetween?.(),
  });
  if (conventions === null) return null;
  const readable = texts.filter((file) => isFileBelow(source.root, file));
  const repeatedNear = await findRepeatedPageParts({
    root: source.root,
    texts: readable,
    yieldBetween,
  });
  return { ...conventions, repeatedNear };
}
