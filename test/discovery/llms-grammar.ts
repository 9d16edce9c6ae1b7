/** A file in the grammar of llmstxt.org, read as strictly as the reference parser reads it. */
export interface LlmsFile {
  title: string;
  summary: string;
  paragraphs: string[];
  sections: { heading: string; links: { name: string; url: string; note: string }[] }[];
}

/** @throws when a line is none the grammar allows at its place. */
export function parseLlms(text: string): LlmsFile {
  const [head = "", ...sections] = text.split(/^## /m);
  const blocks = head.trim().split("\n\n");
  const [title = "", summary = "", ...paragraphs] = blocks;
  require(/^# \S.*$/.test(title) && !title.includes("\n"), "the first block is no H1", title);
  require(/^> \S.*$/.test(summary) && !summary.includes("\n"), "no summary follows", summary);
  for (const paragraph of paragraphs) require(!/^#/m.test(paragraph), "a heading", paragraph);
  return {
    title: title.slice(2),
    summary: summary.slice(2),
    paragraphs,
    sections: sections.map((section) => {
      const [heading = "", blank, ...lines] = section.trimEnd().split("\n");
      require(heading.trim() !== "" && blank === "", "no blank line after a heading", heading);
      return { heading, links: lines.map(parseLink) };
    }),
  };
}

function parseLink(line: string) {
  const match = /^- \[([^\]]+)\]\(([^)\s]+)\)(?:: (\S.*))?$/.exec(line);
  require(match !== null, "not a link", line);
  const [, name = "", url = "", note = ""] = match ?? [];
  return { name, url, note };
}

function require(holds: boolean, fault: string, where: string): void {
  if (!holds) throw new Error(`llms.txt: ${fault}: ${where.slice(0, 200)}`);
}
