import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { after, it } from "node:test";
import { withOverriddenMethods } from "../../src/content/reading-overrides.ts";
import { renderAgentHomePageJson } from "../../src/discovery/agent-view.ts";
import { DISCOVERY_DOCUMENTS, findDocument } from "../../src/discovery/documents.ts";
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
  "events-feed.atom": "/events/feed.atom",
  "events-calendar.ics": "/events/calendar.ics",
  "event.ics": "/events/reading-evening/event.ics",
};

/** As `PATHS`, of a site with more items than one file holds. */
const PATHS_OF_PARTS: Readonly<Record<string, string>> = {
  "sitemap-index.xml": "/sitemap.xml",
  "sitemap-2.xml": "/sitemap-2.xml",
  "topics-llms-of-parts.txt": "/topics/llms.txt",
  "topics-llms-2.txt": "/topics/llms-2.txt",
};

const site = openFixtureSite();
after(() => site[Symbol.dispose]());

for (const [name, path] of Object.entries(PATHS)) {
  it(`${path} is as agreed in ${name}`, () => compare(name, textOf(site.context, path)));
}

for (const [name, path] of Object.entries(PATHS_OF_PARTS)) {
  it(`${path} of a large site is as agreed in ${name}`, () => {
    using store = openFixtureSite();
    store.transaction(() => {
      for (let number = 100; number < 290; number++) {
        const summary = `What stands under number ${number}, told at greater length than the line of a list has room for`;
        store.put("topic", `/topics/${number}`, { title: `Topic ${number}`, summary });
      }
    });
    // Every language a site names makes its sitemap files shorter, here down to 50 pages.
    const site = { ...store.reading.site(), languages: Array<string>(999).fill("de") };
    const reading = withOverriddenMethods(store.reading, { site: () => site });
    compare(name, textOf({ ...store.context, reading }, path));
  });
}

it("/?mode=agent is as agreed in agent-view.json", () => {
  compare("agent-view.json", renderAgentHomePageJson(site.context));
});

it("there is a golden file of every document", () => {
  const paths = [...Object.values(PATHS), ...Object.values(PATHS_OF_PARTS)];
  const shown = new Set(paths.map((path) => findDocument(path)?.document.name));
  const missing = DISCOVERY_DOCUMENTS.map(({ name }) => name).filter((name) => !shown.has(name));
  assert.deepEqual(missing, []);
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
