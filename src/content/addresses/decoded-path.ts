/** A path without escapes but those of reserved characters; null if they are not well-formed UTF-8. */
export function decodedPath(path: string): string | null {
  try {
    return decodeURI(path);
  } catch {
    return null;
  }
}
