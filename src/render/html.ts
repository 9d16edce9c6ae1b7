/** HTML that is safe to insert into a page: made by `html`, or marked by `trustedHtml`. */
export class SafeHtml {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Insertion = SafeHtml | string | number | null | undefined | false | readonly Insertion[];

/** Escapes every inserted value, except {@link SafeHtml}. */
export function html(
  literals: TemplateStringsArray,
  ...insertions: readonly Insertion[]
): SafeHtml {
  let text = literals[0] ?? "";
  for (let at = 0; at < insertions.length; at += 1) {
    text += insertedHtml(insertions[at]) + (literals[at + 1] ?? "");
  }
  return new SafeHtml(text);
}

/** Marks HTML as safe; only for HTML made by our own sanitiser or serialiser. */
export function trustedHtml(text: string): SafeHtml {
  return new SafeHtml(text);
}

const NEEDS_ESCAPE = /[&<>"']/;

/** Escapes a value for text content and quoted attributes. */
function escapeHtml(text: string): string {
  if (!NEEDS_ESCAPE.test(text)) return text;
  return text.replaceAll(/[&<>"']/g, (character) => HTML_ENTITIES[character] ?? character);
}

const HTML_ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function insertedHtml(insertion: Insertion): string {
  if (insertion instanceof SafeHtml) return insertion.text;
  if (typeof insertion === "string") return escapeHtml(insertion);
  if (typeof insertion === "number") return String(insertion);
  if (insertion === null || insertion === undefined || insertion === false) return "";
  let text = "";
  for (const piece of insertion) text += insertedHtml(piece);
  return text;
}
