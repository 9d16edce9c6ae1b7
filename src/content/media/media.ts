import type { AuditEntry } from "../../access/audit.ts";
import type { Wording } from "../../errors.ts";
import type { Item } from "../items/item.ts";
import { escapeLinkLabel } from "./link-label.ts";
import { extractMediaPathsById, mediaFilePath } from "./media-kinds.ts";
import type { MediaTrash } from "./media-trash.ts";

/**
 * A file of the site: a picture, recording or document. It is public while something public shows
 * it, or if `alwaysPublic` is set.
 */
export interface MediaFile {
  /** See {@link mediaFileIdFromHash}. */
  id: string;
  /** A type in `MEDIA_KINDS`, detected from the bytes. */
  type: string;
  bytes: number;
  /** In pixels, as displayed; null for pictures without intrinsic size and for other files. */
  width: number | null;
  height: number | null;
  /** Defaults to the name of the uploaded file. */
  name: string;
  /** Alternative text, used where the item gives none. */
  alt: string;
  /**
   * Whether the picture is purely decorative. Screen readers skip it then, and it has no alternative text.
   */
  isDecorative: boolean;
  /** Author and licence. */
  credit: string;
  /** Whether the file is public even if nothing public shows it, such as a document that e-mails link to. */
  alwaysPublic: boolean;
  /** The actor, as in the audit log. */
  addedBy: string;
  /** ISO 8601, UTC. */
  addedAt: string;
  updatedAt: string;
  /** The revision number of the properties: 1 at first, and incremented by each change. */
  revision: number;
}

/** A withdrawn file, which can be restored. */
export interface RemovedMediaFile {
  medium: MediaFile;
  removedAt: string;
}

/** An item in any status that links to the file. */
export type ItemUsingFile = Pick<Item, "id" | "type" | "path" | "title" | "status">;

/** A draft whose texts link to the file. */
export interface DraftUsingFile {
  id: string;
  title: string | null;
}

/** A redirect to the file. */
export interface RedirectUsingFile {
  id: string;
  from: string;
}

/** Selects files, newest first. */
export interface MediaQuery {
  /** A media type (`image/png`) or its first part (`image`). */
  type?: string;
  /** Substring of name, alt text or credit, ignoring case. */
  text?: string;
  /** Selects only files that no item, draft or setting links to. */
  unused?: boolean;
  /** Selects only pictures that lack an alternative text and are not decorative. */
  undescribed?: boolean;
  limit: number;
  after?: { addedAt: string; id: string };
}

export interface MediaReader {
  medium(id: string): Promise<MediaFile | null>;
  media(query: MediaQuery): Promise<MediaFile[]>;
  /** The items that link to the file, except deleted ones, sorted by path. */
  uses(id: string): Promise<ItemUsingFile[]>;
  draftUses(id: string): Promise<DraftUsingFile[]>;
  /** Redirects that lead to the file. */
  redirectUses(id: string): Promise<RedirectUsingFile[]>;
  /** Whether the site profile links to the file, for example as the logo. */
  isUsedBySiteProfile(id: string): Promise<boolean>;
  /** A withdrawn file; null if there is none, or it can no longer be restored. */
  removedMedium(id: string): Promise<RemovedMediaFile | null>;
  /** Withdrawn files, the latest withdrawal first. */
  removedMedia(limit: number): Promise<RemovedMediaFile[]>;
  /** The given ids that belong to a public file. */
  publicMedia(ids: readonly string[]): Promise<ReadonlySet<string>>;
  /** The given ids that belong to a file in the record, public or not. */
  knownMedia(ids: readonly string[]): Promise<ReadonlySet<string>>;
}

/** The entries of files in the record. Their bytes are in {@link MediaFileStorage}. */
export interface MediaStore extends MediaReader {
  /** Withdrawn files whose bytes may still be in the folder. */
  withdrawn(): Promise<Pick<MediaFile, "id" | "type">[]>;
  write<T>(change: (transaction: MediaTransaction) => Promise<T>): Promise<T>;
}

export interface MediaTransaction extends MediaReader {
  /** Stores what is known about a file. Re-renders the items that show the file if their output changes. */
  put(medium: MediaFile, entry: AuditEntry): Promise<void>;
  remove(medium: MediaFile, entry: AuditEntry): Promise<void>;
  /** Records that a withdrawn file is in the trash. */
  noteTrashed(id: string): Promise<void>;
  forgetRemoved(id: string): Promise<void>;
  /** Deletes the entries of files that were withdrawn before this time and are in the trash. */
  forgetRemovedBefore(time: Date): Promise<void>;
}

/** The files themselves, accessible to every instance. */
export interface MediaFileStorage {
  /**
   * Receives an upload without publishing it. Always dispose of the result. A failed upload leaves
   * nothing behind.
   * @throws {AppError} `too_large`; `unsupported`; `invalid` for damaged files; `unavailable` if
   * the disk is full.
   */
  receive(bytes: AsyncIterable<Uint8Array>): Promise<ReceivedFile>;
  /**
   * Like `receive`, but for a dry run: keeps nothing, and writes nothing to the folder of the
   * site's files.
   */
  inspect(bytes: AsyncIterable<Uint8Array>): Promise<InspectedFile>;
  /** The file with this name (see {@link mediaFileName}); null if there is none. */
  find(name: string): Promise<StoredFile | null>;
  remove(name: string): Promise<void>;
  names(): Promise<string[]>;
  trash: MediaTrash;
  /** Removes the remains of interrupted uploads. */
  removeAbandonedUploads(now: Date): Promise<void>;
}

/**
 * Smaller versions of pictures. They are made in the background, and can be made again at any time.
 */
export interface ResizedPictureStore {
  /** The version with this name; null: not made yet, or not needed. */
  find(name: string): Promise<StoredFile | null>;
  /** A copy of a picture without its metadata; null if the original has no metadata. */
  findClean(id: string): Promise<StoredFile | null>;
  /** Whether all versions of a picture exist, or the picture is marked as undecodable. */
  isMade(id: string): Promise<boolean>;
  /**
   * Makes all versions of a picture, or none. Marks a picture that cannot be decoded, so that it is
   * not tried again.
   *
   * @returns why the picture cannot be decoded; null if the versions were made.
   * @throws any error of the disk, such as a full one; the picture is then not marked.
   */
  make(medium: MediaFile, original: StoredFile): Promise<string | null>;
  ids(): Promise<string[]>;
  remove(id: string): Promise<void>;
  stop(): void;
}

/** Properties of a file, read from its bytes. */
export interface InspectedFile {
  id: string;
  type: string;
  bytes: number;
  width: number | null;
  height: number | null;
  /** The copyright note in the file, or an empty text; used as {@link MediaFile.credit} if none is given. */
  credit: string;
  /** Messages about what was removed from the file, such as scripts in an SVG. */
  notices: readonly Wording[];
}

/** A file that is complete on disk and not served yet. */
export interface ReceivedFile extends InspectedFile, AsyncDisposable {
  /** Moves the file to the served folder. Idempotent. */
  keep(): Promise<void>;
}

export interface StoredFile {
  bytes: number;
  /** The bytes from `start` to `end`, both inclusive. An abandoned stream leaves no file handle open. */
  stream(range: { start: number; end: number }): ReadableStream<Uint8Array>;
}

/** A file as administrators see it. `markdown` embeds the file in a text or links to it. */
export function withMediaFileLinks(
  medium: MediaFile,
  origin: string,
): MediaFile & { path: string; url: string; markdown: string } {
  const path = mediaFilePath(medium);
  const isPicture = isPictureType(medium.type);
  const markdown = markdownOf(medium, isPicture ? medium.alt : medium.name);
  return { ...medium, path, url: origin + path, markdown };
}

/** Markdown that embeds a picture or links to another file. */
function markdownOf(medium: MediaFile, label: string): string {
  return `${isPictureType(medium.type) ? "!" : ""}[${escapeLinkLabel(label)}](${mediaFilePath(medium)})`;
}

export function isPictureType(type: string): boolean {
  return type.startsWith("image/");
}

/** Paths of missing files that the texts of an item link to. */
export async function findMissingMediaPaths(
  media: Pick<MediaReader, "knownMedia">,
  item: Pick<Item, "body" | "fields">,
): Promise<string[]> {
  const named = extractMediaPathsById(item);
  if (named.size === 0) return [];
  const known = await media.knownMedia([...named.keys()]);
  return [...named].filter(([id]) => !known.has(id)).map(([, path]) => path);
}
