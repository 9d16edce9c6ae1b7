import { redactSecrets } from "../../access/credentials.ts";
import { AppError } from "../../errors.ts";
import { parseSearch } from "../query.ts";

/** What a text means to a model: texts that mean alike point in the same direction. */
export interface Meaning {
  model: string;
  vector: Float32Array;
}

/** How far an operator's model has come. */
export interface MeaningProgress {
  model: string;
  /** Published items. */
  items: number;
  /** Of them, those the model was asked about. */
  done: number;
}

/** What a model is given of an item; `text` is as long as lists show it, which small models can read. */
export function textToEmbed({ title, text }: { title: string; text: string }): string {
  return text === "" ? title : `${title}\n\n${text}`;
}

/**
 * What a model is given of a search, without what is not wanted; null for one that asks for phrases,
 * which are meant to the letter, for one without words, for a faulty one, and for one that holds a
 * credential, which is nobody's business.
 */
export function queryToEmbed(text: string): string | null {
  if (redactSecrets(text) !== text) return null;
  try {
    const { words, phrases, excluded } = parseSearch(text);
    if (words.length === 0 || phrases.length > 0) return null;
    if (excluded.length === 0) return text.trim();
    return words.map(({ start, end }) => text.slice(start, end)).join(" ");
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}
