import { AppError } from "../../errors.ts";
import type { Item } from "../items/item.ts";

/** A type of file that the site can publish. */
export interface MediaKind {
  /** Media type (RFC 6838) in the response. */
  type: string;
  extension: string;
  /** Whether it can be shown with `img`. If so, its width and height are known. */
  isPicture: boolean;
}

export const MEDIA_BYTES_MAX = 25 * 1024 * 1024;

/**
 * The accepted file types: those that browsers show or play themselves. Office documents are
 * excluded, because their macros could harm readers; publish a PDF instead.
 */
export const MEDIA_KINDS: readonly MediaKind[] = [
  { type: "image/png", extension: "png", isPicture: true },
  { type: "image/jpeg", extension: "jpg", isPicture: true },
  { type: "image/gif", extension: "gif", isPicture: true },
  { type: "image/webp", extension: "webp", isPicture: true },
  { type: "image/avif", extension: "avif", isPicture: true },
  { type: "image/svg+xml", extension: "svg", isPicture: true },
  { type: "application/pdf", extension: "pdf", isPicture: false },
  { type: "audio/mpeg", extension: "mp3", isPicture: false },
  { type: "audio/ogg", extension: "ogg", isPicture: false },
  { type: "audio/mp4", extension: "m4a", isPicture: false },
  { type: "audio/wav", extension: "wav", isPicture: false },
  { type: "audio/flac", extension: "flac", isPicture: false },
  { type: "video/mp4", extension: "mp4", isPicture: false },
  { type: "video/webm", extension: "webm", isPicture: false },
];

/** For messages. */
export const KNOWN_EXTENSIONS: string = MEDIA_KINDS.map(({ extension }) => extension).join(", ");

/** @param what describes the file instead. */
export function unsupported(what: string): AppError {
  return new AppError(
    "unsupported",
    `${what}, which is not published here. Taken are ${KNOWN_EXTENSIONS}`,
  );
}

const ID_CHARACTERS = 32;
const ID = new RegExp(`^[0-9a-f]{${ID_CHARACTERS}}$`);
const EVERY_ADDRESS = new RegExp(
  `/media/([0-9a-f]{${ID_CHARACTERS}})\\.(?:${MEDIA_KINDS.map(({ extension }) => extension).join("|")})(?![0-9a-z])`,
  "g",
);

/** The first 128 bits of the SHA-256 of a file's bytes, so that the same bytes are one file. */
export function mediumId(sha256: string): string {
  return sha256.slice(0, ID_CHARACTERS);
}

/** A file's name in the folder and in its URL: `<id>.png`. */
export function mediumFile({ id, type }: { id: string; type: string }): string {
  const kind = MEDIA_KINDS.find((known) => known.type === type);
  if (kind === undefined) throw new Error(`No kind of file has the type ${type}`);
  return `${id}.${kind.extension}`;
}

/** Root-relative. */
export function mediumPath(medium: { id: string; type: string }): string {
  return `/media/${mediumFile(medium)}`;
}

/** The inverse of {@link mediumFile}; null for any other name. */
export function readMediumFile(name: string): { id: string; kind: MediaKind } | null {
  const [id = "", extension, ...rest] = name.split(".");
  const kind = MEDIA_KINDS.find((known) => known.extension === extension);
  return kind === undefined || rest.length > 0 || !ID.test(id) ? null : { id, kind };
}

/** The files that the texts of an item link to: their paths by id. */
export function mediaIn({ body, fields }: Pick<Item, "body" | "fields">): Map<string, string> {
  const texts = [body, ...Object.values(fields)].filter((text) => typeof text === "string");
  const found = texts
    .filter((text) => text.includes("/media/"))
    .flatMap((text) => [...text.matchAll(EVERY_ADDRESS)]);
  return new Map(found.map(([path, id = ""]) => [id, path]));
}
