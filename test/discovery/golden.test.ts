import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { after, it } from "node:test";
import { agentView } from "../../src/discovery/agent-view.ts";
import { DOCUMENTS, findDocument } from "../../src/discovery/documents.ts";
import { openFixtureSite, textOf } from "./fixture-site.ts";

const FOLDER = new URL("../golden/discovery/", import.meta.url);

/** What each golden file holds. */
const PATHS: Readonly<Record<string, string>> = {
  "llms.txt": "/llms.txt",
  "topics-llms.txt": "/topics/llms.txt",
  "quotations-llms.txt": "/quotations/llms.txt",
  "events-llms.txt": "/events/llms.txt",
  "llms-full.txt": "/llms-full.txt",
  "robots.txt": "/robots.txt",
  "sitemap.xml": "/sitemap.xml",
  "ai-catalog.json": "/.well-known/ai-catalog.json",
  "agent-skills-index.json": "/.well-known/agent-skills/index.json",
  "research-a-topic.md": "/.well-known/agent-skills/research-a-topic/SKILL.md",
  "find-and-cite-a-quotation.md": "/.well-known/agent-skills/find-and-cite-a-quotation/SKILL.md",
  "mcp-server-card.json": "/.well-known/mcp/server-card.json",
  "api-catalog.json": "/.well-known/api-catalog",
  "security.txt": "/.well-known/security.txt",
  "opensearch.xml": "/opensearch.xml",
  "feed.atom": "/feed.atom",
  "feed.json": "/feed.json",
  "topic-feed.atom": "/topics/courage/feed.atom",
  "author-feed.json": "/authors/epictetus/feed.json",
};

/** Only a site with more items than one file holds has these; other tests read them. */
const WITHOUT_GOLDEN_FILE = ["llms.txt part of a type", "sitemap part"];

const site = openFixtureSite();
after(() => site[Symbol.dispose]());

for (const [name, path] of Object.entries(PATHS)) {
  it(`${path} is as agreed in ${name}`, () => compare(name, textOf(site.context, path)));
}

it("/?mode=agent is as agreed in agent-view.json", () => {
  compare("agent-view.json", agentView(site.context));
});

it("there is a golden file of every document", () => {
  const shown = new Set(Object.values(PATHS).map((path) => findDocument(path)?.document.name));
  const missing = DOCUMENTS.map(({ name }) => name).filter((name) => !shown.has(name));
  assert.deepEqual(missing, WITHOUT_GOLDEN_FILE);
});

function compare(name: string, text: string): void {
  const golden = new URL(name, FOLDER);
  if (process.env["UPDATE_GOLDEN"] === "1") {
    mkdirSync(FOLDER, { recursive: true });
    writeFileSync(golden, text);
  }
  assert(existsSync(golden), `${golden.pathname} is missing: run with UPDATE_GOLDEN=1 and read it`);
  assert.equal(text, readFileSync(golden, "utf8"));
}
