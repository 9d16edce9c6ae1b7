/**
 * Returns a function that returns a higher number on each call. As a version of the keys, these numbers
 * keep a process without key notifications from caching keys.
 */
export function uniqueVersions(): () => number {
  let version = 0;
  return () => {
    version += 1;
    return version;
  };
}
