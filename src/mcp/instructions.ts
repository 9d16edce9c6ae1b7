import type { CallContext } from "./offering.ts";

/** Clients truncate longer instructions. */
const CHARACTERS_MAX = 2047;

const WORKFLOW = `Workflow:
1. search_content finds items by words, names or whole questions. For a subject use list_topics, then list_quotations_by_topic; for a person's writings list_works_by_author.
2. get_content_by_url reads a hit as Markdown; long texts come in slices, each ending with the call that continues it.
3. get_related_content moves from an item to its authors, works, topics and quotations.
4. describe_content_catalog names all types, filters, sorts and limits; list_content walks a whole type.

Rules:
- Cite the URL of every item you rely on, exactly as returned. Quote texts word for word, with author, work and place; where text_is_cut, read the item first.
- Say so when a quotation is marked disputed or misattributed.
- URLs may be given absolute or as paths. Authors and topics may be given by name; if several match, the answer lists the candidates.
- Lists are complete: follow next_cursor, with the same arguments, while there is one.
- An error tells the next step; do not repeat the same call.
- A key may make a limited number of requests a minute; after a 429 wait the seconds it tells.`;

/** Instructions for the model: what the site offers, how to use the tools, which rules apply. */
export function instructionsFor({ reading, origin }: CallContext): string {
  const site = reading.site();
  const about = [
    `${site.name} (${origin}/): ${site.description}`,
    `Use it to: ${site.whenToUse.join("; ")}.`,
    ...(site.whenNotToUse.length === 0 ? [] : [`Not for: ${site.whenNotToUse.join("; ")}.`]),
  ].join("\n");
  const room = CHARACTERS_MAX - WORKFLOW.length - 2;
  return `${about.length <= room ? about : `${about.slice(0, room - 1).trimEnd()}…`}\n\n${WORKFLOW}`;
}
