import { createHash } from "node:crypto";
import { findBrokenLinks } from "./check-links.ts";
import { listUnmetConditions, parseSitemapLocations, type SiteCheck } from "./check-pages.ts";
import { jsonListAt, jsonValueAt, parseJson, type SiteClient } from "./check-site.ts";

const LLMS_CHARACTERS_MAX = 30_000;
const CARD_ADDRESSES = ["/.well-known/mcp/server-card.json", "/mcp/server-card"] as const;
/** Matches directives of robots.txt that crawlers and validators know. */
const ROBOTS_DIRECTIVE =
  /^(?:user-agent|allow|disallow|sitemap|crawl-delay|content-signal|host)\s*:/i;

export const DOCUMENT_CHECKS: readonly SiteCheck[] = [
  { name: "llms.txt", run: llmsTxt },
  { name: "Sitemap", run: sitemap },
  { name: "robots.txt", run: robots },
  { name: "Agent view", run: agentView },
  { name: "AI catalog", run: aiCatalog },
  { name: "Agent skills", run: agentSkills },
  { name: "MCP server card", run: serverCard },
  { name: "API catalog", run: apiCatalog },
  { name: "security.txt", run: securityTxt },
  { name: "Feeds", run: feeds },
];

async function llmsTxt(site: SiteClient): Promise<string[]> {
  const answer = await site.get("/llms.txt");
  const links = [...answer.text.matchAll(/\]\((\S+?)\)/g)].map((match) => match[1] ?? "");
  const relative = links.filter((link) => !link.startsWith("http"));
  return [
    ...listUnmetConditions({
      [`it answers ${answer.status} instead of 200`]: answer.status === 200,
      "it does not start with a heading": answer.text.startsWith("# "),
      "it is shorter than 100 characters": answer.text.length >= 100,
      [`it is longer than ${LLMS_CHARACTERS_MAX} characters`]:
        answer.text.length <= LLMS_CHARACTERS_MAX,
      "it has no links": links.length > 0,
      [`links are not absolute: ${relative.slice(0, 3).join(", ")}`]: relative.length === 0,
    }),
    ...(await findBrokenLinks(site, links)),
  ];
}

async function sitemap(site: SiteClient): Promise<string[]> {
  const answer = await site.get("/sitemap.xml");
  const locations = parseSitemapLocations(answer);
  const foreign = locations.filter((location) => !location.startsWith(`${site.declaredOrigin}/`));
  return [
    ...listUnmetConditions({
      [`it answers ${answer.status} instead of 200`]: answer.status === 200,
      "its type is not application/xml": /^application\/xml/.test(answer.header("content-type")),
      "it lists nothing": locations.length > 0,
      [`it lists addresses of another host: ${foreign[0]}`]: foreign.length === 0,
    }),
    ...(await findBrokenLinks(site, locations)),
  ];
}

async function robots(site: SiteClient): Promise<string[]> {
  const answer = await site.get("/robots.txt");
  const rules = answer.text.split("\n").filter((line) => line.trim() !== "" && !/^\s*#/.test(line));
  const unknown = rules.filter((line) => !ROBOTS_DIRECTIVE.test(line));
  return listUnmetConditions({
    [`it answers ${answer.status} instead of 200`]: answer.status === 200,
    "its type is not text/plain": /^text\/plain/.test(answer.header("content-type")),
    "it has no User-agent group": /^user-agent:/im.test(answer.text),
    "it names no sitemap": answer.text.includes(`Sitemap: ${site.declaredOrigin}/`),
    "it states no Content-Signal": /^content-signal: \S/im.test(answer.text),
    [`it has lines crawlers do not know: ${unknown[0]}`]: unknown.length === 0,
  });
}

async function agentView(site: SiteClient): Promise<string[]> {
  const answer = await site.get("/?mode=agent");
  const view = parseJson(answer);
  const missing = ["endpoints", "authentication", "capabilities", "discovery"].filter(
    (key) => jsonValueAt(view, key) === undefined,
  );
  const links = JSON.stringify(view ?? null).match(/https?:\/\/[^"\\{}\s]+/g) ?? [];
  const pages = links.filter((link) => link.startsWith(`${site.declaredOrigin}/`));
  return [
    ...listUnmetConditions({
      [`it answers ${answer.status} instead of 200`]: answer.status === 200,
      "it is not JSON": view !== undefined,
      [`it says nothing of ${missing.join(", ")}`]: missing.length === 0,
    }),
    ...(await findBrokenLinks(site, pages, (link) => !isMcp(site, link))),
  ];
}

async function aiCatalog(site: SiteClient): Promise<string[]> {
  const answer = await site.get("/.well-known/ai-catalog.json");
  const catalog = parseJson(answer);
  const entries = jsonListAt(catalog, "entries");
  const urls = entries
    .map((entry) => jsonValueAt(entry, "url"))
    .filter((url) => typeof url === "string");
  return [
    ...listUnmetConditions({
      [`it answers ${answer.status} instead of 200`]: answer.status === 200,
      "its type is not application/ai-catalog+json": /^application\/ai-catalog\+json/.test(
        answer.header("content-type"),
      ),
      'specVersion is not "1.0"': jsonValueAt(catalog, "specVersion") === "1.0",
      "it has no entries": entries.length > 0,
      "an entry has no address": urls.length === entries.length,
    }),
    ...(await findBrokenLinks(site, urls)),
  ];
}

async function agentSkills(site: SiteClient): Promise<string[]> {
  const index = "/.well-known/agent-skills/index.json";
  const answer = await site.get(index);
  const skills = jsonListAt(parseJson(answer), "skills");
  if (answer.status !== 200) return [`it answers ${answer.status} instead of 200`];
  if (skills.length === 0) return ["it lists no skills"];
  const faults: string[] = [];
  for (const skill of skills) {
    const name = String(jsonValueAt(skill, "name"));
    const url = new URL(String(jsonValueAt(skill, "url")), site.declaredOrigin + index);
    const file = await site.get(url.href);
    const digest = `sha256:${createHash("sha256").update(file.bytes).digest("hex")}`;
    const unmet = listUnmetConditions({
      [`answers ${file.status} instead of 200`]: file.status === 200,
      "has another digest than the index says": digest === jsonValueAt(skill, "digest"),
      "does not start with a front matter that names it": file.text.includes(`name: ${name}`),
    });
    faults.push(...unmet.map((fault) => `${name} ${fault}`));
  }
  return faults;
}

async function serverCard(site: SiteClient): Promise<string[]> {
  const [card, copy] = await Promise.all(CARD_ADDRESSES.map((address) => site.get(address)));
  if (card === undefined || copy === undefined) return ["it is missing"];
  const content = parseJson(card);
  const description = String(jsonValueAt(content, "description") ?? "");
  return listUnmetConditions({
    [`it answers ${card.status} and ${copy.status} instead of 200`]:
      card.status === 200 && copy.status === 200,
    "its two addresses have other bytes": card.bytes.equals(copy.bytes),
    "its type is not application/mcp-server-card+json": /^application\/mcp-server-card\+json/.test(
      card.header("content-type"),
    ),
    "it has no name": typeof jsonValueAt(content, "name") === "string",
    "it has no version": typeof jsonValueAt(content, "version") === "string",
    "its description does not have 1 to 100 characters":
      description.length >= 1 && description.length <= 100,
    "it names no remote on this site": String(jsonValueAt(content, "remotes", 0, "url")).startsWith(
      `${site.declaredOrigin}/`,
    ),
    "other sites' scripts may not read it": card.header("access-control-allow-origin") === "*",
  });
}

async function apiCatalog(site: SiteClient): Promise<string[]> {
  const answer = await site.get("/.well-known/api-catalog");
  return listUnmetConditions({
    [`it answers ${answer.status} instead of 200`]: answer.status === 200,
    "its type is not application/linkset+json": /^application\/linkset\+json/.test(
      answer.header("content-type"),
    ),
    "it has no linkset": jsonListAt(parseJson(answer), "linkset").length > 0,
  });
}

async function securityTxt(site: SiteClient): Promise<string[]> {
  const answer = await site.get("/.well-known/security.txt");
  const expires = Date.parse(/^Expires: (.+)$/m.exec(answer.text)?.[1] ?? "");
  return listUnmetConditions({
    [`it answers ${answer.status} instead of 200`]: answer.status === 200,
    "it names no contact": /^Contact: \S/m.test(answer.text),
    "it has expired, or does not say when it will": expires > Date.now(),
  });
}

async function feeds(site: SiteClient): Promise<string[]> {
  const atom = await site.get("/feed.atom");
  const json = await site.get("/feed.json");
  return listUnmetConditions({
    "/feed.atom is not an Atom feed": atom.status === 200 && atom.text.includes("<feed "),
    "/feed.json is not a JSON feed":
      json.status === 200 &&
      String(jsonValueAt(parseJson(json), "version")).includes("jsonfeed.org"),
  });
}

function isMcp(site: SiteClient, link: string): boolean {
  return link === `${site.declaredOrigin}/mcp`;
}
