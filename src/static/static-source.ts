import type { ReadingCopy } from "../content/library.ts";
import type { MediaFile } from "../content/media/media.ts";

/** An answer of the site, with its whole body. */
export interface SiteResponse {
  status: number;
  headers: Readonly<Record<string, string>>;
  bytes: Buffer;
}

export interface StaticExportSource {
  reading: ReadingCopy;
  origin: string;
  /** Sends a request to the site, as a browser would. `target` is encoded. */
  ask(target: string): Promise<SiteResponse>;
  /** Addresses that redirect or are gone. */
  formerPaths: Iterable<string>;
  media: AsyncIterable<MediaFile>;
}
