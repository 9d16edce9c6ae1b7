import type { AuditEntry } from "../../access/audit.ts";
import type { Item } from "../items/item.ts";
import { mediaIn, mediumPath } from "./media-kinds.ts";
import type { MediaTrash } from "./media-trash.ts";

/** A file the site publishes: a picture, a recording, a document. */
export interface Medium {
  /** See `mediumId`. */
  id: string;
  /** One of `MEDIA_KINDS`, found in the bytes. */
  type: string;
  bytes: number;
  /** In pixels, as shown; null for what is no picture, or has no size of its own. */
  width: number | null;
  height: number | null;
  /** What its owner calls it: the name it was uploaded by, until somebody changes it. */
  name: string;
  /** Shown instead of the picture where a text gives no words of its own. */
  alt: string;
  /** Whom to name with it, and under which licence it is published. */
  credit: string;
  /** As the audit log names actors. */
  addedBy: string;
  /** ISO 8601, UTC. */
  addedAt: string;
  updatedAt: string;
  /** Counts the saved states of what is said of it, from 1. */
  revision: number;
}

/** An item in whatever status whose texts name the file. */
export type MediumUse = Pick<Item, "id" | "type" | "path" | "title" | "status">;

/** Latest first. */
export interface MediaQuery {
  /** A media type (`image/png`) or the first part of one (`image`). */
  type?: string;
  /** Stands in the name, alt text or credit, whatever its case. */
  text?: string;
  /** Only files no item names. */
  unused?: boolean;
  limit: number;
  after?: { addedAt: string; id: string };
}

export interface MediaReader {
  medium(id: string): Promise<Medium | null>;
  media(query: MediaQuery): Promise<Medium[]>;
  /** In the order of paths; deleted items do not count. */
  uses(id: string): Promise<MediumUse[]>;
  /** Does the profile of the site show it, as its logo? */
  isOfSite(id: string): Promise<boolean>;
  /** Those of the ids that there are. */
  knownMedia(ids: readonly string[]): Promise<ReadonlySet<string>>;
}

/** What the record knows of files; the bytes are with `MediaFiles`. */
export interface MediaStore extends MediaReader {
  /** Files that were withdrawn and may still be in the folder. */
  removed(): Promise<Pick<Medium, "id" | "type">[]>;
  write<T>(change: (transaction: MediaTransaction) => Promise<T>): Promise<T>;
}

export interface MediaTransaction extends MediaReader {
  /** Items that show the file are rendered anew when what they show of it has changed. */
  put(medium: Medium, entry: AuditEntry): Promise<void>;
  remove(medium: Medium, entry: AuditEntry): Promise<void>;
  forgetRemoved(id: string): Promise<void>;
}

/** The bytes of the files, which every instance of the service serves. */
export interface MediaFiles {
  /**
   * Takes bytes in without publishing them; dispose of the result in any case.
   * @throws {AppError} `too_large`; `unsupported`; `invalid` for what is damaged; `unavailable` when
   * the disk is full. Nothing is left behind.
   */
  receive(bytes: AsyncIterable<Uint8Array>): Promise<ReceivedFile>;
  /** By `mediumFile`; null: there is none. */
  find(name: string): Promise<KeptFile | null>;
  remove(name: string): Promise<void>;
  names(): Promise<string[]>;
  trash: MediaTrash;
  /** Removes what uploads that never ended have left behind. */
  clearReceived(now: Date): Promise<void>;
}

/** On disk to its last byte, and not yet where it is served. */
export interface ReceivedFile extends AsyncDisposable {
  id: string;
  type: string;
  bytes: number;
  width: number | null;
  height: number | null;
  /** What was left out of it, in words. */
  notices: readonly string[];
  /** Puts it where it is served, for good. Again does nothing. */
  keep(): Promise<void>;
}

export interface KeptFile {
  bytes: number;
  /** From `start` to `end`, both included. Holds nothing open, so that it may be left half-read. */
  stream(range: { start: number; end: number }): ReadableStream<Uint8Array>;
}

/** As an administrator sees it. `markdown` is how a text shows it. */
export function shownMedium(
  medium: Medium,
  origin: string,
): Medium & { path: string; url: string; markdown: string } {
  const path = mediumPath(medium);
  const isPicture = medium.type.startsWith("image/");
  const words = (isPicture ? medium.alt : medium.name).replaceAll(/[[\]\\]/g, "\\$&");
  const markdown = `${isPicture ? "!" : ""}[${words}](${path})`;
  return { ...medium, path, url: origin + path, markdown };
}

/** Paths of files that the texts of an item name and that there are not. */
export async function missingMedia(
  media: Pick<MediaReader, "knownMedia">,
  item: Pick<Item, "body" | "fields">,
): Promise<string[]> {
  const named = mediaIn(item);
  if (named.size === 0) return [];
  const known = await media.knownMedia([...named.keys()]);
  return [...named].filter(([id]) => !known.has(id)).map(([, path]) => path);
}
