import { startDemoServer } from "./demo-server.ts";
import { announce, type Verdict } from "./verdict.ts";

/** Documents whose links are followed. Their targets are opened, and followed if they are documents too. */
const STARTS = ["/llms.txt", "/llms-full.txt", "/sitemap.xml", "/?mode=agent", "/robots.txt"];
const WELL_KNOWN = [
  "/.well-known/ai-catalog.json",
  "/.well-known/agent-skills/index.json",
  "/.well-known/mcp/server-card.json",
  "/.well-known/api-catalog",
  "/.well-known/security.txt",
  "/opensearch.xml",
];
const FOLLOWED =
  /(\/llms(-full)?\.txt|\.xml|\.json|\.atom|\.xsd|\/SKILL\.md|\/api-catalog|mode=agent)$/;
const AT_ONCE = 8;
/** Services, which answer 405 or 401. */
const SERVICES = ["/mcp"];

const server = await startDemoServer();
const begun = performance.now();
const opened = new Map<string, number>();
const foundOn = new Map<string, string>();
let failure: unknown;
try {
  await walk([...STARTS, ...WELL_KNOWN, "/"].map((path) => `${server.origin}${path}`));
} catch (cause) {
  failure = cause;
}
await server.stop();
if (failure !== undefined) throw failure;

const broken = [...opened].filter(([, status]) => status !== 200);
const seconds = ((performance.now() - begun) / 1000).toFixed(1);
process.exitCode = announce([
  {
    what: "every link of every document opens",
    passed: broken.length === 0,
    detail: `${opened.size} addresses opened in ${seconds} s`,
  },
  ...broken.slice(0, 30).map(
    ([url, status]): Verdict => ({
      what: url,
      passed: false,
      detail: `status ${status}, linked from ${foundOn.get(url) ?? "the start"}`,
    }),
  ),
]);

async function walk(urls: readonly string[]): Promise<void> {
  const queue = [...urls];
  const seen = new Set(queue);
  async function worker(): Promise<void> {
    for (let url = queue.shift(); url !== undefined; url = queue.shift()) {
      for (const link of await linksOf(url)) {
        if (seen.has(link)) continue;
        seen.add(link);
        foundOn.set(link, url);
        queue.push(link);
      }
    }
  }
  while (queue.length > 0) await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

/** Opens an address. Returns its links within the site if it is a document to follow. */
async function linksOf(url: string): Promise<string[]> {
  const answer = await fetch(url, { redirect: "manual" });
  const text = await answer.text();
  opened.set(url, answer.status);
  return answer.status === 200 && FOLLOWED.test(url) ? linksIn(text) : [];
}

/** Every absolute address of the site in a text of any format, except for templates and examples. */
function linksIn(text: string): string[] {
  const { origin } = server;
  return text
    .replaceAll("&amp;", "&")
    .split(/[\s<>"'()[\]\\`]+/)
    .filter((word) => word.startsWith(`${origin}/`) || word === origin)
    .map((word) => word.replace(/[.,;:!]+$/, "").replace(/#.*$/, ""))
    .filter((url) => !/[{…]/.test(url) && !SERVICES.includes(new URL(url).pathname));
}
