import { escapeHtml } from "../wordpress/shortcodes.ts";
import type { HtmlPlaceholders } from "./html-placeholders.ts";
import { escapeAngleBrackets } from "./html-tags.ts";
import type { WikiLinkContext } from "./page-links.ts";
import { convertFileLinkToHtml } from "./wiki-files.ts";
import type { ExtensionElement } from "./wikitext-parts.ts";

export interface WikiFootnote {
  id: string;
  content: string;
}

/** The footnotes of a text, in the order in which they are first mentioned. */
export class WikiFootnotes {
  readonly #contents = new Map<string, string>();
  readonly #idsByName = new Map<string, string>();

  /**
   * Adds a footnote and returns its id. A name that is already known keeps its id, unless the content
   * differs.
   *
   * @param content null: the content is elsewhere in the text, under the same name.
   */
  add(name: string, content: string | null): string {
    const known = name === "" ? undefined : this.#idsByName.get(name);
    const stated = known === undefined ? undefined : this.#contents.get(known);
    // A different text under a known name is a separate footnote.
    const isOther = stated !== undefined && stated !== "" && content !== null && content !== stated;
    const id = known === undefined || isOther ? String(this.#contents.size + 1) : known;
    if (name !== "" && known === undefined) this.#idsByName.set(name, id);
    this.#contents.set(id, content ?? this.#contents.get(id) ?? "");
    return id;
  }

  all(): WikiFootnote[] {
    return [...this.#contents].map(([id, content]) => ({ id, content }));
  }
}

export interface ExtensionContext {
  kept: HtmlPlaceholders;
  footnotes: WikiFootnotes;
  links: Pick<WikiLinkContext, "kept" | "fileUrl" | "names">;
  /** Converts the wikitext within an element to HTML without paragraphs. */
  phraseHtml(wikitext: string): string;
  /** Called with the name of each element that is left out because only the wiki's software can render it. */
  onLeftOut(element: string): void;
}

/**
 * Stores the HTML of an extension element in `kept`, and returns its placeholder. Returns an empty string if
 * the element shows nothing.
 */
export function replaceExtensionWithPlaceholder(
  extension: ExtensionElement,
  context: ExtensionContext,
): string {
  const { kept } = context;
  const { name, attributes } = extension;
  const content = extension.content ?? "";
  switch (name) {
    case "nowiki":
      return kept.keep(escapeAngleBrackets(content));
    case "pre":
      return kept.keep(`<pre>${escapeAngleBrackets(content)}</pre>`, "E");
    case "syntaxhighlight":
    case "source":
      return codeMark(attributes, content, kept);
    case "math":
    case "chem":
      return kept.keep(`<code>${escapeAngleBrackets(content.trim())}</code>`);
    case "ref":
      return footnoteMark(extension, context);
    case "references":
      context.phraseHtml(content);
      return "";
    case "gallery":
      return galleryMark({ ...extension, content }, context);
    case "poem":
      return poemMark(content, context);
    case "section":
    case "templatestyles":
    case "indicator":
      return "";
    default:
      context.onLeftOut(name);
      return "";
  }
}

function codeMark(attributes: string, content: string, kept: HtmlPlaceholders): string {
  const text = escapeAngleBrackets(content.replace(/^\n|\s+$/g, ""));
  if (/\binline\b/.test(attributes)) return kept.keep(`<code>${text}</code>`);
  const language = attribute(attributes, "lang");
  const named = /^[\w+#.-]{1,40}$/.test(language) ? ` class="language-${language}"` : "";
  return kept.keep(`<pre><code${named}>${text}</code></pre>`, "E");
}

function footnoteMark(
  { attributes, content }: ExtensionElement,
  context: ExtensionContext,
): string {
  const group = attribute(attributes, "group");
  const name = attribute(attributes, "name");
  const isEmpty = content === null || content.trim() === "";
  const html = isEmpty ? null : `<p>${context.phraseHtml(content.trim())}</p>`;
  const id = context.footnotes.add(name && `${group}/${name}`, html);
  return context.kept.keep(`<sup data-fn="${id}"></sup>`);
}

/** Converts a gallery, which has one picture per line, such as `Garden.jpg|In May`. */
function galleryMark(
  { attributes, content }: ExtensionElement,
  { kept, links, phraseHtml }: ExtensionContext,
): string {
  const heading = attribute(attributes, "caption");
  const pictures = (content ?? "").split("\n").flatMap((line) => {
    const [name = "", ...fields] = line.trim().split(/\|(?![^[]*\]\])/);
    if (name.trim() === "") return [];
    const { title } = links.names.parse(name);
    const caption = fields.map((field) => phraseHtml(field.trim()));
    return kept.restored(convertFileLinkToHtml(title, ["thumb", ...caption], links));
  });
  return kept.keep([heading && `<p>${heading}</p>`, ...pictures].join("\n"), "E");
}

function poemMark(content: string, { kept, phraseHtml }: ExtensionContext): string {
  const verses = content.trim().split(/\n\s*\n/);
  const html = verses.map((verse) => {
    return `<p>${verse
      .split("\n")
      .map((line) => phraseHtml(line.trim()))
      .join("<br>")}</p>`;
  });
  return kept.keep(html.join("\n"), "E");
}

/** The value of an attribute, with or without quotation marks; empty if it is missing. */
function attribute(attributes: string, name: string): string {
  const pattern = new RegExp(`\\b${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, "i");
  const [, double, single, bare] = pattern.exec(attributes) ?? [];
  return escapeHtml(double ?? single ?? bare ?? "").trim();
}
