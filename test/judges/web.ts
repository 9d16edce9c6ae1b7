import { startDemoServer } from "./demo-server.ts";
import { announce, type Verdict } from "./verdict.ts";
import { judgeByAfdocs } from "./web/afdocs.ts";
import { judgeDocuments } from "./web/documents.ts";
import { judgeHtml } from "./web/html.ts";
import { judgeByLighthouse } from "./web/lighthouse.ts";
import { judgePictures } from "./web/pictures.ts";
import { judgeSkills } from "./web/skills.ts";

const server = await startDemoServer();
try {
  process.exitCode = announce(await judgeAll(server.origin));
} finally {
  await server.stop();
}

async function judgeAll(origin: string): Promise<Verdict[]> {
  const sitemap = await (await fetch(`${origin}/sitemap.xml`)).text();
  const first = (section: string) => pathStartingWith(sitemap, `${origin}/${section}/`, origin);
  const [topic, author, work, quotation] = ["topics", "authors", "works", "quotations"].map(first);
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
