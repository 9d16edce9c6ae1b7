import { LOOKS } from "../../src/content/site/look/look.ts";
import { launch } from "./admin/browser.ts";
import { startDemoServer } from "./demo-server.ts";
import { judgeLayout } from "./reader/layout.ts";
import { pagesOfEachKind } from "./reader/pages.ts";
import { judgeVolunteer } from "./reader/volunteer.ts";
import { judgeWeight } from "./reader/weight.ts";
import { announce } from "./verdict.ts";

/**
 * Reads the public site in a browser: every kind of page in every look, light, dark and in forced colours, on
 * phones and with large text. Measures the weight of pages, and lets a volunteer design the look: `npm run
 * judge:reader -- [LOOK...]`. Needs Chromium.
 */
const asked = process.argv.slice(2);
const looks = asked.length > 0 ? asked : LOOKS;
const server = await startDemoServer();
const browser = await launch();
try {
  const paths = await pagesOfEachKind(server);
  const addresses = paths.map((path) => server.origin + path);
  const { verdicts: weight } = await judgeWeight(browser, addresses);
  const home = `${server.origin}/`;
  const weighHome = async () => (await judgeWeight(browser, [home])).bytes.get(home) ?? 0;
  const volunteer = await judgeVolunteer(browser, server, weighHome);
  const layout = await judgeLayout(browser, server, { paths, looks });
  process.exitCode = announce([...weight, ...volunteer, ...layout]);
} finally {
  await browser.close();
  await server.stop();
}
