import { addressesIn } from "../content/import/redirects/address-list.ts";
import { AppError, englishOnly } from "../errors.ts";
import { readTextInAnyEncoding } from "../importing/any-encoding.ts";
import { reachSite, reasonOf } from "./check.ts";
import type { CheckedSite } from "./check-site.ts";
import { type CommandContext, tableLines } from "./terminal.ts";

const CONCURRENCY_MAX = 8;
const HOPS_MAX = 5;

interface OldAddress {
  address: string;
  /** Null if the request failed. */
  status: number | null;
  /** The final redirect target; null: no redirect, or the redirects failed. */
  to: string | null;
  /**
   * The fault; null: the address answers, redirects to a working page or to another site, or answers 410.
   */
  fault: string | null;
}

/**
 * `commonplace check URL --old-addresses FILE`: checks how the site answers
 * each address of a former site. Exit code 1 if one fails or redirects to an error.
 */
export async function checkOldAddresses(
  url: URL,
  file: string,
  {
    flags,
    context: { terminal },
  }: { flags: { json?: boolean }; context: Pick<CommandContext, "terminal"> },
): Promise<number> {
  const read = readTextInAnyEncoding(file);
  if ("fault" in read)
    throw new AppError("invalid", englishOnly(`Cannot read ${file}: it ${read.fault.en}`));
  const addresses = addressesIn(read.text);
  if (addresses.length === 0)
    throw new AppError("invalid", englishOnly(`There are no addresses in ${file}`));
  const site = await reachSite(url);
  const found: OldAddress[] = [];
  for (let at = 0; at < addresses.length; at += CONCURRENCY_MAX) {
    const batch = addresses.slice(at, at + CONCURRENCY_MAX);
    found.push(...(await Promise.all(batch.map((address) => answerOf(site, address)))));
  }
  const faulty = found.filter(({ fault }) => fault !== null).length;
  if (flags.json === true) {
    terminal.out(JSON.stringify({ url: url.origin, passed: faulty === 0, addresses: found }));
  } else {
    for (const line of tableLines(found.map(rowOf))) terminal.out(line);
    terminal.out(`${found.length - faulty} of ${found.length} addresses answer`);
  }
  return faulty === 0 ? 0 : 1;
}

function rowOf({ address, status, to, fault }: OldAddress): string[] {
  const leads = to === null ? "" : `leads to ${to}`;
  return [fault === null ? "pass" : "FAIL", String(status ?? ""), address, fault ?? leads];
}

async function answerOf(site: CheckedSite, address: string): Promise<OldAddress> {
  try {
    const first = await site.get(address);
    let answer = first;
    let current = new URL(address, site.origin);
    for (let hops = 0; isRedirect(answer.status); hops += 1) {
      current = new URL(answer.header("location"), current);
      const isHere = current.origin === site.origin || current.origin === site.declaredOrigin;
      if (!isHere) return { address, status: first.status, to: current.href, fault: null };
      if (hops === HOPS_MAX)
        return { address, status: first.status, to: null, fault: "leads in a circle" };
      answer = await site.get(current.href);
    }
    const to = isRedirect(first.status) ? decodeURI(current.pathname) + current.search : null;
    return { address, status: first.status, to, fault: faultOf(answer.status, to) };
  } catch (error) {
    return { address, status: null, to: null, fault: reasonOf(error) };
  }
}

function isRedirect(status: number): boolean {
  return status >= 300 && status < 400;
}

function faultOf(status: number, to: string | null): string | null {
  if (status < 300 || status === 410) return null;
  return to === null ? `answers ${status}` : `leads to ${to}, which answers ${status}`;
}
