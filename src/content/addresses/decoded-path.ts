/**
 * Decodes a path, except for escaped characters that have a meaning in URLs, such as `%2F`. Returns
 * null if the path is not well-formed UTF-8.
 */
export function decodePathKeepingReserved(path: string): string | null {
  try {
    return decodeURI(path);
  } catch {
    return null;
  }
}
