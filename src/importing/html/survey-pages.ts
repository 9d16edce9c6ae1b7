import { dirname, join } from "node:path";
import { isHtmlFile } from "../../content/import/file-path.ts";
import { xhtmlToHtml } from "../../content/import/html/html-page.ts";
import type { PagePartsAndTitle } from "../../content/import/html/repeated-parts.ts";
import {
  findRepeatedParts,
  NO_REPEATED_PARTS,
  type RepeatedParts,
} from "../../content/import/html/repeated-parts.ts";
import { readTextInAnyEncoding } from "../any-encoding.ts";
import { convertHtmlWithinLimits } from "./read-text.ts";

/**
 * Folders with at least this many pages are compared separately. The pages of all smaller folders are
 * compared together.
 */
const FOLDER_PAGES_MIN = 4;
/** Maximum number of pages compared per folder. Larger folders are sampled at even intervals. */
const PAGES_COMPARED_MAX = 60;
/**
 * Pages longer than this are not compared: shorter pages show which parts repeat, at a fraction of
 * the cost.
 */
const CHARACTERS_COMPARED_MAX = 500_000;

interface PagesOfFolder {
  root: string;
  /** Paths of the text files, relative to the root. */
  texts: readonly string[];
  /** Called between files to yield to the event loop. */
  yieldBetween?: (() => Promise<void>) | undefined;
}

/**
 * Finds what repeats across the HTML pages of each folder, such as navigation. The returned function
 * returns the repeated parts of a given file.
 */
export async function findRepeatedPageParts({
  root,
  texts,
  yieldBetween,
}: PagesOfFolder): Promise<(file: string) => RepeatedParts> {
  const byFolder = Map.groupBy(texts.filter(isHtmlFile), dirname);
  const isLarge = ([, pages]: [string, string[]]) => pages.length >= FOLDER_PAGES_MIN;
  const others = [...byFolder].filter((entry) => !isLarge(entry)).flatMap(([, pages]) => pages);
  const repeated = new Map<string, RepeatedParts>();
  for (const [folder, pages] of [...[...byFolder].filter(isLarge), [OTHERS, others] as const]) {
    const profiles: PagePartsAndTitle[] = [];
    for (const file of evenly(pages)) {
      await yieldBetween?.();
      const read = readTextInAnyEncoding(join(root, file));
      if (!("text" in read) || read.text.length > CHARACTERS_COMPARED_MAX) continue;
      const { profile } = await convertHtmlWithinLimits({
        output: "profile",
        html: xhtmlToHtml(file, read.text),
      });
      if (profile !== undefined) profiles.push(profile);
    }
    repeated.set(folder, findRepeatedParts(profiles));
  }
  return (file) => repeated.get(dirname(file)) ?? repeated.get(OTHERS) ?? NO_REPEATED_PARTS;
}

/** The key for the pages of all small folders. No folder has this name. */
const OTHERS = "\0";

function evenly(pages: readonly string[]): string[] {
  const step = Math.max(1, pages.length / PAGES_COMPARED_MAX);
  return pages.filter((_page, at) => Math.floor(at / step) !== Math.floor((at - 1) / step));
}
