import { checkSiteHealth } from "../app/health/examining.ts";
import { worstState } from "../health/finding.ts";
import { ENGLISH_HEALTH_LOCALE } from "../health/reporting.ts";
import type { CommandContext } from "./terminal.ts";

const STATE_LABELS = { good: "good", warn: "WARN", bad: "BAD " } as const;

/**
 * `commonplace doctor`: checks the health of the site. Exit code 1 if a finding is bad; 0 if there are only
 * warnings or nothing was found.
 */
export async function runDoctorCommand(
  { json = false }: { json?: boolean },
  { config, terminal }: CommandContext,
): Promise<number> {
  const findings = await checkSiteHealth(config, { kind: "operator" }, new Date());
  const lines = findings.map(({ check, state, meaning, advice }) => ({
    check,
    state,
    meaning: meaning(ENGLISH_HEALTH_LOCALE),
    advice: advice?.(ENGLISH_HEALTH_LOCALE) ?? null,
  }));
  const state = worstState(findings);
  if (json) terminal.out(JSON.stringify({ state, checks: lines }));
  else for (const line of lines) for (const text of findingText(line)) terminal.out(text);
  return state === "bad" ? 1 : 0;
}

function findingText({
  check,
  state,
  meaning,
  advice,
}: {
  check: keyof typeof ENGLISH_HEALTH_LOCALE.texts.checks;
  state: keyof typeof STATE_LABELS;
  meaning: string;
  advice: string | null;
}): string[] {
  const first = `${STATE_LABELS[state]}  ${ENGLISH_HEALTH_LOCALE.texts.checks[check]}: ${meaning}`;
  return advice === null ? [first] : [first, `      ${advice}`];
}
