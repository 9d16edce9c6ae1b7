/** A regular expression that matches only this text, for JavaScript, nginx and Caddy alike. */
export function escapeForRegExp(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}
