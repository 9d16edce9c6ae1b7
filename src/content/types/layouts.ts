/**
 * Ways to arrange the page of an item: `article`, its text before its facts; `profile`, its facts
 * before its text; `event`, when and where before its text, other facts after it; `list`, the items
 * that link to it before its text.
 */
export const LAYOUTS = ["article", "profile", "event", "list"] as const;
export type Layout = (typeof LAYOUTS)[number];
