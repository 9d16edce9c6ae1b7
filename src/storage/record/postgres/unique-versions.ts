/** Returns an ever higher version of the keys, so that a process without key notifications caches none. */
export function uniqueVersions(): () => number {
  let version = 0;
  return () => {
    version += 1;
    return version;
  };
}
