import { renderAccessRules, renderErrorRules } from "./reading-rules.ts";
import { hasItemsOfSchemaOrgType, type Skill } from "./skill.ts";

export const findAndCiteAQuotationSkill: Skill = {
  name: "find-and-cite-a-quotation",
  title: "Find and cite a quotation",
  description: ({ reading }) =>
    `Find a quotation published by ${reading.site().name}, check who said it and where, and cite it with author, work, place and address. Use when a person asks for a quotation on a subject, asks who said something, or asks for the source or the exact wording of a line.`,
  hasContentFor: (reading) => hasItemsOfSchemaOrgType(reading, "Quotation"),
  questions: [
    "who said this, and where does it stand",
    "find a sourced quotation about courage",
    "how do I cite a quotation from this site",
  ],
  body: (context) => `# Find and cite a quotation

Goal: the exact words, who wrote them, in which work and where in it, and the address of the page that says so.

${renderAccessRules(context)}

## Find it

- You have the words or some of them. MCP: \`search_content\` with types \`["quotation"]\` and the rarest four to six words; put them in double quotes only if you are sure of the wording. Web: ${context.origin}/search.md?q=WORDS&type=quotation.
- You have a topic. MCP: \`list_quotations_by_topic\`. Web: open the topic from ${context.origin}/llms.txt and read its list.
- You have an author or a work. MCP: \`list_content\` with type \`quotation\` and a filter on \`authors\` or \`work\`, which gives the texts in full; \`count_by\` counts them. Web: open the author or the work; its quotations are listed on its page.

Hits and rows carry text, source, place and verification. Where a text is marked as cut, or over the web, open the page of the quotation itself: MCP \`get_content_by_url\`, web its \`.md\` address.

## Check it

- Compare the wording with what the person gave, word by word. Name every difference.
- Read the verification, where the page states one: *verified* was compared with a source; *attributed* is ascribed without one; *disputed* is doubted; *misattributed* is known to be someone else's. Pass it on. If the page states none, say that none is stated.
- A translation is the translator's wording. Give the translator and the original text if the page has them.
- The words of a character, or words that the work itself quotes, are not the author's own opinion.
- If several pages have similar words, show them all rather than choosing by guess.

## Cite it

> "The exact words." Author, *Work*, place in the work. ${context.reading.site().name}, ${context.origin}/quotations/… (read on the date of reading).

- In a style (APA, MLA, Chicago) or for a program (BibTeX, CSL-JSON): MCP \`search_content\` or \`get_content_by_url\` with \`cite\`; web the line "Cite as" of the page, and all forms on its HTML.
- Use the canonical address, without \`.md\`.
- Leave out what the page does not state: no year, page number or edition from memory.
- Shorten only with […], and never so that the sense changes.

${renderErrorRules(context)}
`,
};
