import type { Actor } from "../access/actor.ts";
import { ensureRedirects } from "../content/addresses/redirect-lists.ts";
import type { RedirectOptions } from "../content/addresses/redirects.ts";
import type { RedirectCounts } from "../content/import/import-events.ts";
import type { FiledProblem } from "../content/import/import-items.ts";
import { readRedirectList } from "../content/import/redirects/redirect-list.ts";
import type { RedirectRule } from "../content/import/redirects/redirect-rule.ts";
import type { ContentRecord } from "../content/record.ts";
import type { Wording } from "../errors.ts";
import { readText } from "./import-files.ts";

export const NO_REDIRECTS: RedirectCounts = { created: 0, unchanged: 0, skipped: 0, failed: 0 };

/** A redirect with its place. */
type FiledRule = RedirectRule & { file: string };

interface Options extends RedirectOptions {
  onProblem: (problem: FiledProblem) => void;
  onUnusedRedirect?: ((place: string, reason: Wording) => void) | undefined;
}

/** Bounds how long a transaction keeps others waiting. */
const BLOCK = 200;

/**
 * Adds the redirects of pages that only redirected, then those of lists. Call after the items are
 * saved, since redirects may lead to them.
 */
export async function importRedirects(
  record: ContentRecord,
  actor: Actor,
  { leads, lists }: { leads: Iterable<FiledRule>; lists: readonly string[] },
  options: Options,
): Promise<RedirectCounts> {
  const counts = { ...NO_REDIRECTS };
  const ofPages = [...leads];
  const listed = lists.flatMap((file) => rulesIn(file, counts, options));
  for (const some of blocksOf(withLastTargets([...ofPages, ...listed], ofPages))) {
    const outcomes = await ensureRedirects(record, actor, some, options);
    for (const [place, rule] of some.entries()) {
      const found = outcomes[place];
      if (found === undefined) continue;
      counts[found.outcome] += 1;
      if ("reason" in found) {
        const isLost = found.outcome === "failed";
        report(rule, { reason: found.reason, isLost }, options);
      }
    }
  }
  return counts;
}

const STEPS_MAX = 10;

/** Resolves redirects to a page that only redirects, to that page's target. */
function withLastTargets(rules: readonly FiledRule[], ofPages: readonly FiledRule[]): FiledRule[] {
  const targets = new Map(ofPages.map(({ from, to }) => [bare(from), to]));
  return rules.map((rule) => {
    let { to } = rule;
    for (let step = 0; step < STEPS_MAX; step += 1) {
      const next = targets.get(bare(to));
      if (next === undefined || bare(next) === bare(rule.from)) break;
      to = next;
    }
    return { ...rule, to };
  });
}

function bare(address: string): string {
  return address.replace(/(?<=.)\/+$/, "");
}

function* blocksOf(rules: readonly FiledRule[]): Generator<FiledRule[]> {
  for (let at = 0; at < rules.length; at += BLOCK) yield rules.slice(at, at + BLOCK);
}

function rulesIn(file: string, counts: RedirectCounts, options: Options): FiledRule[] {
  const read = readText(file);
  if ("fault" in read) {
    counts.failed += 1;
    report({ file, line: 1 }, { reason: read.fault, isLost: true }, options);
    return [];
  }
  const { rules, unused } = readRedirectList(file, read.text);
  for (const line of unused) {
    counts[line.isLost ? "failed" : "skipped"] += 1;
    report({ file, line: line.line }, line, options);
  }
  return rules.map((rule) => ({ ...rule, file }));
}

function report(
  { file, line, from }: { file: string; line: number; from?: string },
  { reason, isLost }: { reason: Wording; isLost: boolean },
  { onProblem, onUnusedRedirect }: Options,
): void {
  const message = from === undefined ? reason : redirectFrom(from, reason);
  if (isLost) onProblem({ file, line, field: "", message, severity: "error" });
  else onUnusedRedirect?.(`${file}:${line}`, message);
}

function redirectFrom(from: string, { en, de }: Wording): Wording {
  return { en: `the redirect from ${from}: ${en}`, de: `die Weiterleitung von ${from}: ${de}` };
}
