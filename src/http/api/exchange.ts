/** A request of the interface, whatever it came by. */
export interface ApiRequest {
  method: string;
  url: Pick<URL, "pathname" | "search" | "searchParams">;
  /** By lower-case name; null: there is none. */
  header(name: string): string | null;
  /** Without a body nothing can be said of its type. */
  hasBody: boolean;
  /** @throws {AppError} `too_large` beyond that many bytes, `invalid` when the body breaks off. */
  bytes(bytesMax: number): Promise<Uint8Array>;
  /** The body as it arrives, once. @throws {AppError} `invalid` when it breaks off. */
  pieces(): AsyncIterable<Uint8Array>;
  /** Has its body arrive as slowly as it likes; whoever asks for that sees to the limits. */
  mayTakeLong(): void;
}

/** What is answered, before it is put on the way the request came by. */
export interface ApiAnswer {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string | Uint8Array | ReadableStream<Uint8Array> | null;
}

/** An answer that is whole, with its length. */
export function wholeAnswer(
  status: number,
  headers: Readonly<Record<string, string>>,
  body: string | null,
): ApiAnswer {
  if (body === null) return { status, headers, body };
  const length = String(Buffer.byteLength(body));
  return { status, headers: { ...headers, "Content-Length": length }, body };
}
