/** Limit that bounds the time, because each missing passage is searched for in the whole text. */
const MISSING_MAX = 200;

/**
 * The first {@link MISSING_MAX} passages that do not occur in the text. Compares only letters and
 * digits.
 */
export function findMissingPassages(passages: readonly string[], text: string): string[] {
  const written = lettersOf(text);
  const missing: string[] = [];
  let from = 0;
  for (const passage of passages) {
    const letters = lettersOf(passage);
    // Most passages follow the previous passage, so the search starts there.
    const ahead = written.indexOf(letters, from);
    const found = ahead < 0 ? written.indexOf(letters) : ahead;
    if (found >= 0) from = found + letters.length;
    else missing.push(passage);
    if (missing.length === MISSING_MAX) break;
  }
  return missing;
}

function lettersOf(text: string): string {
  return text.normalize("NFC").replace(/[^\p{L}\p{N}]+/gu, "");
}
