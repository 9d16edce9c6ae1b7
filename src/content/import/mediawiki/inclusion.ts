/**
 * The part of a page's text that other pages show when they include this page. Leaves out, for example, the
 * documentation of a template.
 */
export function extractTranscludedText(text: string): string {
  const only = contentsOf(text, "onlyinclude");
  const included = only.length > 0 ? only.join("") : text;
  return withoutTags(withoutElement(included, "noinclude"), "includeonly");
}

/**
 * The part of a page's text that the page itself shows. Leaves out text that is only for pages that include
 * it.
 */
export function extractOwnPageText(text: string): string {
  return withoutTags(withoutElement(text, "includeonly"), "noinclude|onlyinclude|includeonly");
}

function withoutTags(text: string, names: string): string {
  return text.replaceAll(new RegExp(`</?(?:${names})\\s{0,20}/?>`, "gi"), "");
}

function withoutElement(text: string, name: string): string {
  let kept = "";
  let at = 0;
  for (const { start, end } of elementsIn(text, name)) {
    kept += text.slice(at, start);
    at = end;
  }
  return kept + text.slice(at);
}

function contentsOf(text: string, name: string): string[] {
  return [...elementsIn(text, name)].map((found) => text.slice(found.from, found.to));
}

interface Found {
  start: number;
  /** The content between the tags begins at `from` and ends at `to`. */
  from: number;
  to: number;
  end: number;
}

function* elementsIn(text: string, name: string): Generator<Found> {
  const tag = new RegExp(`<(/?)${name}\\s{0,20}>`, "gi");
  let open: { start: number; from: number } | null = null;
  for (const found of text.matchAll(tag)) {
    const end = found.index + found[0].length;
    if (found[1] === "") open ??= { start: found.index, from: end };
    else if (open !== null) {
      yield { ...open, to: found.index, end };
      open = null;
    }
  }
}
