import type { Wording } from "../../../errors.ts";
import { cutAtWord } from "../../../search/language/folding.ts";

const SHOWN_CHARACTERS_MAX = 80;
const REPORTED_MAX = 20;
/**
 * Hidden texts with fewer words than this are not reported: they are labels of buttons and pictures for
 * screen readers.
 */
const HIDDEN_WORDS_MIN = 5;

/** Collects what the conversion of a page leaves out. */
export class HtmlLosses {
  readonly #hidden: string[] = [];
  readonly #fields: string[] = [];
  readonly #looseFields: string[] = [];
  readonly #links: string[] = [];
  #embedded = 0;
  #drawings = 0;
  #controls = 0;

  /** Adds a text that the page hides. */
  addHidden(text: string): void {
    if (text.split(" ").length >= HIDDEN_WORDS_MIN) this.#hidden.push(text);
  }

  /** Adds the words of a form's fields. */
  addFields(text: string): void {
    if (text !== "") this.#fields.push(text);
  }

  /** Adds the words of a button or field that belongs to no form. */
  addLooseField(text: string): void {
    if (text !== "") this.#looseFields.push(text);
  }

  /** Counts an embedded element that has no address to link to. */
  addEmbedded(): void {
    this.#embedded += 1;
  }

  /** Counts a drawing without words. */
  addDrawing(): void {
    this.#drawings += 1;
  }

  /** Adds the text of a link whose target within the page is missing. */
  addLink(text: string): void {
    if (text !== "") this.#links.push(text);
  }

  /** Adds to the number of removed control characters. */
  addControls(count: number): void {
    this.#controls += count;
  }

  notes(): Wording[] {
    return [
      ...this.#hidden.slice(0, REPORTED_MAX).map(hiddenText),
      ...(this.#hidden.length > REPORTED_MAX ? [more(this.#hidden.length - REPORTED_MAX)] : []),
      ...(this.#fields.length > 0 ? [leftOutFields(this.#fields)] : []),
      ...(this.#looseFields.length > 0 ? [leftOutLooseFields(this.#looseFields)] : []),
      ...(this.#embedded > 0 ? [leftOutEmbedded(this.#embedded)] : []),
      ...(this.#drawings > 0 ? [leftOutDrawings(this.#drawings)] : []),
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

function leftOutLooseFields(texts: readonly string[]): Wording {
  const shown = beginning(texts.join(", "));
  return {
    en: `buttons and fields outside of a form are left out: ${texts.length} ("${shown}")`,
    de: `Schaltflächen und Felder außerhalb eines Formulars werden weggelassen: ${texts.length} („${shown}“)`,
  };
}

function leftOutEmbedded(count: number): Wording {
  return {
    en: `embedded content without an address of its own is left out: ${count}`,
    de: `eingebettete Inhalte ohne eigene Adresse werden weggelassen: ${count}`,
  };
}

function leftOutDrawings(count: number): Wording {
  return {
    en: `drawings without words that are part of the page (SVG) are left out: ${count}; to keep one, save it as a file and show that as a picture`,
    de: `Zeichnungen ohne Text, die Teil der Seite sind (SVG), werden weggelassen: ${count}; um eine zu behalten, speichern Sie sie als Datei und zeigen diese als Bild`,
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
