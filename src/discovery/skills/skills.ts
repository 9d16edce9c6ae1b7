import { findAndCiteAQuotation } from "./find-and-cite-a-quotation.ts";
import { researchATopic } from "./research-a-topic.ts";
import type { Skill } from "./skill.ts";

/** The site's skills, in listing order. */
export const SKILLS: readonly Skill[] = [researchATopic, findAndCiteAQuotation];

export function skillPath(skill: Skill): string {
  return `/.well-known/agent-skills/${skill.name}/SKILL.md`;
}
