import { AppError } from "../../../errors.ts";
import type { BodyRenderOptions } from "../../../render/body/body.ts";
import { largeTextRenderer } from "./large-texts.ts";

/** Limit on attempts, each of which renders at least one more text. */
const ATTEMPTS_MAX = 1000;
const RETRY_SECONDS = 5;

/**
 * Thrown when a change needs large texts to be rendered. Rendering must not happen while the change
 * holds the write lock.
 */
export class UnrenderedTextsError extends Error {
  readonly texts: readonly string[];
  readonly options: BodyRenderOptions;

  constructor(texts: readonly string[], options: BodyRenderOptions) {
    super("Large texts have to be rendered first");
    this.texts = texts;
    this.options = options;
  }
}

/**
 * Runs a change. If large texts must be rendered, rolls the change back, renders the texts in a
 * thread, and runs the change again. The change must therefore have no effects outside its
 * transaction.
 */
export async function renderLargeTextsFirst<T>(change: () => Promise<T>): Promise<T> {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    try {
      return await change();
    } catch (error) {
      if (!(error instanceof UnrenderedTextsError)) throw error;
      for (const text of error.texts) await largeTextRenderer.prepare(text, error.options);
    }
  }
  throw new AppError(
    "unavailable",
    {
      en: "Too many long texts in one change; send them in parts",
      de: "Das sind zu viele lange Texte auf einmal: Ändern Sie sie in Teilen",
    },
    {
      retryAfterSeconds: RETRY_SECONDS,
    },
  );
}
