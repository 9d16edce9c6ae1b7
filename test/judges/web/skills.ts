import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import type { Verdict } from "../verdict.ts";
import { runTool } from "./run-tool.ts";

const skillsIndex = z.object({
  skills: z.array(z.object({ name: z.string(), url: z.string(), digest: z.string() })).min(1),
});

/** Fetches every skill as an agent would, and checks it with the format's validator. */
export async function judgeSkills(origin: string): Promise<Verdict[]> {
  const address = `${origin}/.well-known/agent-skills/index.json`;
  const { skills } = skillsIndex.parse(await (await fetch(address)).json());
  const verdicts: Verdict[] = [];
  for (const skill of skills) {
    const bytes = Buffer.from(await (await fetch(new URL(skill.url, address))).arrayBuffer());
    const digest = `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
    verdicts.push({
      what: `digest of ${skill.name}`,
      passed: digest === skill.digest,
      detail: digest,
    });
    verdicts.push(await judgeSkill(skill.name, bytes));
  }
  return verdicts;
}

async function judgeSkill(name: string, bytes: Buffer): Promise<Verdict> {
  const parent = mkdtempSync(join(tmpdir(), "commonplace-skill-"));
  const folder = join(parent, name);
  mkdirSync(folder);
  writeFileSync(join(folder, "SKILL.md"), bytes);
  const { exitCode, stdout, stderr } = await runTool("skills-ref/dist/cli.js", [
    "validate",
    folder,
  ]);
  rmSync(parent, { recursive: true });
  const detail = `${stdout}${stderr}`.replaceAll(folder, name).trim().replaceAll("\n", "; ");
  return { what: `skills-ref ${name}`, passed: exitCode === 0, detail };
}
