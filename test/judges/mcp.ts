import { startDemoServer } from "./demo-server.ts";
import { judgeByClients } from "./mcp/clients.ts";
import { judgeByConformance } from "./mcp/conformance.ts";
import { announce } from "./verdict.ts";

const server = await startDemoServer();
try {
  process.exitCode = announce([...(await judgeByConformance()), ...(await judgeByClients(server))]);
} finally {
  await server.stop();
}
