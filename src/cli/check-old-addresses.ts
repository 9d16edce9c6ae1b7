import { readFileSync } from "node:fs";
import {
  checkOldAddresses,
  countOldAddressOutcomes,
  type OldAddress,
  readOldAddresses,
} from "../content/import/redirects/old-addresses.ts";
import { englishOnlyWording } from "../errors.ts";
import { connectToSite, rootCauseMessage } from "./check.ts";
import { summarizeNames } from "./summarize-names.ts";
import { type CommandContext, formatTableLines } from "./terminal.ts";

const CONCURRENCY_MAX = 8;

/**
 * `commonplace check URL --old-addresses FILE`: checks how the site answers each address of a
 * former site. Exit code 1 if an address is missing, or a line of the list is not an address.
 */
export async function runCheckOldAddressesCommand(
  url: URL,
  file: string,
  {
    flags,
    context: { terminal },
  }: { flags: { json?: boolean }; context: Pick<CommandContext, "terminal"> },
): Promise<number> {
  const addresses = await readOldAddresses(readFileSync(file));
  const site = await connectToSite(url);
  const found = await checkOldAddresses(addresses, {
    origins: [site.origin, site.declaredOrigin],
    concurrencyMax: CONCURRENCY_MAX,
    async ask(address) {
      const answer = await site.get(site.origin + address);
      return { status: answer.status, location: answer.header("location") };
    },
    faultOf: (error) => englishOnlyWording(rootCauseMessage(error)),
  });
  const { missing, invalid } = countOldAddressOutcomes(found);
  const passed = missing + invalid === 0;
  if (flags.json === true) {
    const results = found.map(({ fault, ...rest }) => ({ ...rest, fault: fault?.en ?? null }));
    terminal.out(JSON.stringify({ url: url.origin, passed, addresses: results }));
  } else {
    for (const line of formatTableLines(
      found.filter(({ outcome }) => outcome !== "invalid").map(rowOf),
    ))
      terminal.out(line);
    const addresses = found.length - invalid;
    terminal.out(`${addresses - missing} of ${addresses} addresses passed`);
    if (invalid > 0) terminal.out(linesWithout(found));
  }
  return passed ? 0 : 1;
}

function linesWithout(found: readonly OldAddress[]): string {
  const lines = found.filter(({ outcome }) => outcome === "invalid").map(({ address }) => address);
  const are = lines.length === 1 ? "line is no address" : "lines are no addresses";
  return `${lines.length} ${are}: ${summarizeNames(lines)}`;
}

function rowOf({ address, status, to, fault }: OldAddress): string[] {
  const leads = to === null ? "" : `leads to ${to}`;
  return [fault === null ? "pass" : "FAIL", String(status ?? ""), address, fault?.en ?? leads];
}
