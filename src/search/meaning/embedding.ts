import { redactIssuedSecrets } from "../../access/credentials.ts";
import { AppError } from "../../errors.ts";
import { parseSearch } from "../query.ts";

/** The embedding of a text. Vectors of similar meanings point in similar directions. */
export interface Embedding {
  model: string;
  vector: Float32Array;
}

export interface EmbeddingProgress {
  model: string;
  /** Number of published items. */
  items: number;
  /** Number of items already sent to the model. */
  done: number;
}

/**
 * The text to embed for an item. The caller must cut `text` to the length that lists use, which is short
 * enough for small models.
 */
export function embeddingTextForItem({ title, text }: { title: string; text: string }): string {
  return text === "" ? title : `${title}\n\n${text.replaceAll(/\s+/g, " ")}`;
}

/**
 * The text to embed for a query, without excluded words. Null for an invalid query and for a query
 * without words. Also null if the query has phrases, which are meant literally, or a secret, which
 * must not leave the server.
 */
export function embeddingTextForQuery(text: string): string | null {
  if (redactIssuedSecrets(text) !== text) return null;
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
