import { KEY_PATTERN } from "../../src/access/credentials.ts";
import { startDemoServer } from "./demo-server.ts";
import { announce } from "./verdict.ts";

const SERVES_WITHIN_MS = 10_000;

const first = await startDemoServer(["npm", "start"]);
const home = await fetch(first.origin, { headers: { accept: "text/html" } });
const html = await home.text();
const printed = first.output();
await first.stop();

const second = await startDemoServer();
const exitCode = await second.stop();

process.exitCode = announce([
  {
    what: "npm start serves the demo",
    passed: home.status === 200 && html.includes("<main"),
    detail: `status ${home.status}, ${html.length} characters`,
  },
  {
    what: `within ${SERVES_WITHIN_MS / 1000} s`,
    passed: first.startedInMs < SERVES_WITHIN_MS,
    isOfTime: true,
    detail: `${(first.startedInMs / 1000).toFixed(1)} s`,
  },
  {
    what: "the first start tells addresses and the command for a key, and no key",
    passed:
      printed.includes(`${first.origin}/llms.txt`) &&
      printed.includes("keys issue") &&
      !KEY_PATTERN.test(printed),
    detail: `${printed.trim().split("\n").length} lines`,
  },
  {
    what: "SIGTERM ends it in order",
    passed: exitCode === 0,
    detail: `exit code ${exitCode}`,
  },
]);
