import type { ReadingCopy } from "../content/library.ts";

export interface DocumentContext {
  reading: ReadingCopy;
  /** Public origin without a trailing slash. */
  origin: string;
  /** Version of this program, as the server card states it. */
  version: string;
  now: Date;
}

/** One public document that agents, crawlers or readers look for at a known address. */
export interface DiscoveryDocument {
  name: string;
  /**
   * The addresses that serve exactly these bytes; `:name` stands for characters of one path
   * segment, as in `/sitemap-:part.xml`.
   */
  paths: readonly string[];
  contentType: string;
  /** Headers beyond those every public document carries. */
  headers?: (context: DocumentContext) => Record<string, string>;
  /** The bytes, whole or in pieces; null: there is no such document (404). */
  render(
    context: DocumentContext,
    parameters: Readonly<Record<string, string>>,
  ): string | Iterable<string> | null;
}
