import { createHash } from "node:crypto";
import type { Element, ElementContent, Root } from "hast";
import { isLayoutTable } from "./layout-tables.ts";

/** A block of a page, or the text and inline elements between two blocks. */
export interface PagePart {
  parent: Root | Element;
  nodes: readonly ElementContent[];
  /** Parts with the same content have the same key. */
  key: string;
  text: string;
  words: number;
  linkWords: number;
  links: number;
  /** Number of words that are in headings. */
  headingWords: number;
  /** The part's element, if it contains further parts; null: the part can only be removed as a whole. */
  container: Element | null;
}

/** Texts with more characters than this never count as repeated parts. */
const TEXT_CHARACTERS_MAX = 20_000;
const CONTAINER =
  /^(?:a|article|aside|body|center|div|font|footer|form|header|html|main|nav|section|span|table|tbody|td|tfoot|th|thead|tr)$/;
const BLOCK =
  /^(?:address|article|aside|blockquote|center|dd|details|dir|div|dl|fieldset|figure|footer|form|h[1-6]|header|hr|li|main|menu|nav|ol|p|pre|section|table|tbody|td|tfoot|th|thead|tr|ul)$/;
const HEADING = /^h[1-6]$/;
const NEVER_SHOWN = /^(?:head|script|style|template|noscript|link|meta|base)$/;
const WORD = /[\p{L}\p{N}]+/gu;

/** The text of a node, and counts of its content. */
interface Summary {
  /** Null: the text is too long. */
  text: string | null;
  words: number;
  linkWords: number;
  links: number;
  headingWords: number;
  holdsBlock: boolean;
}

/** Finds the parts of a page, and the parts of its blocks. */
export class PagePartFinder {
  readonly #summaries = new Map<ElementContent, Summary>();

  /** The parts of a page or block in document order, without those that show nothing. */
  of(parent: Root | Element): PagePart[] {
    const parts: PagePart[] = [];
    let run: ElementContent[] = [];
    const add = (nodes: ElementContent[], block: Element | null) => {
      const part = this.#partOf(nodes, block);
      if (part !== null) parts.push({ ...part, parent });
    };
    for (const child of parent.children) {
      if (child.type === "doctype") continue;
      const isBlock =
        child.type === "element" &&
        (BLOCK.test(child.tagName) ||
          /^(?:html|body)$/.test(child.tagName) ||
          this.#summaryOf(child).holdsBlock);
      if (!isBlock) {
        run.push(child);
        continue;
      }
      add(run, null);
      run = [];
      add([child], child);
    }
    add(run, null);
    return parts;
  }

  /** All parts of a page, including parts within parts, in no particular order. */
  *all(tree: Root): Generator<PagePart> {
    const pending = this.of(tree);
    for (let part = pending.pop(); part !== undefined; part = pending.pop()) {
      yield part;
      if (part.container === null) continue;
      for (const inner of this.of(part.container)) pending.push(inner);
    }
  }

  #partOf(nodes: ElementContent[], block: Element | null): Omit<PagePart, "parent"> | null {
    const { text, words, linkWords, links, headingWords, holdsBlock } = joined(
      nodes.map((node) => this.#summaryOf(node)),
    );
    if (text?.trim() === "") return null;
    const line = (text ?? "").replaceAll(/\s+/g, " ").trim();
    const shown = text === null ? "" : `${block?.tagName ?? ""} ${line}`;
    return {
      ...{ nodes, words, linkWords, links, headingWords, text: line },
      key: createHash("sha1").update(shown).digest("base64url").slice(0, 16),
      container: block !== null && holdsBlock && isContainer(block) ? block : null,
    };
  }

  #summaryOf(node: ElementContent): Summary {
    const known = this.#summaries.get(node);
    if (known !== undefined) return known;
    const summary = this.#summarise(node);
    this.#summaries.set(node, summary);
    return summary;
  }

  #summarise(node: ElementContent): Summary {
    if (node.type === "text") {
      return { ...NOTHING, text: node.value, words: node.value.match(WORD)?.length ?? 0 };
    }
    if (node.type !== "element" || NEVER_SHOWN.test(node.tagName)) return NOTHING;
    const { tagName, properties } = node;
    if (tagName === "img") {
      return { ...NOTHING, text: ` ${properties["alt"] ?? ""} [${properties["src"] ?? ""}] ` };
    }
    const inner = joined(node.children.map((child) => this.#summaryOf(child)));
    const isLink = tagName === "a" && "href" in properties;
    return {
      ...inner,
      ...(isLink ? { links: 1, linkWords: inner.words } : {}),
      ...(HEADING.test(tagName) ? { headingWords: inner.words } : {}),
      holdsBlock: node.children.some(
        (child) =>
          child.type === "element" &&
          (BLOCK.test(child.tagName) || this.#summaryOf(child).holdsBlock),
      ),
      text: BLOCK.test(tagName) && inner.text !== null ? ` ${inner.text} ` : inner.text,
    };
  }
}

/** Whether a block has parts of its own. A data table is a single part; a layout table has parts. */
function isContainer(block: Element): boolean {
  return CONTAINER.test(block.tagName) && (block.tagName !== "table" || isLayoutTable(block));
}

const NOTHING: Summary = {
  ...{ text: "", words: 0, linkWords: 0, links: 0, headingWords: 0 },
  holdsBlock: false,
};

function joined(summaries: readonly Summary[]): Summary {
  const sum = { ...NOTHING };
  const texts: string[] = [];
  let characters = 0;
  for (const { text, words, linkWords, links, headingWords, holdsBlock } of summaries) {
    sum.words += words;
    sum.linkWords += linkWords;
    sum.links += links;
    sum.headingWords += headingWords;
    sum.holdsBlock ||= holdsBlock;
    characters += text?.length ?? Number.POSITIVE_INFINITY;
    if (text !== null && characters <= TEXT_CHARACTERS_MAX) texts.push(text);
  }
  return { ...sum, text: characters <= TEXT_CHARACTERS_MAX ? texts.join("") : null };
}
