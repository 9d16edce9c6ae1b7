import Papa from "papaparse";
import { AppError, type Wording } from "../../../errors.ts";
import { textInAnyEncoding } from "../streams/any-encoding.ts";
import { addressesIn, tooManyAddresses } from "./address-list.ts";

/**
 * What became of an address of a former site. `missing`: the address fails, or redirects to one that fails.
 */
export const OUTCOMES = ["kept", "redirected", "gone", "missing"] as const;
const HOPS_MAX = 5;

export interface OldAddress {
  /** A path, with its query. */
  address: string;
  outcome: (typeof OUTCOMES)[number];
  /** Null if the request failed. */
  status: number | null;
  /** The final redirect target; null: no redirect, or the redirects failed. */
  to: string | null;
  /** Why the address is missing; null if it is not. */
  fault: Wording | null;
}

/** The new site, from which the addresses of the former site are requested. */
export interface AskedSite {
  /** Origins of the site's own addresses. */
  origins: readonly [string, ...string[]];
  /** Limit on concurrent requests. */
  concurrencyMax: number;
  /** Requests a path with its query from the site. `location` is empty unless the answer is a redirect. */
  ask(address: string): Promise<{ status: number; location: string }>;
  /** Describes why {@link ask} failed. */
  faultOf(error: unknown): Wording;
}

/**
 * The addresses in a list, as paths. The list has one address per line, is a table with addresses in the
 * first column, or is a sitemap.
 *
 * @param pause is called between addresses; may yield to the event loop.
 * @throws {AppError} `invalid` if the list cannot be read or has no addresses; `too_large` beyond `max`.
 */
export async function readOldAddresses(
  list: Buffer,
  { max = Number.POSITIVE_INFINITY, pause }: { max?: number; pause?: () => Promise<void> } = {},
): Promise<string[]> {
  const read = textInAnyEncoding(list);
  if ("fault" in read) {
    throw new AppError("invalid", {
      en: `Cannot read the list: it ${read.fault.en}`,
      de: `Die Liste lässt sich nicht lesen: Sie ${read.fault.de}`,
    });
  }
  const addresses = new Set<string>();
  for (const address of addressesIn(read.text, max)) {
    if (address !== null) addresses.add(address);
    if (addresses.size > max) throw tooManyAddresses(max);
    await pause?.();
  }
  if (addresses.size > 0) return [...addresses];
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
  site: AskedSite,
): Promise<OldAddress[]> {
  const found: OldAddress[] = [];
  for (let at = 0; at < addresses.length; at += site.concurrencyMax) {
    const batch = addresses.slice(at, at + site.concurrencyMax);
    found.push(...(await Promise.all(batch.map((address) => answerOf(site, address)))));
  }
  return found;
}

export function countOutcomes(
  found: readonly OldAddress[],
): Record<(typeof OUTCOMES)[number], number> {
  const counts = { kept: 0, redirected: 0, gone: 0, missing: 0 };
  for (const { outcome } of found) counts[outcome] += 1;
  return counts;
}

/**
 * The whole report as a CSV table. The addresses come from another site, so texts that a spreadsheet would
 * read as formulas are escaped.
 */
export function oldAddressTable(found: readonly OldAddress[]): string {
  const rows = found.map(({ address, outcome, status, to, fault }) => ({
    ...{ address, outcome, status, to },
    ...{ message: fault?.en, "message (de)": fault?.de },
  }));
  return `${Papa.unparse(rows, { escapeFormulae: true })}\r\n`;
}

async function answerOf(site: AskedSite, address: string): Promise<OldAddress> {
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
    const outcome = outcomeOf(answer.status, to);
    const fault = outcome === "missing" ? faultOf(answer.status, to) : null;
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
  if (status >= 300) return "missing";
  return to === null ? "kept" : "redirected";
}

function faultOf(status: number, to: string | null): Wording {
  if (to === null) return { en: `answers ${status}`, de: `antwortet mit ${status}` };
  return {
    en: `leads to ${to}, which answers ${status}`,
    de: `führt zu ${to}, und dort kommt ${status}`,
  };
}

const CIRCLE: Wording = { en: "leads in a circle", de: "führt im Kreis" };
