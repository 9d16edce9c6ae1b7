import type { DocumentContext } from "../document.ts";

/** What the bytes of a skill may depend on: its digest is published, so nothing that moves by itself. */
export type SkillContext = Pick<DocumentContext, "reading" | "origin">;

/** Instructions an agent can load (agentskills.io). */
export interface Skill {
  /** Also the name of its directory: `a-z0-9-`, at most 64. */
  name: string;
  title: string;
  /** What it does and when to use it, at most 1,024 characters. */
  description(context: SkillContext): string;
  /** Two to five questions a person would ask an agent that should find this skill. */
  questions: readonly string[];
  /** The instructions: Markdown that starts with a heading. */
  body(context: SkillContext): string;
}

/** The file as it is served and as its digest is taken. */
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
