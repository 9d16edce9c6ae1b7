/**
 * Parses the number of a version or a delivery in a form or an address. Returns 0 for any other
 * text. No version or delivery has the number 0.
 */
export function parseWholeNumber(text: string): number {
  return /^\d{1,9}$/.test(text) ? Number(text) : 0;
}
