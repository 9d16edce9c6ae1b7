import type { ReadingCopy } from "../../content/library.ts";
import type { DocumentContext } from "../document.ts";

/**
 * Inputs of a skill. The time is not one of them, because the skill's digest is published and must
 * change only after an edit.
 */
export type SkillContext = Pick<DocumentContext, "reading" | "origin">;

/** Instructions an agent can load (agentskills.io). */
export interface Skill {
  /**
   * Name of the skill and of its folder: lower-case letters, digits and hyphens, at most 64
   * characters.
   */
  name: string;
  title: string;
  /** Says what the skill does and when to use it, at most 1,024 characters. */
  description(context: SkillContext): string;
  /** Whether the site has content for the skill. */
  hasContentFor(reading: ReadingCopy): boolean;
  /** Two to five user questions for which an agent should find this skill. */
  questions: readonly string[];
  /** The instructions: Markdown that starts with a heading. */
  body(context: SkillContext): string;
}

/** Whether items of this schema.org type are published. */
export function hasItemsOfSchemaOrgType(reading: ReadingCopy, schemaOrg: string): boolean {
  const counts = reading.counts();
  return [...reading.types().values()].some(
    (type) => type.schemaOrg === schemaOrg && (counts[type.name] ?? 0) > 0,
  );
}

/** The file as it is served. The published digest is computed from it. */
export function renderSkillFile(skill: Skill, context: SkillContext): string {
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

/** A double-quoted YAML scalar; JSON strings are valid YAML. */
function quoted(text: string): string {
  return JSON.stringify(text);
}
