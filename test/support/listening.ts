import { once } from "node:events";
import type { Server as HttpServer } from "node:http";
import type { Server } from "node:net";

/** Starts a server on this machine; port 0 selects a free port. @returns its port. */
export async function listening(server: Server, port = 0): Promise<number> {
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("It has no port");
  return address.port;
}

/** Stops a server, even during requests. */
export async function ended(server: HttpServer): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}
