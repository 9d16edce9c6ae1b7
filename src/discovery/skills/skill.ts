import type { DocumentContext } from "../document.ts";

/** Inputs of a skill. Its digest is published, so nothing here may change by itself, such as the time. */
export type SkillContext = Pick<DocumentContext, "reading" | "origin">;

/** Instructions an agent can load (agentskills.io). */
export interface Skill {
  /** Also its directory name: `a-z0-9-`, at most 64 characters. */
  name: string;
  title: string;
  /** What the skill does and when to use it, at most 1,024 characters. */
  description(context: SkillContext): string;
  /** Two to five user questions for which an agent should find this skill. */
  questions: readonly string[];
  /** The instructions: Markdown that starts with a heading. */
  body(context: SkillContext): string;
}

/** The file as served; the digest covers it. */
export function skillFile(skill: Skill, context: SkillContext): string {
  const site = context.reading.site();
  const licence = site.licence === undefined ? [] : [`license: ${quoted(site.licence.name)}`];
  return [
    "---",
    `name: ${skill.name}`,
    `description: ${quoted(skill.description(context))}`,
    ...licence,
    `compatibility: ${quoted(`Needs to fetch web pages from ${context.origin}`)}`,
    "metadata:",
    `  author: ${quoted(site.name)}`,
    '  version: "1.0"',
    "---",
    "",
    skill.body(context),
  ].join("\n");
}

/** A YAML scalar in double quotes; JSON strings are valid ones. */
function quoted(text: string): string {
  return JSON.stringify(text);
}
