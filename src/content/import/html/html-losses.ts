import type { Wording } from "../../../errors.ts";
import { cutAtWord } from "../../../search/language/folding.ts";

const SHOWN_CHARACTERS_MAX = 80;
const REPORTED_MAX = 20;
/** Shorter hidden texts are labels of buttons and pictures for screen readers. */
const HIDDEN_WORDS_MIN = 5;

/** Texts of a page that the conversion leaves out. */
export class HtmlLosses {
  readonly #hidden: string[] = [];
  readonly #fields: string[] = [];
  readonly #links: string[] = [];
  #controls = 0;

  /** Adds a text that the page does not show. */
  addHidden(text: string): void {
    if (text.split(" ").length >= HIDDEN_WORDS_MIN) this.#hidden.push(text);
  }

  /** Adds the words of a form's fields. */
  addFields(text: string): void {
    if (text !== "") this.#fields.push(text);
  }

  /** Adds the text of a link within the page that has lost its target. */
  addLink(text: string): void {
    if (text !== "") this.#links.push(text);
  }

  /** Adds characters that are none of a text. */
  addControls(count: number): void {
    this.#controls += count;
  }

  notes(): Wording[] {
    return [
      ...this.#hidden.slice(0, REPORTED_MAX).map(hiddenText),
      ...(this.#hidden.length > REPORTED_MAX ? [more(this.#hidden.length - REPORTED_MAX)] : []),
      ...(this.#fields.length > 0 ? [leftOutFields(this.#fields)] : []),
      ...(this.#links.length > 0 ? [lostLinks(this.#links)] : []),
      ...(this.#controls > 0 ? [leftOutControls(this.#controls)] : []),
    ];
  }
}

function hiddenText(text: string): Wording {
  const shown = beginning(text);
  return {
    en: `a text that the page hides is left out: "${shown}"`,
    de: `ein Text, den die Seite verbirgt, wird weggelassen: „${shown}“`,
  };
}

function more(count: number): Wording {
  return {
    en: `${count} more texts that the page hides are left out`,
    de: `${count} weitere Texte, die die Seite verbirgt, werden weggelassen`,
  };
}

function leftOutFields(texts: readonly string[]): Wording {
  const shown = beginning(texts.join(" "));
  return {
    en: `the fields of a form are left out: "${shown}"`,
    de: `die Felder eines Formulars werden weggelassen: „${shown}“`,
  };
}

function lostLinks(texts: readonly string[]): Wording {
  const shown = beginning(texts.join(", "));
  return {
    en: `links within the page became text, since what they lead to is not on it: ${texts.length} ("${shown}")`,
    de: `Links innerhalb der Seite wurden zu Text, denn ihr Ziel steht nicht auf der Seite: ${texts.length} („${shown}“)`,
  };
}

function leftOutControls(count: number): Wording {
  return {
    en: `control characters are left out: ${count}`,
    de: `Steuerzeichen werden weggelassen: ${count}`,
  };
}

function beginning(text: string): string {
  return cutAtWord(text, SHOWN_CHARACTERS_MAX);
}
