import type { RenderedBody } from "./rendered-body.ts";

/**
 * Matches one line of words and harmless punctuation. Excludes `@`, which may occur in an address, and
 * numbers that would start a list.
 */
const PLAIN_TEXT =
  /^(?!\d{1,9}[.)])[\p{L}\p{N}“„‘‚«»("'¿¡][\p{L}\p{M}\p{N} ,.;:?!()'"“”„‘’‚«»–—…¿¡/-]*$/u;
/**
 * Matches texts that rendering would change: a URL becomes a link, and repeated or final spaces are
 * removed.
 */
const SPECIAL_SEQUENCE = /\/\/| {2}| $/;

/**
 * The output of `renderBody` for a single plain paragraph, at a fiftieth of the cost. Null for any other
 * text.
 */
export function renderPlainBody(body: string): RenderedBody | null {
  if (!PLAIN_TEXT.test(body) || SPECIAL_SEQUENCE.test(body)) return null;
  return { html: `<p>${body}</p>`, markdown: body, text: body };
}
