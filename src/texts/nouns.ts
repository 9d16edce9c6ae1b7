/** The singular and plural of a type or group, such as "Quotation" and "Quotations". */
export interface Noun {
  one: string;
  other: string;
}

/**
 * A noun as it is written within a sentence: "press release" for "Press release". A word with capitals
 * after its first letter, such as "FAQ", stays unchanged.
 */
export function nounInSentence(noun: string): string {
  return noun.replaceAll(CAPITALISED_WORD, (word) => word.toLowerCase());
}

const CAPITALISED_WORD = /(?<!\p{L}\p{M}*)\p{Lu}[\p{Ll}\p{M}]+(?!\p{L})/gu;

/**
 * Whether the plural is uncountable, so that "3 News" would be wrong. In this case the declared
 * singular begins with the plural: "News item".
 */
export function isUncountable({ one, other }: Noun): boolean {
  return one.toLowerCase().startsWith(`${other.toLowerCase()} `);
}
