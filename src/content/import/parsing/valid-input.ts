import type { z } from "zod";
import { describeIssue } from "../../items/issue-messages.ts";
import { type ItemInput, itemInputSchema, REDIRECTS_PER_ITEM_MAX } from "../../items/item.ts";

/**
 * Validates the parts of an item. A malformed former address is left out and reported; it does not
 * reject the item.
 */
export function parseItemInput(candidate: Readonly<Record<string, unknown>>): {
  input: ItemInput | null;
  issues: readonly z.core.$ZodIssue[];
} {
  const whole = itemInputSchema.safeParse(candidate, { error: describeIssue });
  if (whole.success) return { input: whole.data, issues: [] };
  const { issues } = whole.error;
  const { redirectFrom: addresses } = candidate;
  const isAboutAddresses = issues.every(({ path: [key] }) => key === "redirectFrom");
  if (!isAboutAddresses || !Array.isArray(addresses)) return { input: null, issues };
  const faulty = new Set(issues.map(({ path: [, position] }) => position));
  const redirectFrom = addresses.filter((_, position) => !faulty.has(position));
  const rest = { ...candidate, redirectFrom: redirectFrom.slice(0, REDIRECTS_PER_ITEM_MAX) };
  return { input: itemInputSchema.safeParse(rest).data ?? null, issues };
}
