/** What LibreOffice writes before a paragraph: `1.`, `§ 2`, `(a)`, `1.2`; no bullet. */
const NUMBERED = /^\s*((?:§ )?\(?(?:\d+|[a-z])(?:\.\d+)*[.)]?)\s+(\p{L}+)/u;
const WORD_OR_DATE = /^(?:[a-z]|\d+)$/;

/**
 * The numbers at the start of the lines of a text, each with the first word after it. `1)` equals `1.`, as a
 * list on a page shows both.
 */
export function numbersIn(text: string): string[] {
  return text.split("\n").flatMap((line) => {
    const [, number = "", word = ""] = NUMBERED.exec(line) ?? [];
    if (number === "" || WORD_OR_DATE.test(number)) return [];
    return [`${number.replace(/^(\d+)\)$/, "$1.")} ${word}`];
  });
}
