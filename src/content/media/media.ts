import type { AuditEntry } from "../../access/audit.ts";
import type { Item } from "../items/item.ts";
import { mediaIn, mediumPath } from "./media-kinds.ts";
import type { MediaTrash } from "./media-trash.ts";

/** A published file: a picture, a recording, a document. */
export interface Medium {
  /** See {@link mediumId}. */
  id: string;
  /** One of `MEDIA_KINDS`, detected from the bytes. */
  type: string;
  bytes: number;
  /** In pixels, as displayed; null for files that are no pictures or have no intrinsic size. */
  width: number | null;
  height: number | null;
  /** Defaults to the name of the uploaded file. */
  name: string;
  /** Alternative text, used unless the item states its own. */
  alt: string;
  /** Author and licence. */
  credit: string;
  /** In the notation of the audit log. */
  addedBy: string;
  /** ISO 8601, UTC. */
  addedAt: string;
  updatedAt: string;
  /** Counts the changes to its properties, from 1. */
  revision: number;
}

/** An item in any status that links to the file. */
export type MediumUse = Pick<Item, "id" | "type" | "path" | "title" | "status">;

/** Newest first. */
export interface MediaQuery {
  /** A media type (`image/png`) or its first part (`image`). */
  type?: string;
  /** Substring of name, alt text or credit, ignoring case. */
  text?: string;
  /** Only files that no item links to. */
  unused?: boolean;
  limit: number;
  after?: { addedAt: string; id: string };
}

export interface MediaReader {
  medium(id: string): Promise<Medium | null>;
  media(query: MediaQuery): Promise<Medium[]>;
  /** In order of path, without deleted items. */
  uses(id: string): Promise<MediumUse[]>;
  /** Whether the file is the logo in the site profile. */
  isOfSite(id: string): Promise<boolean>;
  /** The existing ones among these ids. */
  knownMedia(ids: readonly string[]): Promise<ReadonlySet<string>>;
}

/** The record of files; `MediaFiles` holds their bytes. */
export interface MediaStore extends MediaReader {
  /** Withdrawn files that may still be in the folder. */
  removed(): Promise<Pick<Medium, "id" | "type">[]>;
  write<T>(change: (transaction: MediaTransaction) => Promise<T>): Promise<T>;
}

export interface MediaTransaction extends MediaReader {
  /** Stores a file's entry. Renders the items that show it again if their output changes. */
  put(medium: Medium, entry: AuditEntry): Promise<void>;
  remove(medium: Medium, entry: AuditEntry): Promise<void>;
  forgetRemoved(id: string): Promise<void>;
}

/** The bytes of the files, accessible to every instance. */
export interface MediaFiles {
  /**
   * Receives an upload without publishing it. Dispose of the result in any case.
   * @throws {AppError} `too_large`; `unsupported`; `invalid` for damaged files; `unavailable` if
   * the disk is full. Leaves nothing behind.
   */
  receive(bytes: AsyncIterable<Uint8Array>): Promise<ReceivedFile>;
  /** By {@link mediumFile}; null if there is none. */
  find(name: string): Promise<StoredFile | null>;
  remove(name: string): Promise<void>;
  names(): Promise<string[]>;
  trash: MediaTrash;
  /** Removes the remains of interrupted uploads. */
  clearReceived(now: Date): Promise<void>;
}

/** Complete on disk, not served yet. */
export interface ReceivedFile extends AsyncDisposable {
  id: string;
  type: string;
  bytes: number;
  width: number | null;
  height: number | null;
  /** Descriptions of parts that were removed, such as scripts in an SVG. */
  notices: readonly string[];
  /** Moves the file to the served folder. Idempotent. */
  keep(): Promise<void>;
}

export interface StoredFile {
  bytes: number;
  /**
   * The bytes from `start` to `end`, both inclusive. Safe to abandon: no file handle stays open.
   */
  stream(range: { start: number; end: number }): ReadableStream<Uint8Array>;
}

/** A file for administrators. `markdown` is the code to embed or link it. */
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

/** Paths of missing files that the texts of an item link to. */
export async function missingMedia(
  media: Pick<MediaReader, "knownMedia">,
  item: Pick<Item, "body" | "fields">,
): Promise<string[]> {
  const named = mediaIn(item);
  if (named.size === 0) return [];
  const known = await media.knownMedia([...named.keys()]);
  return [...named].filter(([id]) => !known.has(id)).map(([, path]) => path);
}
