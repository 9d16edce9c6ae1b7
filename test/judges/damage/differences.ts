/** Whether an answer only leaves out, repeats or reorders words of the expected one. */
export function hasOnlyWordsOf(text: string, expected: string): boolean {
  const known = new Set(wordsShown(expected));
  return wordsShown(text).every((word) => known.has(word));
}

/**
 * Whether an answer only gives names with or without their addresses where the expected one does not. Tools
 * leave out the address of a name that belongs to a single item, which a damaged index can hide.
 */
export function differsInAddressesOnly(text: string, expected: string): boolean {
  return withoutAddresses(text) === withoutAddresses(expected);
}

/** An answer without the tokens in its forms, which a stored secret signs and no reader sees. */
export function withoutTokens(text: string): string {
  return text.replaceAll(/(type="hidden" name="opened" value=")[^"]*/g, "$1");
}

/** Without the addresses of names, and names as plain texts. */
export function withoutAddresses(text: string): string {
  return withoutLength(text)
    .replaceAll(/ <https:[^>\s]*>/g, "")
    .replaceAll(/,\\*"url\\*":\\*"https:[^"\\]*\\*"/g, "")
    .replaceAll(/\{\\*"name\\*":([^{}]*)\}/g, "$1");
}

function wordsShown(text: string): string[] {
  return withoutLength(text).split(/[\s<>"]+/);
}

/** An answer without a tool's figure for the length of a text, which depends on the text. */
function withoutLength(text: string): string {
  return text.replaceAll(/characters: 0-(\d+) of \1\b/g, "");
}
