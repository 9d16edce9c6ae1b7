import { author } from "./author.ts";
import type { ContentType } from "./content-type.ts";
import { page } from "./page.ts";
import { quotation } from "./quotation.ts";
import { topic } from "./topic.ts";
import { work } from "./work.ts";

/** The built-in types, in display order. */
export const BUILT_IN_TYPES: readonly ContentType[] = [page, topic, author, work, quotation];

/**
 * The built-in types whose pages have a layout. Quotations have none: their pages are always
 * arranged in the same way.
 */
export const TYPES_WITH_LAYOUT: readonly ContentType[] = [page, topic, author, work];
