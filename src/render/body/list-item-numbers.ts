/** Numbers the items of ordered lists while a parser walks through them. Footnotes have no numbers. */
export class ListItemNumbers {
  /** The next number of each open list; null for a list without numbers. */
  readonly #lists: (number | null)[] = [];
  /** The numbers of items whose text has not begun. */
  #pending = "";

  open(tag: string, { start, id = "" }: Readonly<Record<string, string>>): void {
    if (tag === "ol") this.#lists.push(firstNumber(start));
    if (tag === "ul") this.#lists.push(null);
    const number = this.#lists.at(-1);
    if (tag !== "li" || number === null || number === undefined || id.startsWith("fn")) return;
    this.#pending += `${number}. `;
    this.#lists[this.#lists.length - 1] = number + 1;
  }

  close(tag: string): void {
    if (tag === "ol" || tag === "ul") this.#lists.pop();
    if (tag === "li") this.#pending = "";
  }

  /** Returns and clears the number to put before the next text; empty if there is none. */
  take(): string {
    const number = this.#pending;
    this.#pending = "";
    return number;
  }
}

/** The number in the `start` attribute of a list, as browsers interpret it. */
function firstNumber(start: string | undefined): number {
  const number = Number.parseInt(start ?? "", 10);
  return Number.isSafeInteger(number) ? number : 1;
}
