/** The targets of links and pictures, except those inside code. */
export function linksOf(markdown: string): string[] {
  const prose = withoutFences(markdown).replace(/`[^`\n]*`/g, "");
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map((match) => match[1] ?? "");
}

/** The contents of `code spans`, except those inside fenced blocks. */
export function codeSpansOf(markdown: string): string[] {
  return [...withoutFences(markdown).matchAll(/`([^`\n]+)`/g)].map((match) => match[1] ?? "");
}

/** The contents of fenced blocks in a language. */
export function fencedBlocksOf(markdown: string, language: string): string[] {
  const fence = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, "gm");
  return [...markdown.matchAll(fence)].map((match) => match[1] ?? "");
}

/** The anchors that headings get on GitHub. */
export function anchorsOf(markdown: string): string[] {
  return [...withoutFences(markdown).matchAll(/^#{1,6} (.+)$/gm)].map((match) =>
    (match[1] ?? "")
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replace(/\s/g, "-"),
  );
}

/** The cells of the first table under a heading, without code marks and without the head of the table. */
export function rowsOf(markdown: string, heading: string): string[][] {
  const sections = markdown.split(/^#{1,6} /m);
  const section = sections.find((text) => text.startsWith(`${heading}\n`));
  if (section === undefined) throw new Error(`There is no heading "${heading}"`);
  const [table = ""] = /(^\|.*\n)+/m.exec(section) ?? [];
  return table
    .trimEnd()
    .split("\n")
    .slice(2)
    .map((row) => row.slice(1, -1).split("|"))
    .map((cells) => cells.map((cell) => cell.trim().replaceAll("`", "")));
}

function withoutFences(markdown: string): string {
  return markdown.replace(/^```[\s\S]*?^```$/gm, "");
}
