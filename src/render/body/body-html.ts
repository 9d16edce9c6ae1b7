import { createRequire } from "node:module";
import type sanitizeHtml from "sanitize-html";
import type { Attributes, IOptions, Tag } from "sanitize-html";
import { type FindPicture, findNoPicture, type Picture } from "../pictures.ts";
import { resolveImageDestination, resolveLinkDestination } from "../site-links.ts";
import { checkElementDepth } from "./element-depth.ts";
import { RESERVED_ID_PATTERN } from "./outline.ts";
import { replaceRecordingsWithLinks } from "./recordings.ts";

const require = createRequire(import.meta.url);

const BLOCK_ELEMENTS = [
  "h2",
  "h3",
  "h4",
  "h5",
  "h6",
  "p",
  "blockquote",
  "pre",
  "hr",
  "section",
  "details",
  "summary",
  "figure",
  "figcaption",
  "ul",
  "ol",
  "li",
  "dl",
  "dt",
  "dd",
  "table",
  "caption",
  "thead",
  "tbody",
  "tfoot",
  "tr",
  "th",
  "td",
] as const;
const INLINE_ELEMENTS = [
  "a",
  "img",
  "br",
  "code",
  "em",
  "strong",
  "b",
  "i",
  "s",
  "del",
  "ins",
  "sub",
  "sup",
  "small",
  "q",
  "cite",
  "abbr",
  "dfn",
  "mark",
  "kbd",
  "samp",
  "var",
  "bdi",
  "bdo",
  "span",
  "ruby",
  "rp",
  "rt",
] as const;
export const BLOCK_TAGS: ReadonlySet<string> = new Set(BLOCK_ELEMENTS);

/**
 * Keeps text markup and the ids that links point to; drops scripts, embeds and styles.
 * Links get no `nofollow`, because only editors write bodies.
 * @throws {AppError} `invalid` when elements nest too deep.
 */
export function sanitizeBody(
  html: string,
  { origin, findPicture = findNoPicture }: { origin: string; findPicture?: FindPicture },
): string {
  let depth = 0;
  const options = optionsFor(origin);
  // Loaded on first use, because the library loads a CSS parser that most processes never need.
  const sanitize: typeof sanitizeHtml = require("sanitize-html");
  const clean = sanitize(replaceRecordingsWithLinks(html), {
    ...options,
    ...(findPicture !== findNoPicture && html.includes("/media/")
      ? { transformTags: { ...options.transformTags, img: imageWriter(origin, findPicture) } }
      : {}),
    onOpenTag: () => {
      depth += 1;
      checkElementDepth(depth);
    },
    onCloseTag: () => {
      depth -= 1;
    },
  });
  return clean.replaceAll(EMBEDDED_NAME, ">$1").trim();
}

const optionsByOrigin = new Map<string, IOptions>();

function optionsFor(origin: string): IOptions {
  const known = optionsByOrigin.get(origin);
  if (known !== undefined) return known;
  const options = createOptions(origin);
  optionsByOrigin.set(origin, options);
  return options;
}

function createOptions(origin: string): IOptions {
  return {
    allowedTags: [...BLOCK_ELEMENTS, ...INLINE_ELEMENTS],
    allowedAttributes: {
      "*": ["lang", "dir", "id"],
      a: ["href", "title", "hreflang", "class", EMBEDDED],
      abbr: ["title"],
      span: ["class", EMBEDDED],
      section: ["class"],
      figure: ["class"],
      ul: ["class"],
      sup: ["class"],
      img: ["src", "alt", "title", "width", "height", "loading", "decoding"],
      ol: ["start"],
      code: ["class"],
      th: ["class", "scope", "colspan", "rowspan"],
      td: ["class", "colspan", "rowspan"],
    },
    allowedClasses: {
      a: ["footnote-backref"],
      section: ["footnotes"],
      figure: ["recording"],
      // `smallcaps` is the class that Pandoc uses for small capitals.
      span: ["recording", "smallcaps"],
      ul: ["gallery"],
      sup: ["footnote-ref"],
      code: ["language-*"],
      th: ["align-right", "align-center"],
      td: ["align-right", "align-center"],
    },
    nestingLimit: 100,
    // Disables the library's check of URLs: the transforms below check URLs, and recognise the
    // site's own addresses.
    allowedSchemesAppliedToAttributes: [],
    transformTags: {
      // Called for every element, after the transforms below.
      "*": (tagName, attributes) => ({ tagName, attribs: withAnchorId(attributes) }),
      h1: "h2",
      a: (tagName, attributes) => link(tagName, attributes, origin),
      div: (tagName, attributes) => ({
        tagName: "id" in attributes ? "section" : tagName,
        attribs: attributes,
      }),
      iframe: (_, attributes) => linkToEmbedded(attributes, origin),
      img: imageWriter(origin, findNoPicture),
      th: (tagName, attributes) => cell(tagName, { ...attributes, scope: "col" }),
      td: cell,
    },
    // Drops images without a usable address. `imageWriter` has replaced some images by their alternative
    // text and removed their `alt`. This text is kept.
    exclusiveFilter: ({ tag, attribs }) =>
      tag === "img" && attribs["src"] === undefined && "alt" in attribs,
  };
}

/** Matches the ids of footnotes and their references. */
const NOTE_ID = /^fn(?:ref)?(?:-[a-z0-9]+-)?\d+(?::\d+)?$/;
const ANCHOR_ID = /^[^\s"'<>`=&]{1,200}$/;
/** Matches ids that the fields of forms and filters can have. */
const FIELD_ID = /^(?:message|key-request|claim|preview|filter|search)-/;

/**
 * Keeps an id that can be the target of links, as in `<p id="x">`, if it is valid and not reserved for the
 * page itself.
 */
function withAnchorId({ id, ...others }: Attributes): Attributes {
  if (id === undefined) return others;
  const isUsable = ANCHOR_ID.test(id) && !RESERVED_ID_PATTERN.test(id) && !FIELD_ID.test(id);
  return isUsable || NOTE_ID.test(id) ? { ...others, id } : others;
}

/** A link; without a usable address, a `span` that keeps the id. */
function link(
  tagName: string,
  { href, name, id = name, ...others }: Attributes,
  origin: string,
): Tag {
  const destination = href === undefined ? null : resolveLinkDestination(href, origin);
  const place: Attributes = id === undefined ? {} : { id };
  return destination === null
    ? { tagName: "span", attribs: place }
    : { tagName, attribs: { href: destination.html, ...others, ...place } };
}

/**
 * Temporary attribute for the name of an embedded page. If the name were passed as `text`, the
 * library would repeat it.
 */
const EMBEDDED = "data-embedded";
const EMBEDDED_NAME = new RegExp(` ${EMBEDDED}="([^"]*)">`, "g");

/** A link that replaces an embedded page; its text is the title of the page or, without one, the address. */
function linkToEmbedded({ src = "", title = "" }: Attributes, origin: string): Tag {
  const destination = src === "" ? null : resolveLinkDestination(src, origin);
  const text = title.trim() === "" ? (destination?.html ?? "") : title;
  const name = text === "" ? {} : { [EMBEDDED]: text };
  return destination === null
    ? { tagName: "span", attribs: name }
    : { tagName: "a", attribs: { href: destination.html, ...name } };
}

/**
 * Returns a transform that makes images load lazily. The site's own pictures get their alternative text.
 * They also get their size, so that the layout does not shift. An image without a usable address becomes
 * its alternative text.
 */
function imageWriter(origin: string, findPicture: FindPicture) {
  return (tagName: string, { src, ...others }: Attributes): Tag => {
    const destination = src === undefined ? null : resolveImageDestination(src, origin);
    const words = others["alt"] ?? "";
    if (destination === null && words !== "") return { tagName: "span", attribs: {}, text: words };
    const picture = destination === null ? null : findPicture(destination.html);
    const isSized = "width" in others || "height" in others;
    const attribs: Attributes = {
      alt: picture?.alt ?? "",
      ...(isSized ? {} : sizeOf(picture)),
      ...others,
      loading: "lazy",
      decoding: "async",
    };
    return {
      tagName,
      attribs: destination === null ? attribs : { src: destination.html, ...attribs },
    };
  };
}

function sizeOf(picture: Picture | null): Attributes {
  if (picture === null || picture.width === null || picture.height === null) return {};
  return { width: String(picture.width), height: String(picture.height) };
}

/** Converts alignment to a class, because the content security policy forbids style attributes. */
function cell(tagName: string, attributes: Attributes): Tag {
  const { style, ...others } = attributes;
  const alignment = /^text-align:(right|center)$/.exec(style ?? "")?.[1];
  return {
    tagName,
    attribs: alignment === undefined ? others : { ...others, class: `align-${alignment}` },
  };
}
