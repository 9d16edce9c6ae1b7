import { openRecordForCommand } from "../app/store.ts";
import {
  replaceSiteAddressInContent,
  type SiteAddressReplacement,
  type SiteAddressReplacementReport,
} from "../content/editing/many/readdressing.ts";
import { applyReplacementToExcerpt } from "../content/editing/many/rewriting.ts";
import type { CommandContext } from "./terminal.ts";

export interface ChangeAddressFlags {
  dryRun?: boolean;
  json?: boolean;
}

/**
 * `commonplace change-address FROM TO`: can run while the server is up; exit code 1 if an item was refused.
 */
export async function runChangeAddressCommand(
  change: SiteAddressReplacement,
  { dryRun: isDryRun = false, json = false }: ChangeAddressFlags,
  { config, terminal }: CommandContext,
): Promise<number> {
  await using record = await openRecordForCommand(config);
  const options = { isDryRun, now: new Date() };
  const report = await replaceSiteAddressInContent(record, { kind: "operator" }, change, options);
  if (json) terminal.out(JSON.stringify({ dryRun: isDryRun, ...report, items: withTexts(report) }));
  else for (const line of linesOf(report, change, isDryRun)) terminal.out(line);
  return report.refused.length > 0 ? 1 : 0;
}

function linesOf(
  report: SiteAddressReplacementReport,
  change: SiteAddressReplacement,
  isDryRun: boolean,
): string[] {
  const { items, settings, refused, drafts, redirects } = report;
  const places = items.reduce((sum, item) => sum + item.places, 0);
  const verb = isDryRun ? "Would rewrite" : "Rewrote";
  return [
    ...items.map(
      ({ path, places, excerpt }) =>
        `  ${path} (${places}): …${oneLine(applyReplacementToExcerpt(excerpt))}…`,
    ),
    `${verb} ${places} addresses in ${items.length} items`,
    ...(settings.length > 0 ? [`${verb} addresses in the settings: ${settings.join(", ")}`] : []),
    ...refused.map(({ path, reason }) => `Refused, change it yourself: ${path}: ${reason}`),
    ...drafts.map(({ id, title }) => `Left to its editors, draft ${id}: ${title ?? "untitled"}`),
    ...redirects.map((path) => `Left as it is, redirect ${path}`),
    ...(isDryRun ? [] : nextSteps(change)),
  ];
}

function withTexts({ items }: SiteAddressReplacementReport) {
  return items.map((item) => ({ ...item, excerpt: applyReplacementToExcerpt(item.excerpt) }));
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}

/** Recommends status 308, which makes clients send a POST again as a POST. Status 301 does not. */
function nextSteps({ from, to }: SiteAddressReplacement): string[] {
  const { origin, host, hostname, port, protocol } = new URL(from);
  const isPlain = protocol === "http:" && port !== "";
  return [
    "",
    `Next: set PUBLIC_URL=${to} and restart the server, which renders all pages with the new address.`,
    "Keep the former domain for years, and let the proxy lead it on. Caddy:",
    "",
    `  ${isPlain ? origin : host} {`,
    `    redir ${to}{uri} 308`,
    "  }",
    "",
    isPlain ? "nginx:" : "nginx, with the certificate of that domain:",
    "",
    "  server {",
    `    listen ${port === "" ? "443" : port}${isPlain ? "" : " ssl"};`,
    `    server_name ${hostname};`,
    `    return 308 ${to}$request_uri;`,
    "  }",
    "",
    "Tell the holders of keys: clients send no key to where they are redirected.",
    "Passkeys work at the former host only: people sign in by password and add new ones.",
  ];
}
