import { readFileSync } from "node:fs";
import {
  checkOldAddresses,
  type OldAddress,
  readOldAddresses,
} from "../content/import/redirects/old-addresses.ts";
import { englishOnly } from "../errors.ts";
import { reachSite, reasonOf } from "./check.ts";
import { type CommandContext, tableLines } from "./terminal.ts";

const CONCURRENCY_MAX = 8;

/**
 * `commonplace check URL --old-addresses FILE`: checks how the site answers
 * each address of a former site. Exit code 1 if one fails or redirects to an error.
 */
export async function checkOldAddressesCommand(
  url: URL,
  file: string,
  {
    flags,
    context: { terminal },
  }: { flags: { json?: boolean }; context: Pick<CommandContext, "terminal"> },
): Promise<number> {
  const addresses = await readOldAddresses(readFileSync(file));
  const site = await reachSite(url);
  const found = await checkOldAddresses(addresses, {
    origins: [site.origin, site.declaredOrigin],
    concurrencyMax: CONCURRENCY_MAX,
    async ask(address) {
      const answer = await site.get(site.origin + address);
      return { status: answer.status, location: answer.header("location") };
    },
    faultOf: (error) => englishOnly(reasonOf(error)),
  });
  const missing = found.filter(({ outcome }) => outcome === "missing").length;
  if (flags.json === true) {
    const results = found.map(({ fault, ...rest }) => ({ ...rest, fault: fault?.en ?? null }));
    terminal.out(JSON.stringify({ url: url.origin, passed: missing === 0, addresses: results }));
  } else {
    for (const line of tableLines(found.map(rowOf))) terminal.out(line);
    terminal.out(`${found.length - missing} of ${found.length} addresses answer`);
  }
  return missing === 0 ? 0 : 1;
}

function rowOf({ address, status, to, fault }: OldAddress): string[] {
  const leads = to === null ? "" : `leads to ${to}`;
  return [fault === null ? "pass" : "FAIL", String(status ?? ""), address, fault?.en ?? leads];
}
