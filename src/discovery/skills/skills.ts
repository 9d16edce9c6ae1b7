import type { ReadingCopy } from "../../content/library.ts";
import { findAndCiteAQuotationSkill } from "./find-and-cite-a-quotation.ts";
import { researchATopicSkill } from "./research-a-topic.ts";
import type { Skill } from "./skill.ts";

/** The skills, in the order in which they are listed. */
const SKILLS: readonly Skill[] = [researchATopicSkill, findAndCiteAQuotationSkill];

/** The skills for which the site has published content. */
export function skillsWithContent(reading: ReadingCopy): Skill[] {
  return SKILLS.filter((skill) => skill.hasContentFor(reading));
}

export function skillPath(skill: Skill): string {
  return `/.well-known/agent-skills/${skill.name}/SKILL.md`;
}
