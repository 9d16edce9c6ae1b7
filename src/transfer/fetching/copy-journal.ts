import { z } from "zod";
import type { UrlCopyOutcome } from "./copy-site.ts";

/** A line of the journal of copies: a copied address, or the start or end of a copy. */
export type JournalLine = UrlCopyOutcome | { copy: "begins" | "ends" };

const optionalText = z.string().exactOptional();
const lineSchema = z.union([
  z.object({ copy: z.enum(["begins", "ends"]) }),
  z.object({
    url: z.url(),
    file: optionalText,
    isPage: z.boolean().exactOptional(),
    leadsTo: optionalText,
    isGone: z.boolean().exactOptional(),
    etag: optionalText,
    lastModified: optionalText,
  }),
]);

/** Parses a line of the journal; null if it is truncated. */
export function parseJournalLine(line: string): JournalLine | null {
  try {
    return lineSchema.safeParse(JSON.parse(line)).data ?? null;
  } catch {
    return null;
  }
}
