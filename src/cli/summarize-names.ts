const NAMES_SHOWN_MAX = 5;

/** Lists the first five names, and gives the number of further names. */
export function summarizeNames(names: readonly string[]): string {
  const shown = names.slice(0, NAMES_SHOWN_MAX).join(", ");
  const more = names.length - NAMES_SHOWN_MAX;
  return more > 0 ? `${shown} and ${more} more` : shown;
}
