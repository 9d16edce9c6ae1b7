import type { Actor } from "../../access/actor.ts";
import type { RedirectChangeContext } from "../../content/addresses/redirect-change-context.ts";
import {
  addMissingRedirects,
  type RedirectOutcome,
} from "../../content/addresses/redirect-lists.ts";
import { removeTrailingSlash } from "../../content/import/file-path.ts";
import type { ImportEventHandlers, RedirectCounts } from "../../content/import/import-events.ts";
import { readRedirectListInSteps } from "../../content/import/redirects/redirect-list.ts";
import type { RedirectList, RedirectRule } from "../../content/import/redirects/redirect-rule.ts";
import type { ContentRecord } from "../../content/record.ts";
import type { Wording } from "../../errors.ts";
import { readTextInAnyEncoding } from "../any-encoding.ts";

export const NO_REDIRECT_COUNTS: RedirectCounts = {
  created: 0,
  unchanged: 0,
  skipped: 0,
  failed: 0,
};

/** A redirect with the file that it comes from. */
export interface RedirectFromFile extends RedirectRule {
  file: string;
  /**
   * Whether the redirect can be left out, for example because its address already redirects. It then counts
   * as skipped, not as failed.
   */
  isOptional?: boolean;
}

interface RedirectSources {
  redirects: Iterable<RedirectFromFile>;
  /**
   * Redirects from the former addresses of post lists and files. Redirects that a file states
   * explicitly take precedence.
   */
  impliedRedirects: readonly RedirectFromFile[];
  /** Files with lists of redirects. */
  lists: readonly string[];
}

interface Options
  extends RedirectChangeContext,
    Pick<ImportEventHandlers, "onProblem" | "onRedirected" | "onUnusedRedirect"> {
  /**
   * For a dry run: returns the `targets` at which a real import would publish a new file. A redirect to
   * such a target counts as created.
   */
  newFilesAmong?: ((targets: readonly string[]) => Promise<ReadonlySet<string>>) | undefined;
  /** Called between lines and redirects to yield to the event loop. */
  yieldBetween?: (() => Promise<void>) | undefined;
}

/**
 * Limits on the number of lists, and on the number of redirects in all lists. They bound the memory. A site
 * has only a few lists.
 */
const LISTS_MAX = 200;
const LISTED_REDIRECTS_MAX = 100_000;

/**
 * Number of redirects saved in one transaction, small enough that other writers wait only briefly.
 */
const BATCH_REDIRECTS = 200;
/** Number of lines or redirects to process before the import yields to the event loop. */
const LINES_AT_ONCE = 200;

/**
 * Adds the redirects found in content, then the redirects in lists. Redirects that the import infers come last,
 * and only from addresses that nothing else uses. Must be called after the items are saved, because redirects
 * may lead to them.
 */
export async function importRedirects(
  record: ContentRecord,
  actor: Actor,
  sources: RedirectSources,
  options: Options,
): Promise<RedirectCounts> {
  const counts = { ...NO_REDIRECT_COUNTS };
  const { rules, targets } = await allRules(sources, counts, options);
  for (const batch of batchesOf(rules)) {
    const all = batch.map((rule) => withLastTarget(rule, targets));
    const newFiles = await options.newFilesAmong?.(all.flatMap(({ to }) => to ?? []));
    const isNewFile = ({ to }: RedirectFromFile) => to !== null && newFiles?.has(to) === true;
    const resolved = all.filter((rule) => !isNewFile(rule));
    const outcomes = (await addMissingRedirects(record, actor, resolved, options)).values();
    for (const rule of all) {
      const found = isNewFile(rule) ? CREATED : outcomes.next().value;
      if (found !== undefined) count(counts, rule, { found, options });
    }
    await options.yieldBetween?.();
  }
  return counts;
}

/** The outcome in a dry run if the target is a file that a real import would add. */
const CREATED: RedirectOutcome = { outcome: "created" };

function count(
  counts: RedirectCounts,
  rule: RedirectFromFile,
  { found, options }: { found: RedirectOutcome; options: Options },
): void {
  if (!("reason" in found)) {
    counts[found.outcome] += 1;
    options.onRedirected?.({ ...rule, ...found });
    return;
  }
  const losesRedirect = found.outcome === "failed" && rule.isOptional !== true;
  counts[losesRedirect ? "failed" : "skipped"] += 1;
  report(rule, { reason: found.reason, losesRedirect }, options);
}

/**
 * Collects the redirects of all sources, in the order in which they are added. `targets` maps redirected
 * addresses to their targets, and is used to follow chains. Redirects from lists are not in `targets`.
 */
async function allRules(
  { redirects, lists, impliedRedirects }: RedirectSources,
  counts: RedirectCounts,
  options: Options,
): Promise<{ rules: RedirectFromFile[]; targets: ReadonlyMap<string, string | null> }> {
  const targets = new Map<string, string | null>();
  const rules: RedirectFromFile[] = [];
  for (const rule of redirects) {
    rules.push(rule);
    targets.set(removeTrailingSlash(rule.from), rule.to);
    if (rules.length % LINES_AT_ONCE === 0) await options.yieldBetween?.();
  }
  for await (const rule of listedRules(lists, counts, options)) rules.push(rule);
  for (const rule of withoutTaken(impliedRedirects, rules)) {
    rules.push(rule);
    targets.set(removeTrailingSlash(rule.from), rule.to);
  }
  return { rules, targets };
}

/** Omits each implied redirect whose address already has another redirect. */
function withoutTaken(
  impliedRedirects: readonly RedirectFromFile[],
  others: readonly RedirectFromFile[],
): RedirectFromFile[] {
  if (impliedRedirects.length === 0) return [];
  const takenAddresses = new Set(others.map(({ from }) => removeTrailingSlash(from)));
  return impliedRedirects
    .filter(({ from }) => !takenAddresses.has(removeTrailingSlash(from)))
    .map((rule) => ({ ...rule, isOptional: true }));
}

const STEPS_MAX = 10;

/** If the target of a redirect is redirected too, replaces the target by the final target. */
function withLastTarget(
  rule: RedirectFromFile,
  targets: ReadonlyMap<string, string | null>,
): RedirectFromFile {
  let { to } = rule;
  for (let step = 0; step < STEPS_MAX; step += 1) {
    const next = to === null ? null : targets.get(removeTrailingSlash(to));
    if (
      next === undefined ||
      next === null ||
      removeTrailingSlash(next) === removeTrailingSlash(rule.from)
    )
      break;
    to = next;
  }
  return { ...rule, to };
}

function* batchesOf(rules: readonly RedirectFromFile[]): Generator<RedirectFromFile[]> {
  for (let at = 0; at < rules.length; at += BATCH_REDIRECTS)
    yield rules.slice(at, at + BATCH_REDIRECTS);
}

/** Reads lists of redirects, up to a limit. Reports the lists beyond the limit in one problem. */
async function* listedRules(
  lists: readonly string[],
  counts: RedirectCounts,
  options: Options,
): AsyncGenerator<RedirectFromFile> {
  let listed = 0;
  for (const [at, file] of lists.entries()) {
    if (at === LISTS_MAX || listed > LISTED_REDIRECTS_MAX) {
      const unread = lists.length - at;
      counts.failed += unread;
      return report({ file, line: 1 }, { reason: tooMany(unread), losesRedirect: true }, options);
    }
    const { rules, unused } = await listIn(file, options);
    for (const line of unused) {
      counts[line.losesRedirect ? "failed" : "skipped"] += 1;
      report({ file, line: line.line }, line, options);
    }
    for (const rule of rules) yield { ...rule, file };
    listed += rules.length + unused.length;
  }
}

async function listIn(file: string, { yieldBetween }: Options): Promise<RedirectList> {
  await yieldBetween?.();
  const read = readTextInAnyEncoding(file);
  if ("fault" in read) {
    return { rules: [], unused: [{ line: 1, reason: read.fault, losesRedirect: true }] };
  }
  const steps = readRedirectListInSteps(file, read.text);
  for (let line = 1; ; line += 1) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (line % LINES_AT_ONCE === 0) await yieldBetween?.();
  }
}

function tooMany(unread: number): Wording {
  return {
    en: `is not read, nor are further lists of redirects (${unread} in all), since an import takes ${LISTS_MAX} lists and ${LISTED_REDIRECTS_MAX} redirects; join lists, leave out what is not needed, or import the others by themselves`,
    de: `wird nicht gelesen, weitere Listen von Weiterleitungen auch nicht (zusammen ${unread}), denn ein Import nimmt ${LISTS_MAX} Listen und ${LISTED_REDIRECTS_MAX} Weiterleitungen: Fassen Sie Listen zusammen, lassen Sie Überflüssiges weg, oder importieren Sie die übrigen für sich`,
  };
}

function report(
  { file, line, from }: { file: string; line: number; from?: string },
  { reason, losesRedirect }: { reason: Wording; losesRedirect: boolean },
  { onProblem, onUnusedRedirect }: Options,
): void {
  const message = from === undefined ? reason : redirectFrom(from, reason);
  if (losesRedirect) onProblem({ file, line, field: "", message, severity: "error" });
  else onUnusedRedirect?.(file, message, line);
}

function redirectFrom(from: string, { en, de }: Wording): Wording {
  return { en: `the redirect from ${from}: ${en}`, de: `die Weiterleitung von ${from}: ${de}` };
}
