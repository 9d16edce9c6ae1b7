import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { replaceFile } from "../files/durable-files.ts";

/**
 * Name of the site mark: the file in a data folder that identifies its site, even when the store is
 * missing.
 */
export const SITE_MARK_FILE = "site.json";

const markSchema = z.object({ siteId: z.string() });

/** The id of the site that a data folder belongs to; null if the mark is missing or unreadable. */
export function readSiteMark(folder: string): string | null {
  try {
    return markSchema.parse(JSON.parse(readFileSync(join(folder, SITE_MARK_FILE), "utf8"))).siteId;
  } catch {
    return null;
  }
}

/** Replaces the mark atomically. */
export async function writeSiteMark(folder: string, siteId: string): Promise<void> {
  const about = "Shows that this folder holds a Commonplace site. Leave it here";
  await replaceFile(
    join(folder, SITE_MARK_FILE),
    `${JSON.stringify({ siteId, about }, null, 2)}\n`,
  );
}
