import { parseArgs } from "node:util";
import { LOOKS } from "../../src/content/site/look/look.ts";
import { launch } from "./admin/browser.ts";
import { startDemoServer } from "./demo-server.ts";
import { judgeAuthorRuns } from "./reader/author-runs.ts";
import { judgeLayout } from "./reader/layout.ts";
import { pagesOfEachKind } from "./reader/pages.ts";
import { judgeSharePictures } from "./reader/share-pictures.ts";
import { judgeSitemapWeight } from "./reader/sitemap-weight.ts";
import { judgeVolunteer } from "./reader/volunteer.ts";
import { judgeWeight } from "./reader/weight.ts";
import { announce } from "./verdict.ts";

/**
 * Reads the public site in a browser: every kind of page in every look, light, dark and in forced colours, on
 * phones and with large text. Measures the weight of pages, draws pictures for link previews, and lets a
 * volunteer design the look: `npm run judge:reader -- [--full] [LOOK...]`. With `--full`, it weighs every page
 * of the sitemap and draws 200 pictures. Needs Chromium, and Linux for the memory of the server.
 */
const { values, positionals } = parseArgs({
  options: { full: { type: "boolean", default: false } },
  allowPositionals: true,
});
const looks = positionals.length > 0 ? positionals : LOOKS;
const { oneOf, pictures } = values.full ? { oneOf: 1, pictures: 200 } : { oneOf: 40, pictures: 14 };
const server = await startDemoServer();
const browser = await launch();
try {
  const { origin } = server;
  const lists = [
    ...(await judgeAuthorRuns(origin)),
    ...(await judgeSitemapWeight(origin, oneOf)),
    ...(await judgeSharePictures(server, pictures)),
  ];
  const paths = await pagesOfEachKind(server);
  const addresses = paths.map((path) => origin + path);
  const { verdicts: weight } = await judgeWeight(browser, addresses);
  const home = `${origin}/`;
  const weighHome = async () => (await judgeWeight(browser, [home])).bytes.get(home) ?? 0;
  const volunteer = await judgeVolunteer(browser, server, weighHome);
  const layout = await judgeLayout(browser, server, { paths, looks });
  process.exitCode = announce([...lists, ...weight, ...volunteer, ...layout]);
} finally {
  await browser.close();
  await server.stop();
}
