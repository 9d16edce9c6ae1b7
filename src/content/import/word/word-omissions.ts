import type { Wording } from "../../../errors.ts";
import { cutAtWord } from "../../../search/language/folding.ts";

export interface WordOmission {
  what: Wording;
  count: number;
  /** Whether the part is content that readers would miss, unlike comments. */
  isContent: boolean;
}

const SHOWN_CHARACTERS_MAX = 60;

/** Parts of a document that the converted text lacks. */
export interface WordTextLosses {
  /** Passages of the document that the page lacks. */
  missing: string[];
  /** Texts formatted as hidden, which are left out. */
  hidden: string[];
  /**
   * Number of pictures that are only linked: they are on a disk or website, not in the document.
   */
  linkedPictures: number;
}

/** Counts the parts of a document that are not imported. */
export class WordOmissionCounter {
  readonly #omissions = new Map<string, WordOmission>();

  add(what: Wording, { count = 1, isContent = true } = {}): void {
    const earlier = this.#omissions.get(what.en)?.count ?? 0;
    this.#omissions.set(what.en, { what, count: earlier + count, isContent });
  }

  all(): WordOmission[] {
    return [...this.#omissions.values()];
  }

  addTexts({ missing, hidden, linkedPictures }: WordTextLosses): void {
    const [passage] = missing.map(beginning);
    const [secret] = hidden.map(beginning);
    if (passage !== undefined)
      this.add(
        { en: `passages, the first: "${passage}"`, de: `Textstellen, die erste: „${passage}“` },
        { count: missing.length },
      );
    if (linkedPictures > 0)
      this.add(
        {
          en: "pictures that the document only links to",
          de: "Bilder, auf die das Dokument nur verweist",
        },
        { count: linkedPictures },
      );
    if (secret !== undefined)
      this.add(
        {
          en: `hidden texts, the first: "${secret}"`,
          de: `verborgene Texte, der erste: „${secret}“`,
        },
        { count: hidden.length, isContent: false },
      );
  }
}

function beginning(text: string): string {
  return cutAtWord(text.replace(/\s+/g, " "), SHOWN_CHARACTERS_MAX);
}
