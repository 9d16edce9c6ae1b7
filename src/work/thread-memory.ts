/**
 * Limit on the heap's young generation in a background thread, in megabytes. V8's default is 96, most of
 * which would be uncollected garbage.
 */
export const YOUNG_GENERATION_MEGABYTES_MAX = 16;
