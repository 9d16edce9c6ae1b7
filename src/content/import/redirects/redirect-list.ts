import { readHtaccess } from "./htaccess.ts";
import { readNetlifyRedirects } from "./netlify.ts";
import type { ParsedRedirectLine, RedirectList, RedirectRule } from "./redirect-rule.ts";
import { isRedirectTable, readRedirectTable } from "./redirect-table.ts";

const LINES_MAX = 20_000;
const TABLE_FILE = /\.(?:csv|tsv)$/i;

/** Whether a file is a list of redirects, judged by its name or, for a table, by its beginning. */
export function isRedirectList(file: string, headOf: () => string): boolean {
  return readerOf(file) !== null || (TABLE_FILE.test(file) && isRedirectTable(headOf()));
}

/** Reads a list of redirects from another site, in the format that its file name implies. */
export function readRedirectList(file: string, text: string): RedirectList {
  const steps = readRedirectListInSteps(file, text);
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return step.value;
}

/** Like {@link readRedirectList}, but yields after each line so that the caller can pause. */
export function* readRedirectListInSteps(
  file: string,
  text: string,
): Generator<undefined, RedirectList> {
  const list: RedirectList = { rules: [], unused: [] };
  for (const parsedLine of (readerOf(file) ?? tableRows)(text)) {
    if (parsedLine !== null && "rules" in parsedLine)
      list.rules.push(...parsedLine.rules.map(withoutHost));
    else if (parsedLine !== null) list.unused.push(parsedLine);
    if (list.rules.length + list.unused.length > LINES_MAX) return TOO_MANY;
    yield;
  }
  return list;
}

const TOO_MANY: RedirectList = {
  rules: [],
  unused: [
    {
      line: 1,
      reason: {
        en: `has more than ${LINES_MAX} redirects; use patterns, or several lists`,
        de: `hat mehr als ${LINES_MAX} Weiterleitungen; nehmen Sie Muster oder mehrere Listen`,
      },
      losesRedirect: true,
    },
  ],
};

/**
 * Reads two more rows than `LINES_MAX`: one for the heading, and one to detect that there are too many. Empty
 * rows count too.
 */
function tableRows(text: string): Generator<ParsedRedirectLine | null> {
  return readRedirectTable(text, LINES_MAX + 2);
}

/** Reads a pasted list: Apache directives, a table, or the format of `_redirects`. */
export function readPastedRedirects(text: string): RedirectList {
  const isApache = /^[ \t]*(?:redirect|rewrite)\w*[ \t]/im.test(text);
  const name = isApache ? ".htaccess" : isRedirectTable(text) ? "redirects.csv" : "_redirects";
  return readRedirectList(name, text);
}

function readerOf(file: string): ((text: string) => Generator<ParsedRedirectLine | null>) | null {
  const name = file.slice(file.lastIndexOf("/") + 1).toLowerCase();
  if (name.endsWith(".htaccess")) return readHtaccess;
  if (name === "_redirects") return readNetlifyRedirects;
  return null;
}

/**
 * Removes the host from a former address, and from its target if the target is on the same host.
 */
function withoutHost(rule: RedirectRule): RedirectRule {
  const from = URL.parse(rule.from);
  if (from === null || !/^https?:$/.test(from.protocol)) return rule;
  const to = rule.to === null ? null : URL.parse(rule.to);
  const isSameHost = to?.host === from.host;
  return {
    ...rule,
    from: from.pathname + from.search,
    to: isSameHost ? to.pathname + to.search + to.hash : rule.to,
  };
}
