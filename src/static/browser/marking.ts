import { formsOfQueryWord } from "../../search/language/word-forms.ts";
import { isInUnspacedScript, wordsOf } from "../../search/language/words.ts";

interface Place {
  start: number;
  end: number;
}

/** Splits a text into found words, at odd indexes, and the text around them, at even indexes. */
export function splitAroundMatches(text: string, forms: ReadonlySet<string>): string[] {
  const pieces: string[] = [];
  let end = 0;
  for (const place of foundPlaces(text, forms)) {
    const adjoining = place.start <= end ? pieces.pop() : undefined;
    if (adjoining === undefined) {
      pieces.push(text.slice(end, place.start), text.slice(place.start, place.end));
    } else {
      pieces.push(adjoining + text.slice(end, place.end));
    }
    end = place.end;
  }
  return [...pieces, text.slice(end)];
}

function* foundPlaces(text: string, forms: ReadonlySet<string>): Generator<Place> {
  for (const { text: word, start, end } of wordsOf(text)) {
    if (isInUnspacedScript(word)) yield* foundPairs(word, start, forms);
    else if (isFound(word, forms)) yield { start, end };
  }
}

/** Yields the found pairs of characters in text of a script without spaces. Pairs may overlap. */
function* foundPairs(run: string, start: number, forms: ReadonlySet<string>): Generator<Place> {
  const characters = [...run];
  let at = start;
  for (const [number, character] of characters.entries()) {
    const pair = character + (characters[number + 1] ?? "");
    if (isFound(pair, forms)) yield { start: at, end: at + pair.length };
    at += character.length;
  }
}

function isFound(word: string, forms: ReadonlySet<string>): boolean {
  return formsOfQueryWord(word).some((form) => forms.has(form));
}
