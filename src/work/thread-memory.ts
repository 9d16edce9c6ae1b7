/**
 * Young-generation limit of a background thread, in megabytes. By default V8 lets it grow to 96 per
 * thread, mostly uncollected garbage.
 */
export const THREAD_YOUNG_MEGABYTES = 16;
