/** A path with only reserved characters escaped; null if it is not well-formed UTF-8. */
export function decodedPath(path: string): string | null {
  try {
    return decodeURI(path);
  } catch {
    return null;
  }
}
