import Papa from "papaparse";
import { AppError, type Wording } from "../../../errors.ts";
import { decodeTextInAnyEncoding } from "../streams/any-encoding.ts";
import { isAddressPath, parseAddressList, tooManyAddressesError } from "./address-list.ts";

/**
 * The result for an address of a former site. `missing`: the address fails, redirects to a failing address,
 * or names its page in a query that the new site ignores. `invalid`: the line of the list is not an address.
 */
export const OLD_ADDRESS_OUTCOMES = ["kept", "redirected", "gone", "missing", "invalid"] as const;
const HOPS_MAX = 5;

export interface OldAddress {
  /** The path with its query; if invalid, the line as in the list. */
  address: string;
  outcome: (typeof OLD_ADDRESS_OUTCOMES)[number];
  /** The status of the first answer; null if the request failed or the address is invalid. */
  status: number | null;
  /**
   * The final redirect target; null if there is no redirect, or if following the redirects fails.
   */
  to: string | null;
  /** Why the address is missing or invalid; null if it is neither. */
  fault: Wording | null;
}

/** The new site, which is checked for the addresses of the former site. */
export interface SiteToCheck {
  /** Origins of the site. Redirects to other origins are not followed. */
  origins: readonly [string, ...string[]];
  /** Limit on concurrent requests. */
  concurrencyMax: number;
  /** Requests a path with its query from the site. `location` is empty unless the answer is a redirect. */
  ask(address: string): Promise<{ status: number; location: string }>;
  /** Describes why {@link ask} failed. */
  faultOf(error: unknown): Wording;
}

/**
 * Returns the addresses in a list as paths, and lines that are not addresses unchanged. The list
 * has one address per line, is a table with addresses in the first column, or is a sitemap.
 *
 * @param pause is called between addresses; may yield to the event loop.
 * @throws {AppError} `invalid` if the list cannot be read or has no addresses; `too_large` beyond
 * `max`.
 */
export async function readOldAddresses(
  list: Buffer,
  { max = Number.POSITIVE_INFINITY, pause }: { max?: number; pause?: () => Promise<void> } = {},
): Promise<string[]> {
  const read = decodeTextInAnyEncoding(list);
  if ("fault" in read) {
    throw new AppError("invalid", {
      en: `Cannot read the list: it ${read.fault.en}`,
      de: `Die Liste lässt sich nicht lesen: Sie ${read.fault.de}`,
    });
  }
  const addresses = new Set<string>();
  for (const address of parseAddressList(read.text, max)) {
    if (address !== null) addresses.add(address);
    if (addresses.size > max) throw tooManyAddressesError(max);
    await pause?.();
  }
  if (addresses.values().some(isAddressPath)) return [...addresses];
  throw new AppError("invalid", {
    en: "There are no addresses in the list: each begins with / or https://",
    de: "In der Liste stehen keine Adressen: Jede beginnt mit / oder https://",
  });
}

/**
 * Requests each address of a former site from the new site.
 *
 * @param addresses as {@link readOldAddresses} returns them.
 */
export async function checkOldAddresses(
  addresses: readonly string[],
  site: SiteToCheck,
): Promise<OldAddress[]> {
  const found: OldAddress[] = [];
  for (let at = 0; at < addresses.length; at += site.concurrencyMax) {
    const batch = addresses.slice(at, at + site.concurrencyMax);
    found.push(...(await Promise.all(batch.map((address) => answerOf(site, address)))));
  }
  return found;
}

export function countOldAddressOutcomes(
  found: readonly OldAddress[],
): Record<(typeof OLD_ADDRESS_OUTCOMES)[number], number> {
  const counts = { kept: 0, redirected: 0, gone: 0, missing: 0, invalid: 0 };
  for (const { outcome } of found) counts[outcome] += 1;
  return counts;
}

/**
 * The checked addresses as a CSV table. Texts that a spreadsheet would read as formulas are
 * escaped, because the addresses come from another site.
 */
export function formatOldAddressesAsCsv(found: readonly OldAddress[]): string {
  const rows = found.map(({ address, outcome, status, to, fault }) => ({
    ...{ address, outcome, status, to },
    ...{ message: fault?.en, "message (de)": fault?.de },
  }));
  return `${Papa.unparse(rows, { escapeFormulae: true })}\r\n`;
}

async function answerOf(site: SiteToCheck, address: string): Promise<OldAddress> {
  if (!isAddressPath(address))
    return { address, outcome: "invalid", status: null, to: null, fault: NO_ADDRESS };
  try {
    const first = await site.ask(address);
    let answer = first;
    let current = new URL(site.origins[0] + address);
    for (let hops = 0; isRedirect(answer.status); hops += 1) {
      current = new URL(answer.location, current);
      if (!site.origins.includes(current.origin))
        return {
          address,
          outcome: "redirected",
          status: first.status,
          to: current.href,
          fault: null,
        };
      if (hops === HOPS_MAX)
        return { address, outcome: "missing", status: first.status, to: null, fault: CIRCLE };
      answer = await site.ask(current.pathname + current.search);
    }
    const to = isRedirect(first.status) ? decodeURI(current.pathname) + current.search : null;
    const fault = faultOf(answer.status, to) ?? ignoredQuery(answer.status, current);
    const outcome = fault === null ? outcomeOf(answer.status, to) : "missing";
    return { address, outcome, status: first.status, to, fault };
  } catch (error) {
    return { address, outcome: "missing", status: null, to: null, fault: site.faultOf(error) };
  }
}

function isRedirect(status: number): boolean {
  return status >= 300 && status < 400;
}

function outcomeOf(status: number, to: string | null): OldAddress["outcome"] {
  if (status === 410) return "gone";
  return to === null ? "kept" : "redirected";
}

function faultOf(status: number, to: string | null): Wording | null {
  if (status < 300 || status === 410) return null;
  if (to === null) return { en: `answers ${status}`, de: `antwortet mit ${status}` };
  return {
    en: `leads to ${to}, which answers ${status}`,
    de: `führt zu ${to}, und dort kommt ${status}`,
  };
}

/**
 * Returns why an address such as `/?p=12` is missing: the query names a page, but the site ignores the query.
 * Null for other addresses.
 */
function ignoredQuery(status: number, url: URL): Wording | null {
  if (status >= 300 || !namesPageInQuery(url)) return null;
  const { search } = url;
  const path = decodeURI(url.pathname);
  const [en, de] = path === "/" ? ["the home page", "die Startseite"] : [path, path];
  return {
    en: `nothing is there: the site ignores ${search}, and ${en} answers`,
    de: `dort ist nichts: Die Website beachtet ${search} nicht, und es antwortet ${de}`,
  };
}

/**
 * Whether a query names a page, as in `/?p=12`. If the site had the page, it would have redirected
 * to the page's path.
 */
function namesPageInQuery({ pathname, searchParams }: URL): boolean {
  const names = [...searchParams.keys()];
  if (pathname === "/") return names.some((name) => !TRACKING_PARAMETERS.test(name));
  return names.some((name) => PAGE_PARAMETERS.has(name));
}

/** Query parameters that campaigns and other sites add to links. */
const TRACKING_PARAMETERS =
  /^(?:utm_.*|mtm_.*|pk_.*|hsa_.*|_hs.*|mc_[ce]id|_g[al]|[a-z]{1,4}clid|msclkid|igshid|[gw]braid|ref|src)$/i;
/** WordPress's query parameters for the id of a page. */
const PAGE_PARAMETERS: ReadonlySet<string> = new Set(["p", "page_id", "attachment_id"]);

const NO_ADDRESS: Wording = {
  en: "is no address: each begins with / or https://",
  de: "ist keine Adresse: Jede beginnt mit / oder https://",
};
const CIRCLE: Wording = { en: "leads in a circle", de: "führt im Kreis" };
