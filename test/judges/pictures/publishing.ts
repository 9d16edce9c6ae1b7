import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DemoServer } from "../demo-server.ts";
import { photograph } from "./photograph.ts";
import { watchProcess } from "./process-cost.ts";

/** Adds a picture and publishes a page that shows it. Returns the picture's address. */
export async function publishPicture(
  server: DemoServer,
  bytes: Buffer,
  name: string,
): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "commonplace-pictures-"));
  try {
    const file = join(folder, `${name}.jpg`);
    writeFileSync(file, bytes);
    const added = JSON.parse(await server.commonplace("media", "add", file, "--json"));
    const [{ path }] = added.media;
    const page = {
      ...{ type: "page", path: `/${name}`, title: "A picture", status: "published" },
      body: `![A made-up landscape](${path})\n\nA text below the picture.`,
    };
    await server.commonplace("api", "POST", "/content", "--data", JSON.stringify(page));
    return path;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * Publishes a page with a picture of 3,200 pixels and waits for its smaller versions. Returns the page's
 * path.
 */
export async function publishLargePicture(server: DemoServer, name: string): Promise<string> {
  const path = await publishPicture(server, await photograph(3200, 2133), name);
  const id = /[0-9a-f]{32}/.exec(path)?.[0] ?? "";
  await watchProcess(server.pid, async () => {
    const { status } = await fetch(`${server.origin}/media/${id}-320.avif`, { redirect: "manual" });
    return status === 200;
  });
  return `/${name}`;
}
