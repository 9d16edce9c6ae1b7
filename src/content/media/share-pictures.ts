import { hash } from "node:crypto";
import { decodePathKeepingReserved } from "../addresses/decoded-path.ts";
import type { Colour } from "../site/look/colour.ts";
import type { StoredFile } from "./media.ts";

/** The content of a picture for link previews, in reading order. */
export interface ShareCard {
  /** A warning, such as for a misattributed quotation; empty: none. */
  caution: string;
  text: string;
  /** BCP 47 tag of the text. */
  language: string;
  isQuotation: boolean;
  /**
   * The author, work and seal of a quotation, or the summary of another item. A seal is a mark that shows
   * how far an item can be trusted.
   */
  source: string;
  site: string;
  paper: Colour;
  ink: Colour;
  soft: Colour;
  accent: Colour;
  /** The colour of the warning. */
  bad: Colour;
}

export const SHARE_PICTURE_WIDTH = 1200;
export const SHARE_PICTURE_HEIGHT = 630;

/** Increment when the drawing changes, so that all pictures are drawn again. */
const DRAWING_VERSION = "2";
const SHARE_FOLDER = "/assets/share/";
const HASH_CHARACTERS = 20;
const SHARE_PATH = new RegExp(
  `^${SHARE_FOLDER}(?<id>[0-9a-f]{${HASH_CHARACTERS}})(?<path>/.*)\\.png$`,
  "u",
);

/** Pictures for link previews, drawn on first request. */
export interface SharePictures {
  /**
   * @throws {AppError} `unavailable` when too many pictures wait to be drawn, or this picture
   * cannot be drawn.
   */
  picture(card: ShareCard): Promise<StoredFile>;
  stop(): void;
}

/** Identifies a picture by its content. */
export function sharePictureId(card: ShareCard): string {
  return hash("sha256", DRAWING_VERSION + JSON.stringify(card)).slice(0, HASH_CHARACTERS);
}

/** The address of an item's picture. `path` is the decoded path of the item. */
export function sharePicturePath(card: ShareCard, path: string): string {
  return `${SHARE_FOLDER}${sharePictureId(card)}${encodeURI(path === "/" ? "/index" : path)}.png`;
}

/** The picture's id and the item's path in an address; null if it is not the address of a picture. */
export function parseSharePicturePath(pathname: string): { id: string; path: string } | null {
  const { id, path } = SHARE_PATH.exec(pathname)?.groups ?? {};
  if (id === undefined || path === undefined) return null;
  const shown = path === "/index" ? "/" : decodePathKeepingReserved(path);
  return shown === null ? null : { id, path: shown };
}
