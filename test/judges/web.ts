import { parseArgs } from "node:util";
import { type DemoServer, startDemoServer } from "./demo-server.ts";
import { publishLargePicture } from "./pictures/publishing.ts";
import { announce, type Verdict } from "./verdict.ts";
import { judgeByAfdocs } from "./web/afdocs.ts";
import { judgeDocuments } from "./web/documents.ts";
import { judgeHtml } from "./web/html.ts";
import { judgeByLighthouse, judgeMedians } from "./web/lighthouse.ts";
import { judgePictures } from "./web/pictures.ts";
import { judgeSkills } from "./web/skills.ts";

const RUNS = 5;

/** `npm run judge:web [-- --full]`: with `--full`, only Lighthouse on eight pages, five times each. */
const { values } = parseArgs({ options: { full: { type: "boolean", default: false } } });

const server = await startDemoServer();
try {
  process.exitCode = announce(await (values.full ? judgeOnPhone(server) : judgeAll(server.origin)));
} finally {
  await server.stop();
}

async function judgeOnPhone(demo: DemoServer): Promise<Verdict[]> {
  const { origin } = demo;
  const { topic, author, work, quotation } = await firstPages(origin);
  const pages = [
    "/",
    topic,
    author,
    work,
    quotation,
    "/search?q=time",
    "/about",
    await publishLargePicture(demo, "with-picture"),
  ];
  return await judgeMedians(
    origin,
    pages.filter((path) => path !== undefined),
    RUNS,
  );
}

/** The first page of each type. */
async function firstPages(origin: string) {
  const sitemap = await (await fetch(`${origin}/sitemap.xml`)).text();
  const first = (section: string) => pathStartingWith(sitemap, `${origin}/${section}/`, origin);
  return {
    topic: first("topics"),
    author: first("authors"),
    work: first("works"),
    quotation: first("quotations"),
  };
}

async function judgeAll(origin: string): Promise<Verdict[]> {
  const { topic, author, work, quotation } = await firstPages(origin);
  const pages = ["/", topic, author, work, quotation].filter((path) => path !== undefined);
  const others = [
    "/topics",
    "/authors",
    "/quotations?page=2",
    "/search",
    "/search?q=time",
    "/about",
  ];
  const inBrowser = ["/", topic, quotation].filter((path) => path !== undefined);
  return [
    {
      what: "the sitemap lists every type of page",
      passed: pages.length === 5,
      detail: pages.join(" "),
    },
    ...(await judgeDocuments(origin)),
    ...(await judgeSkills(origin)),
    ...(await judgeHtml(origin, [...pages, ...others, "/no-such-page"])),
    ...(await judgeByAfdocs(origin)),
    ...(await judgeByLighthouse(origin, inBrowser)),
    ...(await judgePictures()),
  ];
}

function pathStartingWith(sitemap: string, start: string, origin: string): string | undefined {
  const loc = sitemap.split(/<\/?loc>/).find((part) => part.startsWith(start));
  return loc?.slice(origin.length);
}
