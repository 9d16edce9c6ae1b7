import { author } from "../content/types/author.ts";
import { topic } from "../content/types/topic.ts";
import type { Prompt } from "./mcp-features.ts";
import { createTitleCompleter } from "./name-completers.ts";
import type { JsonObject } from "./protocol/json.ts";

const researchTopic: Prompt = {
  definition: {
    name: "research_topic",
    title: "Research a topic",
    description: "Gather what this site publishes on a topic, with sources, into a short report.",
    arguments: [
      { name: "topic", description: "The topic, as a name or a URL", required: true },
      { name: "question", description: "What the report should answer", required: false },
    ],
  },
  messages: ({ topic: subject = "", question }, { reading }) => [
    userMessage(`Research "${subject}" in what ${reading.site().name} publishes.${question === undefined ? "" : ` The question to answer: ${question}`}

1. Call list_topics with query "${subject}" and choose the topic that fits; look at its neighbours with get_related_content.
2. Call list_quotations_by_topic with the topic's URL, with include_narrower if there are few. Follow next_cursor as far as the question needs.
3. Call search_content for aspects the topic does not cover.
4. Read the most telling items with get_content_by_url.

Then write a report of at most 500 words: the main lines of thought, where the authors agree and differ, and three to seven quotations, word for word. Give author, work, place and URL for each. Say which ascriptions are disputed, and what you looked for and did not find. Rely only on what the tools returned.`),
  ],
  completers: { topic: createTitleCompleter(topic.name) },
};

const findAndCiteQuotation: Prompt = {
  definition: {
    name: "find_and_cite_quotation",
    title: "Find and cite a quotation",
    description: "Find a quotation by its words, author or subject and cite it with its source.",
    arguments: [
      { name: "quotation", description: "Words remembered, or the subject", required: true },
      { name: "author", description: "Who is thought to have said it", required: false },
    ],
  },
  messages: ({ quotation = "", author: name }, { reading }) => [
    userMessage(`Find this quotation in what ${reading.site().name} publishes and cite it: "${quotation}"${name === undefined ? "" : `, perhaps by ${name}`}

1. Call search_content with types ["quotation"]: first a telling phrase of it in quotes, then its main words${name === undefined ? "" : `, with filters {"authors": "${name}"} or without if that finds nothing`}.
2. Read the best match with get_content_by_url and compare it word by word with what was asked.
3. If nothing matches, say so; offer the closest quotation as such, never as the one asked for.

Answer with the exact text, author, work, place in the work, year where known, how far the ascription is verified, and the URL. Use the citation line of get_content_by_url.`),
  ],
  completers: { author: createTitleCompleter(author.name) },
};

/** Every prompt, in the order clients see them. */
export const PROMPTS: readonly Prompt[] = [researchTopic, findAndCiteQuotation];

function userMessage(text: string): JsonObject {
  return { role: "user", content: { type: "text", text } };
}
