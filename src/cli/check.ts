import { AppError, englishOnlyWording } from "../errors.ts";
import { ACCESS_CHECKS } from "./check-access.ts";
import { DOCUMENT_CHECKS } from "./check-documents.ts";
import { PAGE_CHECKS, type SiteCheck } from "./check-pages.ts";
import { openSiteClient, type SiteClient } from "./check-site.ts";
import { type CommandContext, formatTableLines } from "./terminal.ts";

interface Finding {
  check: string;
  passed: boolean;
  faults: string[];
}

const CHECKS: readonly SiteCheck[] = [...PAGE_CHECKS, ...DOCUMENT_CHECKS, ...ACCESS_CHECKS];

/** `commonplace check URL`: exit code 0 when all checks pass, 1 otherwise. */
export async function runCheckCommand(
  url: URL,
  flags: { json?: boolean },
  { terminal }: Pick<CommandContext, "terminal">,
): Promise<number> {
  const site = await connectToSite(url);
  const findings: Finding[] = [];
  for (const check of CHECKS) findings.push(await findingOf(check, site));
  const failed = findings.filter(({ passed }) => !passed);
  if (flags.json === true) {
    const { declaredOrigin } = site;
    terminal.out(
      JSON.stringify({ url: url.origin, declaredOrigin, passed: failed.length === 0, findings }),
    );
  } else {
    for (const line of formatTableLines(rows(findings))) terminal.out(line);
    terminal.out(`${findings.length - failed.length} of ${findings.length} checks passed`);
  }
  return failed.length === 0 ? 0 : 1;
}

export async function connectToSite(url: URL): Promise<SiteClient> {
  try {
    return await openSiteClient(url);
  } catch (cause) {
    throw new AppError(
      "unavailable",
      englishOnlyWording(`Cannot reach ${url.origin}: ${rootCauseMessage(cause)}`),
      { cause },
    );
  }
}

async function findingOf({ name, run }: SiteCheck, site: SiteClient): Promise<Finding> {
  const faults = await run(site).catch((error: unknown) => [rootCauseMessage(error)]);
  return { check: name, passed: faults.length === 0, faults };
}

/** Describes an error by its `cause`, if any, because `fetch` puts the network error there. */
export function rootCauseMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? rootCauseMessage(error.cause) : error.message;
}

function rows(findings: readonly Finding[]): string[][] {
  return findings.flatMap(({ check, passed, faults }) => {
    const [first = "", ...others] = faults;
    return [[passed ? "pass" : "FAIL", check, first], ...others.map((fault) => ["", "", fault])];
  });
}
