/**
 * Stands for HTML while the text around it is still wikitext. The letter says whether it begins or ends a
 * block, or is part of a line.
 */
const MARK = /\u007f([BEI])(\d+)\u007f/g;

/** Whether HTML begins a block, ends one, or is part of a line. */
export type KeptPlace = "B" | "E" | "I";

/** HTML that is finished, in the order in which it was kept. */
export class KeptHtml {
  readonly #pieces: string[] = [];

  /** Returns a mark that no later step changes. */
  keep(html: string, place: KeptPlace = "I"): string {
    this.#pieces.push(html);
    return `\u007f${place}${this.#pieces.length - 1}\u007f`;
  }

  /** Puts the HTML where its marks are. */
  restored(text: string): string {
    return text.replaceAll(MARK, (_mark, _place, at: string) => this.#pieces[Number(at)] ?? "");
  }
}

/** Removes what would be taken for a mark. */
export function withoutMarks(text: string): string {
  return text.replaceAll("\u007f", "");
}
