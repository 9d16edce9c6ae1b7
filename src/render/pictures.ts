import type { Token } from "markdown-it";
import { imageDestination } from "./site-links.ts";

/** Metadata of one of the site's own pictures. */
export interface Picture {
  /** In pixels. */
  width: number | null;
  height: number | null;
  /** For bodies that give no alternative text. */
  alt: string;
  /** Name to credit, or empty. */
  credit: string;
}

/** By root-relative URL; null if it is not one of the site's own pictures. */
export type FindPicture = (path: string) => Picture | null;

export const NO_PICTURES: FindPicture = () => null;

/** Adds size and alternative text to the image tokens of a body. */
export function describePictures(
  tokens: readonly Token[],
  { origin, findPicture }: { origin: string; findPicture: FindPicture },
): void {
  for (const token of tokens.flatMap(({ children }) => children ?? [])) {
    if (token.type !== "image" || token.content !== "") continue;
    const alt = pictureOf(token, { origin, findPicture })?.alt ?? "";
    if (alt === "") continue;
    token.content = alt;
    token.children = [textLike(token, alt)];
  }
}

/**
 * Wraps pictures that stand alone in a figure with the credit below; null if there are none to credit.
 */
export function withCredits(
  tokens: readonly Token[],
  context: { origin: string; findPicture: FindPicture },
): Token[] | null {
  let hasCredits = false;
  const all: Token[] = [];
  for (const [at, token] of tokens.entries()) {
    const credit = token.type === "paragraph_close" ? creditAt(tokens, at, context) : "";
    if (credit === "") {
      all.push(token);
      continue;
    }
    hasCredits = true;
    const picture = all.splice(-2);
    all.push(...figure(picture, credit, token));
  }
  return hasCredits ? all : null;
}

/** The credit of the picture, if it is the only content of the paragraph closed here. */
function creditAt(
  tokens: readonly Token[],
  at: number,
  context: { origin: string; findPicture: FindPicture },
): string {
  const [image, ...others] = tokens[at - 1]?.children ?? [];
  if (image?.type !== "image" || others.length > 0) return "";
  return pictureOf(image, context)?.credit ?? "";
}

function pictureOf(
  image: Token,
  { origin, findPicture }: { origin: string; findPicture: FindPicture },
): Picture | null {
  const destination = imageDestination(String(image.attrGet("src") ?? ""), origin);
  return destination === null ? null : findPicture(destination.html);
}

/** Within the figure the picture is like a line of a tight list: it gets no paragraph. */
function figure([open, inline]: readonly Token[], credit: string, close: Token): Token[] {
  const [image] = inline?.children ?? [];
  if (open === undefined || inline === undefined || image === undefined) return [close];
  return [
    like(open, { type: "figure_open", tag: "figure" }),
    like(open, { hidden: true }),
    inline,
    like(close, { hidden: true }),
    like(open, { tag: "figcaption" }),
    like(inline, { content: credit, children: [textLike(image, credit)] }),
    like(close, { tag: "figcaption" }),
    like(close, { type: "figure_close", tag: "figure" }),
  ];
}

function textLike(image: Token, text: string): Token {
  return like(image, { type: "text", tag: "", attrs: null, content: text, children: null });
}

/** The parser exposes its token class to its own rules only. */
function like(token: Token, changes: Partial<Token>): Token {
  return Object.assign(Object.create(Object.getPrototypeOf(token)), token, changes);
}
