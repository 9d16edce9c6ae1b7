/**
 * Parses the number of a version or a delivery in a form or an address. Returns 0, which none has,
 * for any other text.
 */
export function wholeNumber(text: string): number {
  return /^\d{1,9}$/.test(text) ? Number(text) : 0;
}
