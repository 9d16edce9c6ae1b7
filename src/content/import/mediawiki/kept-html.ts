/**
 * Stands for HTML while the text around it is still wikitext. The letter says whether it begins or ends a
 * block, or is part of a line.
 */
const MARK = /\u007f([BEI])(\d+)\u007f/g;

/** Whether HTML begins a block, ends one, or is part of a line. */
export type KeptPlace = "B" | "E" | "I";

/** Limit on what marks stand for in all, as one mark can occur many times. */
const RESTORED_CHARACTERS_MAX = 8 * 1024 * 1024;

/** HTML that is finished, in the order in which it was kept. */
export class KeptHtml {
  readonly #pieces: string[] = [];
  #charactersLeft = RESTORED_CHARACTERS_MAX;

  /** Whether HTML was left out because there was too much. */
  get isFull(): boolean {
    return this.#charactersLeft < 0;
  }

  /** Returns a mark that no later step changes. */
  keep(html: string, place: KeptPlace = "I"): string {
    this.#pieces.push(html);
    return `\u007f${place}${this.#pieces.length - 1}\u007f`;
  }

  /** Puts the HTML where its marks are. */
  restored(text: string): string {
    return text.replaceAll(MARK, (_mark, _place, at: string) => {
      const piece = this.#pieces[Number(at)] ?? "";
      this.#charactersLeft -= piece.length;
      return this.isFull ? "" : piece;
    });
  }
}

/** Changes a text, but no mark in it. */
export function outsideOfMarks(text: string, change: (text: string) => string): string {
  return text
    .split(/(\u007f[BEI]\d+\u007f)/)
    .map((piece, at) => (at % 2 === 0 ? change(piece) : piece))
    .join("");
}

/** Removes what would be taken for a mark. */
export function withoutMarks(text: string): string {
  return text.replaceAll("\u007f", "");
}
