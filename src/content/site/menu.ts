import { z } from "zod";
import { createIssueMessage } from "../items/issue-messages.ts";

const ENTRIES_MAX = 12;
const LABEL_CHARACTERS_MAX = 60;
const ADDRESS_CHARACTERS_MAX = 1000;

const labelSchema = z
  .string()
  .overwrite((text) => text.replace(/\s+/g, " ").trim())
  .min(1)
  .max(LABEL_CHARACTERS_MAX);

const toSchema = z
  .string()
  .trim()
  .max(ADDRESS_CHARACTERS_MAX)
  .refine(isAddress, {
    error: createIssueMessage({
      en: "is neither a path of this site, as /about, nor an address, as https://example.org",
      de: "ist weder eine Adresse dieser Website wie /about noch eine fremde wie https://example.org",
    }),
  });

const linkSchema = z
  .strictObject({ label: labelSchema.exactOptional(), to: toSchema })
  .refine(hasLabel, {
    path: ["label"],
    error: createIssueMessage({
      en: "is needed for a link to another site",
      de: "fehlt: Ein Link zu einer anderen Website braucht eine",
    }),
  });

const entrySchema = z
  .strictObject({
    /** The text of the entry; absent: the title of the page. */
    label: labelSchema.exactOptional(),
    to: toSchema.exactOptional(),
    /** The second level of the menu. */
    entries: z.array(linkSchema).max(ENTRIES_MAX).default([]),
  })
  .refine(hasLabel, {
    path: ["label"],
    error: createIssueMessage({
      en: "is needed for a link to another site, and for a heading",
      de: "fehlt: Ein Link zu einer anderen Website und eine Überschrift brauchen eine",
    }),
  })
  .refine(({ to, entries }) => to !== undefined || entries.length > 0, {
    path: ["to"],
    error: createIssueMessage({
      en: "is needed for an entry without entries below it",
      de: "fehlt: Ein Eintrag ohne Einträge darunter braucht eine",
    }),
  });

/** The main navigation as an editor ordered it. */
export const menuSchema = z.array(entrySchema).max(ENTRIES_MAX);

export type Menu = z.output<typeof menuSchema>;

function isAddress(text: string): boolean {
  if (/^\/(?!\/)/.test(text)) return !/[\s\\]/.test(text);
  return /^(?:https?:\/\/|mailto:)/.test(text) && URL.canParse(text);
}

function hasLabel({ label, to }: { label?: string; to?: string }): boolean {
  return label !== undefined || to?.startsWith("/") === true;
}
