import { markdownUrl } from "../../content/addresses/addresses.ts";
import { renderAccessRules, renderErrorRules } from "./reading-rules.ts";
import { hasItemsOfSchemaOrgType, type Skill, type SkillContext } from "./skill.ts";

export const researchATopicSkill: Skill = {
  name: "research-a-topic",
  title: "Research a topic",
  description: ({ reading }) =>
    `Find out what ${reading.site().name} has published on a topic, follow it to related topics, authors and works, and report it with an address for every statement. Use when a person asks what this site says about a subject, wants sources on it, or wants an overview of its content.`,
  hasContentFor: (reading) => hasItemsOfSchemaOrgType(reading, "DefinedTerm"),
  questions: [
    "what does this site have on friendship",
    "give me an overview of the sources on a topic, with links",
  ],
  body: (context) => `# Research a topic

Goal: an answer that rests on pages of ${context.reading.site().name} (${context.origin}/), each named with its address.

${renderAccessRules(context)}

## Steps

1. Learn what there is. MCP: \`describe_content_catalog\`. Web: ${context.origin}/llms.txt.
${listings(context)}
2. Find the topic. MCP: \`list_topics\` with a word of the question. Web: the list of topics, or a search. A topic may go under another name: try synonyms, and look at the broader, narrower and "see also" topics of what you find.
3. Search as well, with the two or three words that matter. MCP: \`search_content\`, narrowed by type or filter where the catalog offers one. Web: the search page.
4. Read the pages, not only the lists. MCP: \`get_content_by_url\`; when it says the text goes on, call it again as told. Web: the \`.md\` address.
5. Follow relations. MCP: \`get_related_content\` from a page; \`list_quotations_by_topic\` for a topic, \`list_works_by_author\` for an author. Web: the links on the page.
6. Stop when new pages repeat what you have. Five pages read well are better than fifty listed.

## Report

- Put the canonical address (without \`.md\`) behind every statement taken from a page.
- Keep three things apart: what a page says, what a quoted author says in it, and what you conclude.
- Give quoted words exactly, in quotation marks, with author and work as the page names them.
- Say how the topic is tied to a page if the page says on what basis.
- Say what you looked for and did not find.
${limits(context)}
${renderErrorRules(context)}
`,
};

function listings({ reading, origin }: SkillContext): string {
  return [...reading.types().values()]
    .flatMap(({ listPath, plural, description }) =>
      listPath === null
        ? []
        : [`   - ${plural}: ${markdownUrl(origin, listPath)}. ${description}`.trimEnd()],
    )
    .join("\n");
}

function limits({ reading }: SkillContext): string {
  const { whenNotToUse } = reading.site();
  if (whenNotToUse.length === 0) return "";
  return `\nDo not rely on this site for ${whenNotToUse.join(", nor for ")}.\n`;
}
