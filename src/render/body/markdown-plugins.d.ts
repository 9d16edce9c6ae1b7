declare module "markdown-it-footnote" {
  import type { MarkdownIt } from "markdown-it";

  const footnotes: (parser: MarkdownIt) => void;
  export = footnotes;
}

declare module "markdown-it-deflist" {
  import type { MarkdownIt } from "markdown-it";

  const definitionLists: (parser: MarkdownIt) => void;
  export = definitionLists;
}
