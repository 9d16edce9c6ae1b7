import { splitCodeAndProse } from "../code-parts.ts";
import { removeObsidianComments } from "../wiki-links.ts";

/** Matches tags such as `#garden` and `#garden/roses`. A number alone, such as `#12`, is not a tag. */
const INLINE_TAG = /(?<=^|\s)#(?=[\p{N}_/-]*[\p{L}_-])([\p{L}\p{N}_/-]{1,200})/gmu;

/** The tags in the text of an Obsidian note, outside code and comments. */
export function findTagsInNote(body: string): string[] {
  if (!body.includes("#")) return [];
  const found = new Set<string>();
  for (const { part, isCode } of splitCodeAndProse(removeObsidianComments(body).body)) {
    if (isCode) continue;
    for (const [, tag = ""] of part.matchAll(INLINE_TAG)) found.add(tag.replace(/\/+$/, ""));
  }
  return [...found];
}
