import type { Wording } from "../../../errors.ts";
import {
  findRedirectStatusError,
  isGoneStatus,
  NO_TARGET_REASON,
  type ParsedRedirectLine,
  parseRedirectLines,
  rulesForPageAndBelow,
  type UnusedRedirectLine,
} from "./redirect-rule.ts";
import { parseRegexAddress, type RegexAddress, replaceCaptureWithSplat } from "./regex-address.ts";
import {
  combineAlternativeConditions,
  type RewriteCond,
  type RuleCondition,
} from "./rewrite-conditions.ts";

const DIRECTIVE_WORD = /"((?:[^"\\]|\\.)*)"|(\S+)/g;

/**
 * Reads the redirects in Apache's `.htaccess`: `Redirect`, `RedirectMatch`, and `RewriteRule` with
 * the flag R. Ignores other directives. A regular expression must match one address, or one address
 * and everything below it.
 */
export function readHtaccess(text: string): Generator<ParsedRedirectLine | null> {
  /**
   * The conditions of the next rule. The rule applies if each inner list has a condition that is
   * met.
   */
  let conditions: RewriteCond[][] = [];
  let isAlternative = false;
  return parseRedirectLines(text, (line, written) => {
    const [directive = "", ...words] = wordsOf(written);
    switch (directive.toLowerCase()) {
      case "redirect":
        return redirect(line, words);
      case "redirectpermanent":
      case "redirecttemp":
        return redirect(line, ["301", ...words]);
      case "redirectmatch":
        return redirectMatch(line, words);
      case "rewritecond":
        if (isAlternative) conditions.at(-1)?.push(words);
        else conditions.push([words]);
        isAlternative = /[[,]\s*(?:OR|ornext)\s*[\],]/i.test(words[2] ?? "");
        return null;
      case "rewriterule": {
        const ruleConditions = conditions.map(combineAlternativeConditions);
        conditions = [];
        isAlternative = false;
        return rewriteRule(line, words, ruleConditions);
      }
      default:
        return null;
    }
  });
}

function wordsOf(line: string): string[] {
  if (line.trimStart().startsWith("#")) return [];
  return [...line.matchAll(DIRECTIVE_WORD)].map(([, quoted, plain]) =>
    quoted === undefined ? (plain ?? "") : quoted.replaceAll(/\\(.)/g, "$1"),
  );
}

/** `Redirect [status] from to`; the default status is 302. */
function redirect(line: number, words: readonly string[]): ParsedRedirectLine {
  const [status, from, to] = withStatus(words);
  if (isGoneStatus(status)) {
    return from === undefined
      ? incomplete(line)
      : { rules: rulesForPageAndBelow({ line, from, to: null }) };
  }
  const fault = findRedirectStatusError(status);
  if (fault !== null) return { line, ...fault };
  if (from === undefined || to === undefined) return incomplete(line);
  return { rules: rulesForPageAndBelow({ line, from, to }) };
}

function redirectMatch(line: number, words: readonly string[]): ParsedRedirectLine {
  const [status, pattern, statedTo] = withStatus(words);
  const isGone = isGoneStatus(status);
  const to = isGone ? null : statedTo;
  const fault = isGone ? null : findRedirectStatusError(status);
  if (fault !== null) return { line, ...fault };
  if (pattern === undefined || to === undefined) return incomplete(line);
  return ruleOf(line, parseRegexAddress(pattern), { to, pattern });
}

function withStatus(words: readonly string[]): (string | undefined)[] & [string, ...unknown[]] {
  const [first = "", ...rest] = words;
  return /^(?:\d{3}|permanent|temp|seeother|gone)$/i.test(first)
    ? [first, ...rest]
    : ["302", ...words];
}

function rewriteRule(
  line: number,
  [pattern, to, flags = ""]: readonly string[],
  conditions: readonly RuleCondition[],
): ParsedRedirectLine {
  if (pattern === undefined || to === undefined) return incomplete(line);
  const flagList = flags.replace(/^\[|\]$/g, "").split(",");
  const target = rewriteTarget(to, flagList);
  if (target !== null && "reason" in target) return { line, ...target };
  const unmet = conditions.find((condition) => "reason" in condition);
  if (unmet !== undefined) {
    // A "gone" rule with a condition, such as for one robot, can be ignored, because the address is not gone
    // for visitors.
    return { line, ...unmet, losesRedirect: unmet.losesRedirect && target !== null };
  }
  const [queries, ...more] = conditions.flatMap((each) =>
    "queries" in each ? [each.queries] : [],
  );
  if (more.length > 0) return { line, reason: SEVERAL_QUERIES, losesRedirect: true };
  const literal = parseRegexAddress(pattern.replace(/^\^?\/?/, "^/"));
  if (queries === undefined) return ruleOf(line, literal, { to: target?.to ?? null, pattern });
  if (literal === null || literal.capture !== null) return unclear(line, pattern);
  const path = literal.path || "/";
  const rule = { line, to: target?.to ?? null };
  return { rules: queries.map((query) => ({ ...rule, from: `${path}?${query}` })) };
}

/**
 * The target of a `RewriteRule`, or the reason why the target is unusable. Null: the rule says that the
 * address is gone.
 */
function rewriteTarget(
  to: string,
  flags: readonly string[],
): { to: string } | Omit<UnusedRedirectLine, "line"> | null {
  if (flags.some((each) => /^(?:G|gone)$/i.test(each.trim()))) return null;
  const flag = flags.map((each) => /^R(?:edirect)?(?:=(\w+))?$/i.exec(each.trim())).find(Boolean);
  if (to === "-" || (flag === undefined && !/^https?:/i.test(to))) {
    return { reason: NO_REDIRECT, losesRedirect: false };
  }
  const status = flag?.[1] ?? "302";
  if (isGoneStatus(status)) return null;
  return findRedirectStatusError(status) ?? { to: to.replace(/\?$/, "") };
}

function ruleOf(
  line: number,
  literal: RegexAddress | null,
  { to, pattern }: { to: string | null; pattern: string },
): ParsedRedirectLine {
  if (literal === null) return unclear(line, pattern);
  const target = to === null ? null : replaceCaptureWithSplat(to, literal);
  if (to !== null && target === null) return unclear(line, pattern);
  const from = literal.capture === null ? literal.path : `${literal.path}/*`;
  return { rules: [{ line, from, to: target }] };
}

const NO_REDIRECT: Wording = {
  en: "shows another page and leads nowhere",
  de: "zeigt eine andere Seite und führt nirgendwohin",
};

const SEVERAL_QUERIES: Wording = {
  en: "holds only for two parts of a query at once; state the whole addresses",
  de: "gilt nur für zwei Teile einer Abfrage zugleich; geben Sie die ganzen Adressen an",
};

function unclear(line: number, pattern: string): ParsedRedirectLine {
  const shown = pattern.slice(0, 100);
  const reason = {
    en: `"${shown}" is neither one address nor everything below one; state the addresses one by one`,
    de: `„${shown}“ ist weder eine Adresse noch alles unter einer; geben Sie die Adressen einzeln an`,
  };
  return { line, reason, losesRedirect: true };
}

function incomplete(line: number): ParsedRedirectLine {
  return { line, reason: NO_TARGET_REASON, losesRedirect: true };
}
