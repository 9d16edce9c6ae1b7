import { authorPath } from "./author-item.ts";
import type { Corpus, CorpusTopic, CorpusWork } from "./corpus.ts";
import { htmlToMarkdown, plainSpaces } from "./html-to-markdown.ts";
import { topicPath } from "./topic-items.ts";
import { FIRST_PUBLISHED, ORIGINAL_LANGUAGES } from "./work-facts.ts";

/** The item of a book of Standard Ebooks: their description, then where text and mark-up come from. */
export function workItem(work: CorpusWork, corpus: Corpus): object {
  const description = plainDescription(work);
  const year = FIRST_PUBLISHED[work.id];
  const original = ORIGINAL_LANGUAGES[work.id];
  return {
    type: "work",
    path: workPath(work.id),
    title: work.title,
    summary: description ?? "",
    body: [
      htmlToMarkdown(description === null ? work.description : work.long_description_html),
      translatorsLine(work, corpus),
      `## Sources\n\n${sourceLines(work).join("\n")}`,
      mentionsSection(work, corpus),
    ]
      .filter((part) => part !== "")
      .join("\n\n"),
    fields: {
      kind: "book",
      ...(year === undefined ? {} : { year }),
      ...(original === undefined ? {} : { original_language: original }),
      publisher: "Standard Ebooks",
      source_url: ebookUrl(work),
      licence: work.license,
    },
    relations: {
      authors: work.authors.map(authorPath),
      topics: [...new Set(work.topics)].map((id) => ({
        to: topicPath(id),
        note: topicBasis(
          work,
          corpus.topics.find((topic) => topic.id === id),
        ),
      })),
    },
    language: work.language,
    status: "published",
    sourceKey: work.source_repository.replace("/", ":"),
  };
}

export function workPath(id: string): string {
  return `/works/${id}`;
}

/** Some descriptions are a sentence of text, others the long description in HTML. */
function plainDescription(work: CorpusWork): string | null {
  return work.long_description_html === "" ? null : plainSpaces(work.description);
}

function translatorsLine(work: CorpusWork, corpus: Corpus): string {
  const names = work.translators.map((id) => authorLink(id, corpus));
  return names.length === 0 ? "" : `Translated by ${names.join(" and ")}.`;
}

function sourceLines(work: CorpusWork): string[] {
  const repository = `https://github.com/${work.source_repository}/tree/${work.commit}`;
  return [
    `- Edition read: [Standard Ebooks](${ebookUrl(work)}), [commit ${work.commit.slice(0, 7)}](${repository})`,
    ...work.sources.map((source) => `- Source of the edition: <${source}>`),
    ...work.links.map((link) => `- About the work: <${link}>`),
  ];
}

/** Standard Ebooks names the repository of an e-book after its address, `_` for `/`. */
function ebookUrl(work: CorpusWork): string {
  const name = work.source_repository.replace("standardebooks/", "");
  return `https://standardebooks.org/ebooks/${name.replaceAll("_", "/")}`;
}

/** Which of the collection's authors the text names; the corpus counts them by chapter. */
function mentionsSection(work: CorpusWork, corpus: Corpus): string {
  const counts = new Map<string, number>();
  for (const { from, to, type } of corpus.relations) {
    if (type !== "mentions" || !from.startsWith(`${work.id}/`)) continue;
    const id = to.replace("author:", "");
    counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  const lines = [...counts]
    .sort(([, left], [, right]) => right - left)
    .map(([id, chapters]) => {
      return `- ${authorLink(id, corpus)}: in ${chapters === 1 ? "one chapter" : `${chapters} chapters`}`;
    });
  return lines.length === 0 ? "" : `## Authors mentioned\n\n${lines.join("\n")}`;
}

function authorLink(id: string, corpus: Corpus): string {
  const author = corpus.authors.find((candidate) => candidate.id === id);
  if (author === undefined) throw new Error(`There is no author "${id}" in the corpus`);
  return `[${author.name}](${authorPath(id)})`;
}

function topicBasis(work: CorpusWork, topic: CorpusTopic | undefined): string {
  return work.genres.includes(topic?.title ?? "") ? "genre" : "library subject";
}
