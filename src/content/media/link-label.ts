/**
 * Escapes a text for the brackets of a Markdown link or image. Not only brackets matter: a backtick starts a
 * code span with any later one, which ends the link.
 */
export function escapeLinkLabel(text: string): string {
  return text.replaceAll(MARKUP, "\\$&");
}

/** An underscore within a word is plain text, as in `walk_1.png`. */
const MARKUP = /[\\`*[\]~]|<(?=[a-z/!?])|&(?=#?\w+;)|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/giu;
