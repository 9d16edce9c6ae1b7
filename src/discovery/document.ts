import type { ReadingCopy } from "../content/library.ts";

export interface DocumentContext {
  reading: ReadingCopy;
  /** Public origin without a trailing slash. */
  origin: string;
  /** Version of the service, as in the server card. */
  version: string;
  now: Date;
}

/** A public document that agents, crawlers or readers expect at a well-known path. */
export interface DiscoveryDocument {
  name: string;
  /**
   * Paths of the document. `:name` matches characters within one path segment, as in `/sitemap-:part.xml`.
   */
  paths: readonly string[];
  contentType: string;
  /** Headers that this document has in addition to the headers of every public document. */
  headers?: (context: DocumentContext) => Record<string, string>;
  /** The document, whole or in pieces; null: it does not exist (404). */
  render(
    context: DocumentContext,
    parameters: Readonly<Record<string, string>>,
  ): string | Iterable<string> | null;
}
