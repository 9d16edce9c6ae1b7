import type { Element, Nodes, Root } from "hast";

/** Yields elements in document order. Iterative, because pages may nest thousands of levels deep. */
export function* iterateElements(tree: Root | Element): Generator<Element> {
  const pending: Nodes[] = [tree];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (node.type === "element") yield node;
    if ("children" in node) pushReversed(pending, node.children);
  }
}

/** Pushes the children in reverse, so that the stack returns them in order. */
function pushReversed(pending: Nodes[], children: readonly Nodes[]): void {
  for (let at = children.length - 1; at >= 0; at -= 1) {
    const child = children[at];
    if (child !== undefined) pending.push(child);
  }
}

/** The text of an element on one line. */
export function oneLineTextOf(
  tree: Root | Element,
  isLeftOut: (element: Element) => boolean = () => false,
): string {
  const pieces: string[] = [];
  const pending: Nodes[] = [tree];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (node.type === "text") pieces.push(node.value);
    if (!("children" in node) || (node.type === "element" && isLeftOut(node))) continue;
    pushReversed(pending, node.children);
  }
  return pieces.join("").replace(/\s+/g, " ").trim();
}

const WORD = /[\p{L}\p{N}]+/gu;

export function countWords(
  tree: Root | Element,
  isLeftOut?: (element: Element) => boolean,
): number {
  return oneLineTextOf(tree, isLeftOut).match(WORD)?.length ?? 0;
}

export function hasWords(tree: Root | Element): boolean {
  return /[\p{L}\p{N}]/u.test(oneLineTextOf(tree));
}

/** The names by which links can target an element: its id, or the name of an anchor. */
export function anchorNamesOf({ tagName, properties }: Element): string[] {
  const name = tagName === "a" ? properties["name"] : undefined;
  const names = [properties["id"], name];
  return names.flatMap((each) => (typeof each === "string" && each !== "" ? [each] : []));
}

/** The name of the target of a link within the page; null for other links. */
export function fragmentTarget({ tagName, properties }: Element): string | null {
  const href = properties["href"];
  if (tagName !== "a" || typeof href !== "string" || !/^#[^\s]/.test(href)) return null;
  const name = href.slice(1);
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

const LINK_SCHEMES: ReadonlySet<string> = new Set(["http:", "https:", "mailto:", "tel:"]);

/**
 * Whether an element is a link with an accepted target: a path, a website, an e-mail address or a phone
 * number.
 */
export function isUsableLink({ tagName, properties }: Element): boolean {
  const href = properties["href"];
  if (tagName !== "a" || typeof href !== "string") return false;
  const url = URL.parse(href, "http://site.invalid/");
  return url !== null && LINK_SCHEMES.has(url.protocol);
}

/** Finds the elements that contain an element, from the nearest to the outermost. */
export class AncestorFinder {
  readonly #parents = new Map<Element, Root | Element>();

  constructor(tree: Root) {
    const pending: (Root | Element)[] = [tree];
    for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
      for (const child of node.children) {
        if (child.type !== "element") continue;
        this.#parents.set(child, node);
        pending.push(child);
      }
    }
  }

  of(element: Element): Root | Element | undefined {
    return this.#parents.get(element);
  }

  *around(element: Element): Generator<Element> {
    for (
      let parent = this.of(element);
      parent !== undefined && parent.type === "element";
      parent = this.of(parent)
    ) {
      yield parent;
    }
  }

  /** Removes an element, and then its ancestors that are left without visible content. */
  remove(element: Element): void {
    let gone: Element = element;
    for (;;) {
      const parent = this.of(gone);
      if (parent === undefined) return;
      const place = parent.children.indexOf(gone);
      if (place >= 0) parent.children.splice(place, 1);
      if (parent.type === "root" || hasVisibleContent(parent)) return;
      gone = parent;
    }
  }
}

const SHOWN_ELEMENT = /^(?:img|picture|video|audio|iframe|object|embed)$/;

/** Whether an element has words, pictures or other media. */
export function hasVisibleContent(element: Element): boolean {
  const pending: Nodes[] = [element];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (node.type === "text" && node.value.trim() !== "") return true;
    if (node.type === "element" && SHOWN_ELEMENT.test(node.tagName)) return true;
    if ("children" in node) for (const child of node.children) pending.push(child);
  }
  return false;
}
