import { SPLAT_PLACEHOLDER } from "../../addresses/address-patterns.ts";
import type { RedirectInput } from "../../addresses/redirects.ts";
import {
  conditionalRedirectReason,
  findRedirectStatusError,
  isGoneStatus,
  NO_TARGET_REASON,
  type ParsedRedirectLine,
  parseRedirectLines,
} from "./redirect-rule.ts";

/**
 * Reads `_redirects` of Netlify and Cloudflare Pages. Each line has an address, its target and,
 * optionally, a status.
 */
export function readNetlifyRedirects(text: string): Generator<ParsedRedirectLine | null> {
  return parseRedirectLines(text, readLine);
}

function readLine(line: number, written: string): ParsedRedirectLine | null {
  const [from, ...rest] = written
    .replace(/(?:^|\s)#.*$/, "")
    .split(/\s+/)
    .filter(Boolean);
  if (from === undefined) return null;
  const at = rest.findIndex((word) => word.startsWith("/") || /^https?:/i.test(word));
  const to = rest[at];
  const [statedStatus = "301", ...conditions] = rest.slice(at + 1);
  const status = statedStatus.replace(/!$/, "");
  const isGone = isGoneStatus(status);
  if (to === undefined && !isGone) return { line, reason: NO_TARGET_REASON, losesRedirect: true };
  const fault = isGone ? null : findRedirectStatusError(status);
  if (fault !== null) return { line, ...fault };
  if (conditions.length > 0) {
    return { line, reason: conditionalRedirectReason(conditions.join(" ")), losesRedirect: true };
  }
  const target = isGone ? null : (to ?? null);
  const query = rest.slice(0, Math.max(at, 0)).join("&");
  if (query !== "") return withQuery(line, { from, query, to: target });
  return { rules: [{ line, ...withoutPlaceholder(from, target) }] };
}

function withQuery(
  line: number,
  { from, query, to }: RedirectInput & { query: string },
): ParsedRedirectLine {
  if (!/:\w/.test(query)) return { rules: [{ line, from: `${from}?${query}`, to }] };
  const reason = {
    en: "leads on by any value of a parameter; state the addresses one by one",
    de: "leitet nach jedem Wert eines Parameters weiter; geben Sie die Adressen einzeln an",
  };
  return { line, reason, losesRedirect: true };
}

/**
 * Treats `/blog/:slug` as `/blog/*`. The wider pattern does no harm, because a pattern redirects
 * only to existing pages.
 */
function withoutPlaceholder(from: string, to: string | null): RedirectInput {
  const [, folder, name] = /^(.*)\/:(\w+)$/.exec(from) ?? [];
  if (folder === undefined || (to !== null && !to.includes(`:${name}`))) return { from, to };
  return { from: `${folder}/*`, to: to?.replace(`:${name}`, SPLAT_PLACEHOLDER) ?? null };
}
