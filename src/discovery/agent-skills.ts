import { createHash } from "node:crypto";
import type { DiscoveryDocument } from "./document.ts";
import { renderSkillFile, type Skill, type SkillContext } from "./skills/skill.ts";
import { skillPath, skillsWithContent } from "./skills/skills.ts";

/** The list of skills, as in Agent Skills Discovery via Well-Known URIs, v0.2.0. */
export const agentSkillsIndex: DiscoveryDocument = {
  name: "agent skills index",
  paths: ["/.well-known/agent-skills/index.json"],
  contentType: "application/json",
  render(context) {
    const skills = skillsWithContent(context.reading).map((skill) => ({
      name: skill.name,
      type: "skill-md",
      description: skill.description(context),
      url: context.origin + skillPath(skill),
      digest: computeSkillDigest(skill, context),
    }));
    const $schema = "https://schemas.agentskills.io/discovery/0.2.0/schema.json";
    return `${JSON.stringify({ $schema, skills }, null, 2)}\n`;
  },
};

/** The skill files, with the media type the AI catalog announces. */
export const agentSkill: DiscoveryDocument = {
  name: "agent skill",
  paths: ["/.well-known/agent-skills/:name/SKILL.md"],
  contentType: 'text/markdown; charset=utf-8; profile="urn:air:agent-skills"',
  render(context, parameters) {
    const skill = skillsWithContent(context.reading).find(
      ({ name }) => name === parameters["name"],
    );
    return skill === undefined ? null : renderSkillFile(skill, context);
  },
};

/** `sha256:` and the hash of the served bytes. */
export function computeSkillDigest(skill: Skill, context: SkillContext): string {
  return `sha256:${createHash("sha256").update(renderSkillFile(skill, context)).digest("hex")}`;
}
