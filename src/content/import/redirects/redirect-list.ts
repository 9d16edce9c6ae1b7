import { readHtaccess } from "./htaccess.ts";
import { readNetlifyRedirects } from "./netlify.ts";
import type { RedirectList, RedirectRule } from "./redirect-rule.ts";
import { isRedirectTable, readRedirectTable } from "./redirect-table.ts";

const LINES_MAX = 20_000;
const TABLE = /\.(?:csv|tsv)$/i;

/** Whether a file is a list of redirects, by its name, or by the text of a table. */
export function isRedirectList(file: string, textOf: () => string): boolean {
  return readerOf(file) !== null || (TABLE.test(file) && isRedirectTable(textOf()));
}

/** Reads a list of redirects of another program, by the name of its file. */
export function readRedirectList(file: string, text: string): RedirectList {
  const { rules, unused } = (readerOf(file) ?? readRedirectTable)(text);
  if (rules.length + unused.length > LINES_MAX) {
    const reason = {
      en: `has more than ${LINES_MAX} redirects; use patterns, or several lists`,
      de: `hat mehr als ${LINES_MAX} Weiterleitungen; nehmen Sie Muster oder mehrere Listen`,
    };
    return { rules: [], unused: [{ line: 1, reason, isLost: true }] };
  }
  return { rules: rules.map(withoutHost), unused };
}

/** Reads a pasted list: Apache directives, a table, or the format of `_redirects`. */
export function readPastedRedirects(text: string): RedirectList {
  const isApache = /^[ \t]*(?:redirect|rewrite)\w*[ \t]/im.test(text);
  const name = isApache ? ".htaccess" : isRedirectTable(text) ? "redirects.csv" : "_redirects";
  return readRedirectList(name, text);
}

function readerOf(file: string): ((text: string) => RedirectList) | null {
  const name = file.slice(file.lastIndexOf("/") + 1).toLowerCase();
  if (name.endsWith(".htaccess")) return readHtaccess;
  if (name === "_redirects") return readNetlifyRedirects;
  return null;
}

/** The host of a former address counts as this site's; so does the same host in a target. */
function withoutHost(rule: RedirectRule): RedirectRule {
  const from = URL.parse(rule.from);
  if (from === null || !/^https?:$/.test(from.protocol)) return rule;
  const to = URL.parse(rule.to);
  const isSameHost = to?.host === from.host;
  return {
    ...rule,
    from: from.pathname + from.search,
    to: isSameHost ? to.pathname + to.search + to.hash : rule.to,
  };
}
