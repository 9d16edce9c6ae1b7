/**
 * The order of an item's page. `article`: text, then facts; `profile`: facts, then text; `event`:
 * date and place, text, then other facts; `list`: the items that link to it, then text.
 */
export const LAYOUTS = ["article", "profile", "event", "list"] as const;
export type Layout = (typeof LAYOUTS)[number];
