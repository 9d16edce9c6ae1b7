import { z } from "zod";
import type { Copied } from "./copy-site.ts";

/** A line of the journal of a copy: an address, or where a copy begins or ends. */
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

/** Reads a line of the journal; null if it was cut off. */
export function readCopyLine(line: string): CopyLine | null {
  try {
    return lineSchema.safeParse(JSON.parse(line)).data ?? null;
  } catch {
    return null;
  }
}
