/** Escapes the wildcards of `LIKE` with a backslash. */
export function likeText(text: string): string {
  return text.replaceAll(/[%_\\]/g, "\\$&");
}
