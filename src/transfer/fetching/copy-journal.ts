import { z } from "zod";
import type { Copied } from "./copy-site.ts";

/** A line of a copy's journal: an address, or the start or end of a copy. */
export type CopyLine = Copied | { copy: "begins" | "ends" };

const text = z.string().exactOptional();
const lineSchema = z.union([
  z.object({ copy: z.enum(["begins", "ends"]) }),
  z.object({
    url: z.url(),
    file: text,
    isPage: z.boolean().exactOptional(),
    leadsTo: text,
    etag: text,
    lastModified: text,
  }),
]);

/** Parses a line of the journal; null if it is truncated. */
export function readCopyLine(line: string): CopyLine | null {
  try {
    return lineSchema.safeParse(JSON.parse(line)).data ?? null;
  } catch {
    return null;
  }
}
