/**
 * Matches a placeholder for finished HTML in a text that is still wikitext. The letter says whether the HTML
 * begins a block, ends a block, or is part of a line.
 */
const MARK = /\u007f([BEI])(\d+)\u007f/g;

/** Whether HTML begins a block (`B`), ends a block (`E`), or is part of a line (`I`). */
export type HtmlPlaceholderPosition = "B" | "E" | "I";

/**
 * Maximum total length of the HTML that replaces placeholders. Needed because one placeholder can occur many
 * times.
 */
const RESTORED_CHARACTERS_MAX = 8 * 1024 * 1024;

/** Stores finished HTML, and creates placeholders that represent it in a text. */
export class HtmlPlaceholders {
  readonly #pieces: string[] = [];
  #charactersLeft = RESTORED_CHARACTERS_MAX;

  /** Whether HTML was left out because it exceeded the limit. */
  get isFull(): boolean {
    return this.#charactersLeft < 0;
  }

  /** Stores HTML, and returns a placeholder that represents it and is unchanged by later steps. */
  keep(html: string, place: HtmlPlaceholderPosition = "I"): string {
    this.#pieces.push(html);
    return `\u007f${place}${this.#pieces.length - 1}\u007f`;
  }

  /** Replaces the placeholders in a text with their HTML. */
  restored(text: string): string {
    return text.replaceAll(MARK, (_mark, _place, at: string) => {
      const piece = this.#pieces[Number(at)] ?? "";
      this.#charactersLeft -= piece.length;
      return this.isFull ? "" : piece;
    });
  }
}

/** Changes a text, except for the placeholders in it. */
export function mapOutsidePlaceholders(text: string, change: (text: string) => string): string {
  return text
    .split(/(\u007f[BEI]\d+\u007f)/)
    .map((piece, at) => (at % 2 === 0 ? change(piece) : piece))
    .join("");
}

/** Removes the characters that delimit placeholders. */
export function removePlaceholderDelimiters(text: string): string {
  return text.replaceAll("\u007f", "");
}
