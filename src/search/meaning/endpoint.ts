import { z } from "zod";
import { TimeLimit } from "../../work/time-limit.ts";

/** Large enough for a vector of {@link NUMBERS_MAX} numbers as text. */
const ANSWER_BYTES_PER_TEXT_MAX = 256 * 1024;
const NUMBERS_MAX = 8192;
/** HTTP statuses with which an endpoint rejects the texts rather than the caller. */
const TEXT_REFUSED: ReadonlySet<number> = new Set([400, 413, 422]);

/** An OpenAI-compatible embeddings service. */
export interface EmbeddingEndpoint {
  /** Base URL, without `/embeddings` and without a trailing slash. */
  url: string;
  model: string;
  /** Sent as a bearer token; must not appear in logs or messages. */
  key: string | null;
}

/**
 * Returns one vector per text, all of the same length.
 * @throws {EmbeddingError}
 */
export type EmbedTexts = (
  texts: readonly string[],
  limits: { milliseconds: number; signal?: AbortSignal },
) => Promise<Float32Array[]>;

/** A failed request. The message never quotes the response, which might repeat the key. */
export class EmbeddingError extends Error {
  /** Whether the endpoint may have rejected one of the texts. */
  readonly isTextRejected: boolean;

  constructor(
    message: string,
    { isTextRejected = false, cause }: { isTextRejected?: boolean; cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.isTextRejected = isTextRejected;
  }
}

const answerSchema = z.object({
  data: z.array(
    z.object({ index: z.int(), embedding: z.array(z.number()).min(1).max(NUMBERS_MAX) }),
  ),
});

/** A client for the API at https://platform.openai.com/docs/api-reference/embeddings */
export function createEmbeddingClient({ url, model, key }: EmbeddingEndpoint): EmbedTexts {
  const headers = {
    "Content-Type": "application/json",
    Accept: "application/json",
    ...(key === null ? {} : { Authorization: `Bearer ${key}` }),
  };
  return async (texts, { milliseconds, signal }) => {
    using limit = new TimeLimit(milliseconds, signal);
    try {
      const response = await fetch(`${url}/embeddings`, {
        method: "POST",
        headers,
        body: JSON.stringify({ model, input: texts, encoding_format: "float" }),
        redirect: "manual",
        signal: limit.signal,
      });
      if (response.status !== 200) {
        await response.body?.cancel();
        const isTextRejected = TEXT_REFUSED.has(response.status);
        throw new EmbeddingError(`it answered ${response.status}`, { isTextRejected });
      }
      return vectorsIn(
        await readText(response, texts.length * ANSWER_BYTES_PER_TEXT_MAX),
        texts.length,
      );
    } catch (error) {
      if (error instanceof EmbeddingError) throw error;
      if (limit.isOver) throw new EmbeddingError(`it took longer than ${milliseconds} ms`);
      throw new EmbeddingError("it cannot be reached", { cause: error });
    }
  };
}

async function readText({ body }: Response, bytesMax: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    // The exception ends the loop, which cancels the rest of the body.
    if (bytes > bytesMax) throw new EmbeddingError("its answer is too long");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function vectorsIn(text: string, count: number): Float32Array[] {
  const parsed = answerSchema.safeParse(parsedJson(text));
  if (!parsed.success) throw new EmbeddingError("its answer is not one of vectors");
  const sorted = parsed.data.data.toSorted((a, b) => a.index - b.index);
  const vectors = sorted.map(({ embedding }) => Float32Array.from(embedding));
  const isComplete =
    vectors.length === count &&
    sorted.every(({ index }, position) => index === position) &&
    vectors.every((vector) => vector.length === vectors[0]?.length && hasDirection(vector));
  if (!isComplete) throw new EmbeddingError("its answer is not a vector for each text");
  return vectors;
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function hasDirection(vector: Float32Array): boolean {
  const length = Math.hypot(...vector);
  return Number.isFinite(length) && length > 0;
}
