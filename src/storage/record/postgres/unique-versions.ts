/**
 * Returns a function that returns a higher number on each call. A process that gets no key notifications
 * uses these numbers as the version of the keys, so that it never caches keys.
 */
export function createVersionCounter(): () => number {
  let version = 0;
  return () => {
    version += 1;
    return version;
  };
}
