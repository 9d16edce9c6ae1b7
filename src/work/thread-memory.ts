/**
 * Megabytes of the young generation of a background thread. By default V8 lets it grow to 96 in each
 * thread, mostly garbage that is still to be collected.
 */
export const THREAD_YOUNG_MEGABYTES = 16;
