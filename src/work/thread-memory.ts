/**
 * Limit of the young generation of a background thread, in megabytes. By default V8 lets it grow to 96 per
 * thread, most of it uncollected garbage.
 */
export const YOUNG_GENERATION_MEGABYTES_MAX = 16;
