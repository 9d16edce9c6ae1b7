import type { Element, Nodes } from "hast";
import type { Handle } from "hast-util-to-mdast";
import type { InlineCode, Link } from "mdast";
import { formulaOf } from "./formulas.ts";

/** Handlers that turn embedded content into links, and formulas and drawings into text. */
export const EMBEDDED_HANDLERS: Readonly<Record<string, Handle>> = {
  iframe: embeddedLink,
  embed: embeddedLink,

  /** Prefers the fallback content, which browsers show only if they cannot show the embedded object. */
  object(state, node) {
    const inner = state.all(node);
    return inner.length > 0 ? inner : embeddedLink(state, node);
  },

  math(_state, node) {
    const { tex, text } = formulaOf(node);
    const code: InlineCode = { type: "inlineCode", value: tex };
    return tex === "" ? { type: "text", value: text } : code;
  },

  svg(_state, node) {
    const text = svgText(node);
    return text === "" ? undefined : { type: "text", value: text };
  },
};

function embeddedLink(_state: unknown, node: Element): Link | undefined {
  const url = embeddedUrlOf(node);
  if (url === null || isInvisibleEmbed(node)) return undefined;
  const { title } = node.properties;
  const text = typeof title === "string" && title.trim() !== "" ? title.trim() : url;
  return { type: "link", url, title: null, children: [{ type: "text", value: text }] };
}

/** Elements that embed content from another address. */
export const EMBEDDED_ELEMENTS: ReadonlySet<string> = new Set(["iframe", "embed", "object"]);

/** The address of the embedded content; null: there is no address to link to. */
export function embeddedUrlOf({ properties }: Element): string | null {
  const raw = String(properties["src"] ?? properties["data"] ?? "").trim();
  const video = /^(?:https?:)?\/\/(?:www\.)?youtube(?:-nocookie)?\.com\/embed\/([\w-]+)/.exec(raw);
  // Returns the page of the video rather than its player.
  if (video !== null) return `https://www.youtube.com/watch?v=${video[1]}`;
  const address = raw.replace(/^\/\//, "https://");
  const url = URL.parse(address, "https://site.invalid/");
  return address !== "" && url !== null && /^https?:$/.test(url.protocol) ? address : null;
}

/** Whether an embedded element is invisible, such as a visitor counter. */
export function isInvisibleEmbed({ properties }: Element): boolean {
  const isTiny = [properties["width"], properties["height"]].some((size) =>
    /^[01](?:px)?$/.test(String(size)),
  );
  return isTiny || /display\s*:\s*none|visibility\s*:\s*hidden/i.test(String(properties["style"]));
}

/** Parts of a drawing whose text is not shown. */
const NO_WORDS_OF_DRAWING = /^(?:defs|metadata|script|style|symbol)$/;

/** The words of a drawing: its title, its labels and its description; empty: it has none. */
export function svgText(svg: Element): string {
  const texts: string[] = [];
  const pending: Nodes[] = [svg];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (node.type === "text") texts.push(node.value);
    if (node.type !== "element" || NO_WORDS_OF_DRAWING.test(node.tagName)) continue;
    pending.push(...node.children.toReversed());
  }
  const text = texts.join(" ").replaceAll(/\s+/g, " ").trim();
  const label = svg.properties["ariaLabel"];
  return text === "" && typeof label === "string" ? label.trim() : text;
}

/** Drawings narrower than this count as icons. */
const DRAWING_PIXELS_MIN = 64;

/** Whether a drawing is larger than an icon. */
export function isLargeDrawing({ properties }: Element): boolean {
  if (/^(?:none|presentation)$/.test(String(properties["role"]))) return false;
  const [, , viewWidth] = String(properties["viewBox"] ?? "").split(/[\s,]+/);
  const width = String(properties["width"] ?? viewWidth ?? "");
  return width.endsWith("%") || Number.parseFloat(width) >= DRAWING_PIXELS_MIN;
}
