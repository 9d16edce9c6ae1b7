import type { Token } from "markdown-it";
import { parseMediaFileName } from "../content/media/media-kinds.ts";
import { resolveImageDestination, resolveLinkDestination } from "./site-links.ts";

/** A file of the site that texts show or link to: a picture, recording or document. */
export interface Picture {
  /** In pixels, like `height`; null for recordings, documents and pictures without intrinsic size. */
  width: number | null;
  height: number | null;
  /** Default alternative text, for images in a body that have none. */
  alt: string;
  /** Name to credit, or empty. */
  credit: string;
  bytes: number;
}

/**
 * Finds a picture, recording or document by its root-relative URL; null if the URL is not that of a
 * public file of the site.
 */
export type FindPicture = (path: string) => Picture | null;

export const findNoPicture: FindPicture = () => null;

/** Returns a function that finds a file by its URL. `medium` finds a file by the id in that URL. */
export function pictureFinder(medium: (id: string) => Picture | null): FindPicture {
  return (path) => {
    const file = ownFile(path);
    return file === null ? null : medium(file.id);
  };
}

export interface PictureContext {
  origin: string;
  findPicture: FindPicture;
}

/**
 * Adds alternative text to the image tokens of a body. An image token that names a recording or a document
 * becomes a link to it.
 */
export function addAlternativeTexts(tokens: readonly Token[], context: PictureContext): void {
  for (const token of tokens) {
    if (token.children?.some(({ type }) => type === "image") !== true) continue;
    token.children = token.children.flatMap((child) =>
      child.type === "image" ? described(child, context) : child,
    );
  }
}

function described(image: Token, context: PictureContext): Token[] {
  const file = ownFile(imageAddress(image, context.origin));
  const isShown = file === null || file.kind.use === "picture";
  if (isShown && image.content !== "") return [image];
  const alt = context.findPicture(imageAddress(image, context.origin))?.alt ?? "";
  if (!isShown) return linkInstead(image, alt === "" ? file.kind.extension.toUpperCase() : alt);
  if (alt === "") return [image];
  return [
    copyTokenWithChanges(image, {
      content: alt,
      children: [createReplacementTextToken(image, alt)],
    }),
  ];
}

function linkInstead(image: Token, name: string): Token[] {
  const words = image.content === "" ? name : image.content;
  const { open, close } = createFileLinkTokens(image);
  return [open, createReplacementTextToken(image, words), close];
}

/** The tokens of a link to the file of a picture. */
export function createFileLinkTokens(image: Token): { open: Token; close: Token } {
  const attrs: [string, string][] = [["href", String(image.attrGet("src") ?? "")]];
  const link = { tag: "a", children: null };
  return {
    open: copyTokenWithChanges(image, { ...link, type: "link_open", attrs, nesting: 1 }),
    close: copyTokenWithChanges(image, { ...link, type: "link_close", attrs: null, nesting: -1 }),
  };
}

/** Adds the type and size after each link to a recording or a document: "(PDF, 24 kB)". */
export function addFileNotes(children: readonly Token[], context: PictureContext): Token[] {
  let note = "";
  return children.flatMap((child) => {
    if (child.type === "link_open") note = formatFileNote(child, context);
    if (child.type !== "link_close" || note === "") return child;
    return [
      child,
      copyTokenWithChanges(child, { type: "file_note", tag: "", nesting: 0, content: note }),
    ];
  });
}

/**
 * Type and size of the recording or document that a link leads to, such as "PDF, 24 kB". Empty for
 * other links, and for files that are not public.
 */
export function formatFileNote(link: Token, { origin, findPicture }: PictureContext): string {
  const address = resolveLinkDestination(String(link.attrGet("href") ?? ""), origin)?.html ?? "";
  const file = ownFile(address);
  const facts = file === null || file.kind.use === "picture" ? null : findPicture(address);
  return file === null || facts === null
    ? ""
    : `${file.kind.extension.toUpperCase()}, ${sizeOf(facts.bytes)}`;
}

/** Whether a link leads to a recording of the site. */
export function isRecordingLink(link: Token, origin: string): boolean {
  const address = resolveLinkDestination(String(link.attrGet("href") ?? ""), origin)?.html ?? "";
  return ownFile(address)?.kind.use === "recording";
}

export function pictureOf(image: Token, { origin, findPicture }: PictureContext): Picture | null {
  return findPicture(imageAddress(image, origin));
}

export function isSitePicture(image: Token, origin: string): boolean {
  return ownFile(imageAddress(image, origin)) !== null;
}

function imageAddress(image: Token, origin: string): string {
  return resolveImageDestination(String(image.attrGet("src") ?? ""), origin)?.html ?? "";
}

function ownFile(address: string): ReturnType<typeof parseMediaFileName> {
  return address.startsWith("/media/") ? parseMediaFileName(address.slice("/media/".length)) : null;
}

/** Formats a size in kB or MB. These SI symbols need no translation. */
function sizeOf(bytes: number): string {
  const kilobytes = Math.ceil(bytes / 1000);
  return kilobytes < 1000 ? `${kilobytes} kB` : `${Math.ceil(kilobytes / 1000)} MB`;
}

export function createReplacementTextToken(image: Token, text: string): Token {
  return copyTokenWithChanges(image, {
    type: "text",
    tag: "",
    attrs: null,
    content: text,
    children: null,
  });
}

/**
 * A changed copy of a token, with the same prototype. Does not call the constructor, because the parser
 * exposes the token class only to its own rules.
 */
export function copyTokenWithChanges(token: Token, changes: Partial<Token>): Token {
  return Object.assign(Object.create(Object.getPrototypeOf(token)), token, changes);
}
