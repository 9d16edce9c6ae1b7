import assert from "node:assert/strict";
import { globSync } from "node:fs";
import { basename, join } from "node:path";
import { it } from "node:test";
import sharp from "sharp";
import { type CommandLine, openCommandLine } from "../support/command-line.ts";
import { serve } from "../support/served.ts";
import { until } from "../support/until.ts";

const PRELOADS = ["refused-flushes.ts", "refused-removals.ts"].map(
  (name) => `--import=${new URL(`../support/${name}`, import.meta.url)}`,
);

/**
 * Its processes can flush only files that they opened for writing, and cannot remove a database that is open,
 * as on Windows.
 */
async function openLine(): Promise<CommandLine> {
  const line = openCommandLine({ NODE_OPTIONS: PRELOADS.join(" ") });
  const { code, err } = await line.run("init");
  assert.equal(code, 0, err);
  return line;
}

it("serves a site and searches the desk where only files open for writing can be flushed", async () => {
  using line = await openLine();
  const words = [
    "keys",
    "issue",
    "--json",
    "--name",
    "Agent",
    "--scope",
    "content:read",
    "--scope",
    "content:write",
  ];
  const { key } = JSON.parse((await line.run(...words)).out);
  await using served = await serve(line);
  const ask = async (path: string, body?: object) =>
    await fetch(`${served.origin}/api/v1${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const topic = { type: "topic", title: "Patience", body: "Waiting is an indivisible point." };
  const made = await ask("/content", topic);
  assert.equal(made.status, 201, await made.text());
  await until(async () => {
    const { items, isCurrent } = JSON.parse(await (await ask("/content?text=indivisible")).text());
    return isCurrent === true && items.length === 1;
  });
  assert.doesNotMatch(served.output(), /EPERM/);
});

it("exports a static site with preview pictures and smaller pictures there", async () => {
  using line = await openLine();
  const picture = { width: 700, height: 400, channels: 3, background: "#a3341f" } as const;
  line.file("site/red.png", await sharp({ create: picture }).png().toBuffer());
  line.file("site/red.md", "---\nstatus: published\n---\n# Red\n\n![Red](red.png)\n");
  const imported = await line.run("import", join(line.folder, "site"));
  assert.equal(imported.code, 0, imported.out + imported.err);
  const to = join(line.folder, "public");
  const { code, err } = await line.spawn("export", "--static", to, "--for", "nginx");
  assert.equal(code, 0, err);
  assert(globSync(`${to}/**/share/**/*.png`).length > 0, "preview pictures");
  assert(globSync(`${to}/**/*-320.avif`).length > 0, "smaller pictures");
});

it("imports, exports, backs up and restores where an open database cannot be removed", async () => {
  using line = await openLine();
  line.file("pages/patience.md", "# Patience\n\nWaiting.\n");
  const from = join(line.folder, "pages");
  const to = (name: string) => join(line.folder, name);
  for (const words of [
    ["import", from, "--dry-run"],
    ["import", from, "--lenient", "--publish"],
    ["export", to("folder")],
    ["export", to("site.zip")],
    ["import", to("site.zip"), "--dry-run"],
    ["backup", to("backup")],
    ["backup", to("backup.tar")],
    ["restore", to("backup.tar"), "--force", "--dry-run"],
    ["restore", to("backup"), "--force"],
  ]) {
    const { code, err, out } = await line.spawn(...words);
    assert.equal(code, 0, `${words}: ${out}${err}`);
  }
  const left = globSync(`${line.folder}/**/*.lock`).map((file) => basename(file));
  assert.deepEqual(left, ["server.lock"]);
});
