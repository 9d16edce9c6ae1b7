import { AppError, type Wording } from "../../errors.ts";
import type { Item } from "../items/item.ts";

/** A type of file that the site can publish. */
export interface MediaKind {
  /** Media type (RFC 6838) in the response. */
  type: string;
  extension: string;
  /**
   * How browsers use a file of this type. Browsers show pictures in `img` elements of known width
   * and height, play recordings, and save documents, except for PDFs, which they open.
   */
  use: "picture" | "recording" | "document";
}

export const MEDIA_FILE_BYTES_MAX = 25 * 1024 * 1024;

const OPEN_XML = "application/vnd.openxmlformats-officedocument";
const OPEN_DOCUMENT = "application/vnd.oasis.opendocument";

/** The accepted file types. Office formats that may contain macros are excluded. */
export const MEDIA_KINDS: readonly MediaKind[] = [
  { type: "image/png", extension: "png", use: "picture" },
  { type: "image/jpeg", extension: "jpg", use: "picture" },
  { type: "image/gif", extension: "gif", use: "picture" },
  { type: "image/webp", extension: "webp", use: "picture" },
  { type: "image/avif", extension: "avif", use: "picture" },
  { type: "image/svg+xml", extension: "svg", use: "picture" },
  { type: "audio/mpeg", extension: "mp3", use: "recording" },
  { type: "audio/ogg", extension: "ogg", use: "recording" },
  { type: "audio/mp4", extension: "m4a", use: "recording" },
  { type: "audio/wav", extension: "wav", use: "recording" },
  { type: "audio/flac", extension: "flac", use: "recording" },
  { type: "video/mp4", extension: "mp4", use: "recording" },
  { type: "video/webm", extension: "webm", use: "recording" },
  { type: "application/pdf", extension: "pdf", use: "document" },
  { type: `${OPEN_XML}.wordprocessingml.document`, extension: "docx", use: "document" },
  { type: `${OPEN_XML}.spreadsheetml.sheet`, extension: "xlsx", use: "document" },
  { type: `${OPEN_XML}.presentationml.presentation`, extension: "pptx", use: "document" },
  { type: `${OPEN_DOCUMENT}.text`, extension: "odt", use: "document" },
  { type: `${OPEN_DOCUMENT}.spreadsheet`, extension: "ods", use: "document" },
  { type: `${OPEN_DOCUMENT}.presentation`, extension: "odp", use: "document" },
  { type: "application/zip", extension: "zip", use: "document" },
];

/** The accepted file extensions, for messages. */
export const ACCEPTED_FILE_EXTENSIONS: string = MEDIA_KINDS.map(({ extension }) => extension).join(
  ", ",
);

/** @param messageStart the beginning of the message, such as "This is a file of the kind .exe". */
export function unsupportedFileError(messageStart: Wording): AppError {
  return new AppError("unsupported", {
    en: `${messageStart.en}, which is not published here. Taken are ${ACCEPTED_FILE_EXTENSIONS}`,
    de: `${messageStart.de}; das wird hier nicht veröffentlicht. Möglich sind ${ACCEPTED_FILE_EXTENSIONS}`,
  });
}

const ID_CHARACTERS = 32;
const MEDIUM_ID = new RegExp(`^[0-9a-f]{${ID_CHARACTERS}}$`);
const MEDIA_PATHS = new RegExp(
  `/media/([0-9a-f]{${ID_CHARACTERS}})\\.(?:${MEDIA_KINDS.map(({ extension }) => extension).join("|")})(?![0-9a-z])`,
  "g",
);

/** The first 128 bits of the SHA-256 of a file's bytes, so that equal files have the same id. */
export function mediaFileIdFromHash(sha256: string): string {
  return sha256.slice(0, ID_CHARACTERS);
}

/** The name of a file in the folder and in its URL, such as `<id>.png`. */
export function mediaFileName({ id, type }: { id: string; type: string }): string {
  return `${id}.${mediaKindOf(type).extension}`;
}

/** @param type a type in `MEDIA_KINDS`. */
export function mediaKindOf(type: string): MediaKind {
  const kind = MEDIA_KINDS.find((known) => known.type === type);
  if (kind === undefined) throw new Error(`No kind of file has the type ${type}`);
  return kind;
}

/** Path of a file, root-relative. */
export function mediaFilePath(medium: { id: string; type: string }): string {
  return `/media/${mediaFileName(medium)}`;
}

/** The inverse of {@link mediaFileName}; null for any other name. */
export function parseMediaFileName(name: string): { id: string; kind: MediaKind } | null {
  const [id = "", extension, ...rest] = name.split(".");
  const kind = MEDIA_KINDS.find((known) => known.extension === extension);
  return kind === undefined || rest.length > 0 || !MEDIUM_ID.test(id) ? null : { id, kind };
}

/** The paths of the files that the texts of an item link to, by file id. */
export function extractMediaPathsById({
  body,
  fields,
}: Pick<Item, "body" | "fields">): Map<string, string> {
  const texts = [body, ...Object.values(fields)].filter((text) => typeof text === "string");
  const found = texts
    .filter((text) => text.includes("/media/"))
    .flatMap((text) => [...text.matchAll(MEDIA_PATHS)]);
  return new Map(found.map(([path, id = ""]) => [id, path]));
}
