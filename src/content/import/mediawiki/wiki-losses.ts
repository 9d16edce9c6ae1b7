import type { Wording } from "../../../errors.ts";

/** Kinds of content that the conversion of a text can leave out. */
export type WikitextLossKind = "template" | "limit" | "element" | "page" | "translation";

const SHOWN_CHARACTERS_MAX = 100;

/** Counts what the conversion of a text leaves out, and reports each kind once. */
export class WikitextLossCounter {
  readonly #names = new Map<WikitextLossKind, Map<string, number>>();

  add(loss: WikitextLossKind, name: string): void {
    const counts = this.#names.get(loss) ?? new Map<string, number>();
    counts.set(name, (counts.get(name) ?? 0) + 1);
    this.#names.set(loss, counts);
  }

  notes(): Wording[] {
    return [...this.#names].map(([loss, counts]) => {
      const [first = ""] = counts.keys();
      const times = [...counts.values()].reduce((sum, count) => sum + count, 0);
      return NOTES[loss](quoted(first), times);
    });
  }
}

type Note = (name: string, count: number) => Wording;

const NOTES: Readonly<Record<WikitextLossKind, Note>> = {
  template: (name, count) => ({
    en: `templates that the export does not have, as "${name}": their values stand in their place (${count})`,
    de: `Vorlagen, die im Export fehlen, etwa „${name}“: An ihrer Stelle stehen ihre Werte (${count})`,
  }),
  limit: (name, count) => ({
    en: `templates that contain themselves or many others, as "${name}", are left out (${count})`,
    de: `Vorlagen, die sich selbst oder sehr viele andere enthalten, etwa „${name}“, werden weggelassen (${count})`,
  }),
  element: (name, count) => ({
    en: `what the former site made of <${name}> is left out (${count})`,
    de: `was die frühere Website aus <${name}> gemacht hat, wird weggelassen (${count})`,
  }),
  page: (name, count) => ({
    en: `links to pages that are not in the export, as "${name}", are words now (${count})`,
    de: `Links auf Seiten, die nicht im Export sind, etwa „${name}“, sind jetzt Text (${count})`,
  }),
  translation: (_name, count) => ({
    en: `links to the page in other languages are left out (${count})`,
    de: `Links zur Seite in anderen Sprachen werden weggelassen (${count})`,
  }),
};

function quoted(name: string): string {
  const oneLine = name.replaceAll(/\s+/g, " ");
  return oneLine.length <= SHOWN_CHARACTERS_MAX
    ? oneLine
    : `${oneLine.slice(0, SHOWN_CHARACTERS_MAX - 1)}…`;
}
