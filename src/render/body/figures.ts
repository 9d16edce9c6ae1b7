import type { Token } from "markdown-it";
import {
  addFileNotes,
  copyTokenWithChanges,
  createFileLinkTokens,
  createReplacementTextToken,
  formatFileNote,
  isRecordingLink,
  isSitePicture,
  type PictureContext,
  pictureOf,
} from "../pictures.ts";

/** A picture in a paragraph, with the link around it, if any. */
interface LinkablePicture {
  image: Token;
  link: { open: Token; close: Token } | null;
}

interface FigureContext extends PictureContext {
  /** Whether to show credits and file sizes, which are not part of the searched text. */
  showsMetadata: boolean;
}

/**
 * Adapts the tokens of a body for HTML. A picture alone in its paragraph becomes a figure if it has
 * a caption (its title) or a credit, or links to a recording. A paragraph of several pictures of
 * the site, each on a separate line, becomes a gallery.
 */
export function convertPicturesToFigures(
  tokens: readonly Token[],
  context: FigureContext,
): Token[] {
  const noted = context.showsMetadata ? withCellNotes(tokens, context) : tokens;
  return replaceParagraphs(noted, (paragraph) => {
    const [open, inline, close] = paragraph;
    const shown = picturesOf(inline.children ?? []);
    const [first, ...others] = shown ?? [];
    if (shown === null || first === undefined) {
      if (!context.showsMetadata) return paragraph;
      return [open, copyTokenWithChanges(inline, { children: withNotes(inline, context) }), close];
    }
    if (others.length === 0) return figure(first, paragraph, context) ?? paragraph;
    const isGallery = shown.every(({ image }) => isSitePicture(image, context.origin));
    return isGallery ? gallery(shown, paragraph, context) : paragraph;
  });
}

/**
 * Adapts the tokens of a body for Markdown: adds credits after pictures, and sizes after links to
 * files. Captions remain titles.
 */
export function addCreditsAndFileNotes(tokens: readonly Token[], context: PictureContext): Token[] {
  return replaceParagraphs(withCellNotes(tokens, context), (paragraph) => {
    const [open, inline, close] = paragraph;
    const noted = copyTokenWithChanges(inline, { children: withNotes(inline, context) });
    const shown = picturesOf(inline.children ?? []) ?? [];
    const credits = [...new Set(shown.map(({ image }) => creditOf(image, context)))].filter(
      (credit) => credit !== "",
    );
    const [first] = shown;
    if (first === undefined || credits.length === 0) return [open, noted, close];
    return [
      copyTokenWithChanges(open, { type: "figure_open", tag: "figure" }),
      ...hideParagraphTags(open, noted, close),
      ...caption([createReplacementTextToken(first.image, credits.join("; "))], paragraph),
      copyTokenWithChanges(close, { type: "figure_close", tag: "figure" }),
    ];
  });
}

type Paragraph = readonly [open: Token, inline: Token, close: Token];

function replaceParagraphs(
  tokens: readonly Token[],
  replace: (paragraph: Paragraph) => readonly Token[],
): Token[] {
  const all: Token[] = [];
  for (const token of tokens) {
    all.push(token);
    if (token.type !== "paragraph_close") continue;
    const [open, inline, close] = all.slice(-3);
    if (open?.type !== "paragraph_open" || inline === undefined || close === undefined) continue;
    all.splice(-3, 3, ...replace([open, inline, close]));
  }
  return all;
}

const CELL_TOKENS: ReadonlySet<string> = new Set(["td_open", "th_open", "dt_open"]);

/**
 * Adds notes about linked files to table cells and to the terms of definition lists. Their text is not in a
 * paragraph, where such notes are added otherwise.
 */
function withCellNotes(tokens: readonly Token[], context: PictureContext): Token[] {
  return tokens.map((token, at) =>
    token.type === "inline" && CELL_TOKENS.has(tokens[at - 1]?.type ?? "")
      ? copyTokenWithChanges(token, { children: withNotes(token, context) })
      : token,
  );
}

function withNotes(inline: Token, context: PictureContext): Token[] {
  return addFileNotes(inline.children ?? [], context);
}

/** The pictures of a paragraph that consists only of pictures on separate lines; otherwise null. */
function picturesOf(children: readonly Token[]): LinkablePicture[] | null {
  const shown: LinkablePicture[] = [];
  let isLineEmpty = true;
  for (let at = 0; at < children.length; at += 1) {
    const child = children[at];
    if (child === undefined) break;
    if (child.type === "softbreak" || child.type === "hardbreak") {
      isLineEmpty = true;
      continue;
    }
    if (child.type === "text" && child.content.trim() === "") continue;
    const found = pictureAt(children, at);
    if (found === null || !isLineEmpty) return null;
    isLineEmpty = false;
    shown.push(found);
    if (found.link !== null) at += 2;
  }
  return shown;
}

function pictureAt(children: readonly Token[], at: number): LinkablePicture | null {
  const [first, second, third] = children.slice(at, at + 3);
  if (first?.type === "image") return { image: first, link: null };
  const isLinked =
    first?.type === "link_open" && second?.type === "image" && third?.type === "link_close";
  return isLinked ? { image: second, link: { open: first, close: third } } : null;
}

/**
 * Converts a paragraph with a picture to a figure; null if the picture has no caption, credit or
 * recording.
 */
function figure(
  shown: LinkablePicture,
  paragraph: Paragraph,
  context: FigureContext,
): Token[] | null {
  const words = captionWords(shown, context);
  const isPoster = shown.link !== null && isRecordingLink(shown.link.open, context.origin);
  if (words === "" && !isPoster) return null;
  const [open, inline, close] = paragraph;
  const attrs: [string, string][] = isPoster ? [["class", "recording"]] : [];
  return [
    copyTokenWithChanges(open, { type: "figure_open", tag: "figure", attrs, hidden: false }),
    ...hideParagraphTags(
      open,
      copyTokenWithChanges(inline, { children: withoutCaption(shown, words) }),
      close,
    ),
    ...(words === "" ? [] : caption([createReplacementTextToken(shown.image, words)], paragraph)),
    copyTokenWithChanges(close, { type: "figure_close", tag: "figure", hidden: false }),
  ];
}

/**
 * A list of pictures. Each picture links to its full size, because a gallery crops pictures. If a picture
 * already has a link, that link stays. A picture without alternative text gets no link, because nothing
 * would label the link.
 */
function gallery(
  all: readonly LinkablePicture[],
  paragraph: Paragraph,
  context: FigureContext,
): Token[] {
  const [open, inline, close] = paragraph;
  const item = { type: "list_item", tag: "li", hidden: false };
  return [
    copyTokenWithChanges(open, {
      type: "list_open",
      tag: "ul",
      attrs: [["class", "gallery"]],
      hidden: false,
    }),
    ...all.flatMap((each) => {
      const shown = withFullSize(each);
      const children = withoutCaption(shown, captionWords(shown, context));
      return [
        copyTokenWithChanges(open, item),
        ...(figure(shown, paragraph, context) ??
          hideParagraphTags(open, copyTokenWithChanges(inline, { children }), close)),
        copyTokenWithChanges(close, item),
      ];
    }),
    copyTokenWithChanges(close, { type: "list_close", tag: "ul", hidden: false }),
  ];
}

function withFullSize({ image, link }: LinkablePicture): LinkablePicture {
  if (link !== null || image.content === "") return { image, link };
  return { image, link: createFileLinkTokens(image) };
}

/**
 * The picture and its link, both without their titles. If a linked picture has no alternative text, `words`
 * become its alternative text and label the link.
 */
function withoutCaption({ image, link }: LinkablePicture, words: string): Token[] {
  const attrs = (image.attrs ?? []).filter(([name]) => name !== "title");
  const lacksLabel = link !== null && image.content === "" && words !== "";
  const shown = copyTokenWithChanges(image, {
    attrs,
    ...(lacksLabel ? { content: words, children: [createReplacementTextToken(image, words)] } : {}),
  });
  if (link === null) return [shown];
  const others = (link.open.attrs ?? []).filter(([name]) => name !== "title");
  return [copyTokenWithChanges(link.open, { attrs: others }), shown, link.close];
}

function captionWords({ image, link }: LinkablePicture, context: FigureContext): string {
  const statedTitle = titleOf(link?.open) || titleOf(image);
  const title = statedTitle === image.content ? "" : statedTitle;
  if (!context.showsMetadata) return title;
  const note = link === null ? "" : formatFileNote(link.open, context);
  const noted = note === "" || title === "" ? title + note : `${title} (${note})`;
  return [noted, creditOf(image, context)].filter((part) => part !== "").join(" · ");
}

function titleOf(token: Token | undefined): string {
  return String(token?.attrGet("title") ?? "").trim();
}

function creditOf(image: Token, context: PictureContext): string {
  return pictureOf(image, context)?.credit ?? "";
}

function caption(children: Token[], [open, inline, close]: Paragraph): Token[] {
  const content = children.map((child) => child.content).join("");
  return [
    copyTokenWithChanges(open, { tag: "figcaption", attrs: null, hidden: false }),
    copyTokenWithChanges(inline, { content, children }),
    copyTokenWithChanges(close, { tag: "figcaption", hidden: false }),
  ];
}

/**
 * Hides the tags of a paragraph, so that its content has no `p` element around it. The parser also hides
 * these tags in a tight list.
 */
function hideParagraphTags(open: Token, inline: Token, close: Token): Token[] {
  return [
    copyTokenWithChanges(open, { hidden: true }),
    inline,
    copyTokenWithChanges(close, { hidden: true }),
  ];
}
