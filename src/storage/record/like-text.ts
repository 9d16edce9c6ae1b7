/** Escapes the wildcards of `LIKE` with a backslash. */
export function escapeLikeWildcards(text: string): string {
  return text.replaceAll(/[%_\\]/g, "\\$&");
}
