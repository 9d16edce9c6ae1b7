import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { ended, listening } from "./listening.ts";

const NUMBERS = 64;
/** Words that have the same meaning in the toy model. */
const SYNONYMS: Readonly<Record<string, string>> = {
  automobile: "car",
  autumn: "fall",
  dog: "hound",
};

export interface EmbeddingsEndpoint extends AsyncDisposable {
  /** The value for `EMBED_URL`. */
  url: string;
  requests: { authorization: string | undefined; model: string; texts: string[] }[];
  /** Texts of all requests so far. */
  texts(): string[];
  /** Replaces the answer; null: the endpoint answers normally. */
  misbehave: ((response: ServerResponse, texts: string[]) => void) | null;
}

/** An OpenAI-compatible endpoint with a toy model, which knows letters and a few synonyms. */
export async function openEmbeddings(): Promise<EmbeddingsEndpoint> {
  const requests: EmbeddingsEndpoint["requests"] = [];
  const server = createServer(async (request, response) => {
    const { model, input } = JSON.parse(await textOf(request));
    requests.push({ authorization: request.headers.authorization, model, texts: input });
    if (request.url !== "/v1/embeddings" || request.method !== "POST") {
      response.writeHead(404).end();
    } else if (endpoint.misbehave !== null) endpoint.misbehave(response, input);
    else sendVectors(response, input.map(toyVector));
  });
  const port = await listening(server);
  const endpoint: EmbeddingsEndpoint = {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    texts: () => requests.flatMap(({ texts }) => texts),
    misbehave: null,
    [Symbol.asyncDispose]: () => ended(server),
  };
  return endpoint;
}

export function sendVectors(
  response: ServerResponse,
  vectors: readonly (readonly number[])[],
): void {
  const data = vectors.map((embedding, index) => ({ object: "embedding", index, embedding }));
  response.writeHead(200, { "Content-Type": "application/json" });
  // In reverse order: clients must use the index, not the position.
  response.end(JSON.stringify({ object: "list", data: data.reverse() }));
}

/** The vector of a text: the sum of the vectors of its trigrams. */
export function toyVector(text: string): number[] {
  const vector = new Array<number>(NUMBERS).fill(0);
  for (const word of text.toLowerCase().match(/\p{L}+/gu) ?? ["-"]) {
    const padded = `<${SYNONYMS[word] ?? word}>`;
    for (let at = 0; at + 3 <= padded.length; at++) {
      const place = numberOf(padded.slice(at, at + 3)) % NUMBERS;
      vector[place] = (vector[place] ?? 0) + 1;
    }
  }
  return vector;
}

function numberOf(piece: string): number {
  let number = 7;
  for (const character of piece) number = (number * 31 + character.charCodeAt(0)) % 1_000_003;
  return number;
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
