import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import { iterateElements, oneLineTextOf } from "../../../src/content/import/html/html-tree.ts";
import { parseHtmlTree } from "../../../src/content/pasting/html-conversion.ts";
import { openSiteLine } from "../../support/command-line.ts";
import { serve } from "../../support/served.ts";
import type { Verdict } from "../verdict.ts";

const siteSchema = z.object({
  menus: z.object({ en: z.array(z.object({ label: z.string(), to: z.string() })) }),
});

const checkSchema = z.object({
  addresses: z.array(z.object({ address: z.string(), fault: z.string().nullable() })),
});

/**
 * Imports the folder of a former site once more, with `site.yaml` and `redirects.csv` put into it, and compares the
 * menu that readers see and the answers to the addresses in `addresses.txt`.
 *
 * @param added the folder with these files.
 */
export async function judgeRebuilt(folder: string, added: string): Promise<Verdict[]> {
  const copy = mkdtempSync(join(tmpdir(), "commonplace-rebuilt-"));
  try {
    cpSync(folder, copy, { recursive: true });
    for (const file of ["site.yaml", "redirects.csv"]) cpSync(join(added, file), join(copy, file));
    using line = await openSiteLine();
    const { code, err } = await line.spawn("import", "--publish", copy);
    if (code !== 0) return [{ what: "rebuilt", passed: false, detail: err.slice(0, 1000) }];
    await using server = await serve(line);
    const home = await (await fetch(server.origin, { headers: { accept: "text/html" } })).text();
    const addresses = join(added, "addresses.txt");
    const checked = await line.spawn(
      "check",
      server.origin,
      "--old-addresses",
      addresses,
      "--json",
    );
    return [menu(home, join(copy, "site.yaml")), oldAddresses(checked.out)];
  } finally {
    rmSync(copy, { recursive: true });
  }
}

function menu(home: string, siteFile: string): Verdict {
  const { menus } = siteSchema.parse(parse(readFileSync(siteFile, "utf8")));
  const within = [...iterateElements(parseHtmlTree(home, { fragment: false }))]
    .filter(({ tagName }) => tagName === "nav")
    .flatMap((navigation) => [...iterateElements(navigation)]);
  const links = within.filter(({ tagName }) => tagName === "a");
  const shown = links.map((link) => `${oneLineTextOf(link).trim()} ${link.properties["href"]}`);
  const missing = menus.en.filter(({ label, to }) => !shown.includes(`${label} ${to}`));
  return {
    what: "menu of the former site",
    passed: missing.length === 0,
    detail: `${menus.en.length - missing.length} of ${menus.en.length} entries, of ${shown.length} that are shown`,
  };
}

function oldAddresses(out: string): Verdict {
  const { addresses } = checkSchema.parse(JSON.parse(out));
  const faulty = addresses.filter(({ fault }) => fault !== null);
  for (const { address, fault } of faulty) console.log(`  ${address}: ${fault}`);
  return {
    what: "addresses of the former site",
    passed: faulty.length === 0,
    detail: `${addresses.length - faulty.length} of ${addresses.length} answer`,
  };
}
