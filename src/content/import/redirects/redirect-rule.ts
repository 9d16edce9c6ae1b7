import type { Wording } from "../../../errors.ts";
import { SPLAT_PLACEHOLDER } from "../../addresses/address-patterns.ts";
import type { RedirectInput } from "../../addresses/redirects.ts";

export interface RedirectPair {
  from: string;
  to: string;
}

/** A redirect from another site's list, or an address that the list declares gone. */
export interface RedirectRule extends RedirectInput {
  /** Line number in the list, from 1. */
  line: number;
}

/** A line that does not become a redirect. */
export interface UnusedRedirectLine {
  line: number;
  reason: Wording;
  /** Whether ignoring the line loses a redirect. */
  losesRedirect: boolean;
}

export type ParsedRedirectLine = { rules: RedirectRule[] } | UnusedRedirectLine;

export interface RedirectList {
  rules: RedirectRule[];
  unused: UnusedRedirectLine[];
}

/** Limit on a line, which bounds the cost of parsing it. Real redirects are shorter. */
const LINE_CHARACTERS_MAX = 4000;

const TOO_LONG: Wording = {
  en: `is longer than ${LINE_CHARACTERS_MAX} characters`,
  de: `ist länger als ${LINE_CHARACTERS_MAX} Zeichen`,
};

/** Parses a text line by line. Yields null for lines without an address. */
export function* parseRedirectLines(
  text: string,
  read: (line: number, written: string) => ParsedRedirectLine | null,
): Generator<ParsedRedirectLine | null> {
  let line = 0;
  for (const written of linesIn(text)) {
    line += 1;
    if (written.length <= LINE_CHARACTERS_MAX) yield read(line, written);
    else yield { line, reason: TOO_LONG, losesRedirect: true };
  }
}

function* linesIn(text: string): Generator<string> {
  let start = 0;
  for (const { 0: end, index } of text.matchAll(/\r\n?|\n/g)) {
    yield text.slice(start, index);
    start = index + end.length;
  }
  yield text.slice(start);
}

const REDIRECT_STATUSES: ReadonlySet<string> = new Set([
  ...["301", "302", "303", "307", "308", "permanent", "temp", "seeother"],
]);

/** Whether a status means that an address is gone. A redirect with this status needs no target. */
export function isGoneStatus(status: string): boolean {
  return /^(?:410|gone)$/i.test(status);
}

/**
 * Why a line with this status cannot become a redirect; null: it can. Temporary redirects are
 * accepted, and become permanent.
 */
export function findRedirectStatusError(
  status: string,
): { reason: Wording; losesRedirect: boolean } | null {
  const named = status.toLowerCase();
  if (REDIRECT_STATUSES.has(named)) return null;
  if (named === "200" || named === "404") {
    const reason = {
      en: `with ${named} it shows another page and leads nowhere`,
      de: `zeigt mit ${named} eine andere Seite und führt nirgendwohin`,
    };
    return { reason, losesRedirect: false };
  }
  const reason = {
    en: `"${status.slice(0, 50)}" is not a status of a redirect`,
    de: `„${status.slice(0, 50)}“ ist kein Status einer Weiterleitung`,
  };
  return { reason, losesRedirect: true };
}

/** The reason for ignoring a line that has an address but no target. */
export const NO_TARGET_REASON: Wording = { en: "names no target", de: "nennt kein Ziel" };

/**
 * The reason for ignoring a redirect that has a condition. Redirects of this service have no
 * conditions.
 */
export function conditionalRedirectReason(condition: string): Wording {
  const shown = condition.slice(0, 100);
  return {
    en: `holds only under the condition ${shown}`,
    de: `gilt nur unter der Bedingung ${shown}`,
  };
}

/**
 * Returns a rule for the page and a rule for everything below it, because directives such as `Redirect` apply
 * to both. For the address of a file, returns only the first rule.
 */
export function rulesForPageAndBelow(rule: RedirectRule): RedirectRule[] {
  const { to } = rule;
  if (/\.\w{1,5}$/.test(rule.from) || (to !== null && /[?#]/.test(to))) return [rule];
  const from = `${rule.from.replace(/\/+$/, "")}/*`;
  return [
    rule,
    { ...rule, from, to: to === null ? null : `${to.replace(/\/+$/, "")}/${SPLAT_PLACEHOLDER}` },
  ];
}
