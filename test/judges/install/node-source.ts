import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import {
  cpSync,
  createReadStream,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import { basename, join } from "node:path";

export interface NodeSource {
  origin: string;
  close(): void;
}

/** Lays out this Node with npm as in the archives of nodejs.org. @returns the folder. */
export function layOutNode(folder: string): string {
  const platform = process.arch === "arm64" ? "linux-arm64" : "linux-x64";
  const place = join(folder, `node-${process.version}-${platform}`);
  const modules = join(place, "lib/node_modules");
  mkdirSync(join(place, "bin"), { recursive: true });
  mkdirSync(modules, { recursive: true });
  cpSync(process.execPath, join(place, "bin/node"));
  const words = ["install", "--prefix", join(folder, "npm"), "--ignore-scripts", "npm@11"];
  execFileSync("npm", words, { stdio: "ignore" });
  cpSync(join(folder, "npm/node_modules/npm"), join(modules, "npm"), { recursive: true });
  symlinkSync("../lib/node_modules/npm/bin/npm-cli.js", join(place, "bin/npm"));
  return place;
}

/** Serves what nodejs.org has at `/dist`: this Node with npm, and the hashes of the archives. */
export async function standInForNodejs(folder: string): Promise<NodeSource> {
  const name = basename(layOutNode(folder));
  const latest = join(folder, "latest-v26.x");
  mkdirSync(latest);
  const archive = join(latest, `${name}.tar.xz`);
  execFileSync("tar", ["-C", folder, "-I", "xz -1 -T0", "-cf", archive, name]);
  const hash = createHash("sha256").update(readFileSync(archive)).digest("hex");
  writeFileSync(join(latest, "SHASUMS256.txt"), `${hash}  ${basename(archive)}\n`);
  const server = createServer((request, response) => {
    const file = createReadStream(join(latest, basename(request.url ?? "")));
    file.on("error", () => response.writeHead(404).end());
    file.pipe(response);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("No TCP address");
  return { origin: `http://127.0.0.1:${address.port}`, close: () => server.close() };
}
