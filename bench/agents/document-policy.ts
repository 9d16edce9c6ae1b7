import { plain, type Question } from "./questions.ts";

/** Fetches a Markdown document of the site, by an address or a path. */
export type Fetch = (address: string) => Promise<string>;

interface Hit {
  path: string;
  line: string;
}

/**
 * Answers without a key: reads llms.txt, which explains how to narrow `/search.md`, and continues from there.
 * Uses only what the documents say.
 */
export async function answerByDocuments(question: Question, fetch: Fetch): Promise<string[]> {
  const index = await fetch("/llms.txt");
  const [search = ""] = /https?:\/\/[^\s`]*\/search\.md/.exec(index) ?? [];
  const ask = (parameters: Record<string, string>) =>
    fetch(`${search}?${new URLSearchParams({ type: "quotation", ...parameters })}`);
  switch (question.kind) {
    case "find": {
      const { line } = hitWith(question.slots.fragment ?? "", await ask(words(question)));
      return sourceIn(line);
    }
    case "compare":
      return await compare(question, ask);
    case "list":
      return await list(question, ask, fetch);
    case "hops":
      return await hops(question, ask);
    case "cite": {
      const { path } = hitWith(question.slots.fragment ?? "", await ask(words(question)));
      const page = await fetch(`${path}.md`);
      const [, quote = ""] =
        /\n\n((?:> [^\n]*\n?)+)/.exec(page.replace(/^> Documentation.*$/m, "")) ?? [];
      const [cited = ""] = /^Cite as: .*$/m.exec(page) ?? [];
      return [plain(quote.replaceAll(/^> /gm, "")), plain(cited), path];
    }
  }
}

type Ask = (parameters: Record<string, string>) => Promise<string>;

function words({ slots }: Question): Record<string, string> {
  return { q: slots.fragment ?? "" };
}

async function compare({ slots }: Question, ask: Ask): Promise<string[]> {
  const text = await ask({ topics: slots.topic ?? "", count_by: "authors" });
  const counts = [...text.matchAll(/^- \[(.*?)\]\([^)]*\) – (\d+)$/gm)].map(
    ([, name = "", count = ""]) => ({
      name,
      count,
    }),
  );
  const { others } = slots;
  if (others === undefined) return [counts[0]?.name ?? "", counts[0]?.count ?? ""];
  return others.map((name) => `${name}: ${counts.find((each) => each.name === name)?.count ?? 0}`);
}

async function list({ slots }: Question, ask: Ask, fetch: Fetch): Promise<string[]> {
  const paths = new Set<string>();
  let text = await ask({ topics: slots.topic ?? "", authors: slots.author ?? "" });
  for (;;) {
    for (const [, path = ""] of text.matchAll(/\(https?:\/\/[^/]+(\/quotations\/[^)]*)\.md\)/g)) {
      paths.add(decodeURI(path));
    }
    const next = /\[Next page\]\(([^)]*)\)/.exec(text)?.[1];
    if (next === undefined) return [...paths].sort();
    text = await fetch(next);
  }
}

async function hops(question: Question, ask: Ask): Promise<string[]> {
  const { fragment = "", topic } = question.slots;
  const { line } = hitWith(fragment, await ask(words(question)));
  const [author = "", work = ""] = pathsIn(line);
  if (topic !== undefined) {
    const text = await ask({ authors: author, topics: topic, count_by: "verification" });
    return [/^(\d+) items?/m.exec(text)?.[1] ?? ""];
  }
  const text = await ask({ work, count_by: "topics" });
  const [, name = "", count = ""] = /^- \[(.*?)\]\([^)]*\) – (\d+)$/m.exec(text) ?? [];
  return [name, count];
}

/** The line of the result whose snippet has the words. */
function hitWith(fragment: string, text: string): Hit {
  const lines = text.split("\n").filter((line) => line.startsWith("- ["));
  const line =
    lines.find((each) => plain(each.replaceAll("**", "")).includes(plain(fragment))) ??
    lines[0] ??
    "";
  const [, path = ""] = /\]\(https?:\/\/[^/]+(\/quotations\/[^)]*?)\.md\)/.exec(line) ?? [];
  return { path: decodeURI(path), line };
}

/** Author, work and place: the links after the first one, and the text after them. */
function sourceIn(line: string): string[] {
  const [, source = ""] = / – (\[.*?) · \p{L}+(?:: |$)/u.exec(line) ?? [];
  const names = [...source.matchAll(/\[(.*?)\]\([^)]*\)/g)].map(([, name = ""]) => name);
  const place = source.replaceAll(/\[.*?\]\([^)]*\)/g, "").replace(/^[, ]+/, "");
  return [...names, place];
}

function pathsIn(line: string): string[] {
  return [...line.matchAll(/\]\(https?:\/\/[^/]+(\/(?:authors|works)\/[^)]*?)\.md\)/g)].map(
    ([, path = ""]) => decodeURI(path),
  );
}
