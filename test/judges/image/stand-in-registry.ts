import { once } from "node:events";
import { createReadStream, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { z } from "zod";

/**
 * Serves the image of an OCI layout under every name and tag, as registries do, and prints its port:
 * `node stand-in-registry.ts FOLDER`. It is a process of its own, since a release blocks the judge's.
 */
const [folder = ""] = process.argv.slice(2);
const indexSchema = z.object({
  manifests: z.tuple([z.object({ mediaType: z.string(), digest: z.string() })]),
});
const index = indexSchema.parse(JSON.parse(readFileSync(join(folder, "index.json"), "utf8")));
const [manifest] = index.manifests;

const server = createServer(({ url = "" }, response) => {
  if (url === "/v2/") return void response.end("{}");
  const digest = /(sha256:[0-9a-f]{64})$/.exec(url)?.[1] ?? manifest.digest;
  const isManifest = url.includes("/manifests/");
  response.setHeader("Docker-Content-Digest", digest);
  response.setHeader("Content-Type", isManifest ? manifest.mediaType : "application/octet-stream");
  createReadStream(join(folder, "blobs", digest.replace(":", "/")))
    .on("error", () => response.writeHead(404).end())
    .pipe(response);
});
await once(server.listen(0, "127.0.0.1"), "listening");
const address = server.address();
if (address === null || typeof address === "string") throw new Error("No TCP address");
console.log(address.port);
