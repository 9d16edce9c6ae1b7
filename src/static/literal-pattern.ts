/** A pattern that matches the text itself, for JavaScript, nginx and Caddy alike. */
export function literalPattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}
