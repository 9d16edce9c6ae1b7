import { startDemoServer } from "./demo-server.ts";
import { announce } from "./verdict.ts";

const SERVES_WITHIN_MS = 10_000;

const server = await startDemoServer(["npm", "start"]);
const home = await fetch(server.origin, { headers: { accept: "text/html" } });
const html = await home.text();
await server.stop();

process.exitCode = announce([
  {
    what: "npm start serves the demo",
    passed: home.status === 200 && html.includes("<main"),
    detail: `status ${home.status}, ${html.length} characters`,
  },
  {
    what: `within ${SERVES_WITHIN_MS / 1000} s`,
    passed: server.startedInMs < SERVES_WITHIN_MS,
    detail: `${(server.startedInMs / 1000).toFixed(1)} s`,
  },
]);
