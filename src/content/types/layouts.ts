/**
 * How an item's page is arranged, from top to bottom. `article`: text, then facts; `profile`:
 * facts, then text; `event`: date and place, text, then other facts; `list`: the items that link to
 * the item, then text.
 */
export const LAYOUTS = ["article", "profile", "event", "list"] as const;
export type Layout = (typeof LAYOUTS)[number];

/** The layout of types that declare none. */
export const DEFAULT_LAYOUT: Layout = "article";

export function isLayout(name: string): name is Layout {
  return LAYOUTS.some((layout) => layout === name);
}
