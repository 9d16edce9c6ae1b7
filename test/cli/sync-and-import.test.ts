import assert from "node:assert/strict";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { type CommandLine, openSiteLine } from "../support/command-line.ts";

const BODIES: Record<string, string> = {
  "/plain": "\nPlain words.\n",
  "/fenced": "```sh\n# not a heading\n```\n\nWords.",
  "/indented": "    code\n\nWords.",
  "/headed": "# At /headed\n\nWords.",
  "/ruled": "---\n\nWords.",
};

async function create(line: CommandLine, values: object): Promise<void> {
  const page = JSON.stringify({ type: "page", status: "published", ...values });
  const { code, out, err } = await line.run("api", "POST", "/content", "--data", page);
  assert.equal(code, 0, out + err);
}

async function itemAt(line: CommandLine, path: string) {
  const { out } = await line.run("api", "GET", "/content?limit=100");
  const { items } = JSON.parse(out);
  const { id } = items.find((one: { path: string }) => one.path === path);
  return JSON.parse((await line.run("api", "GET", `/content/${id}`)).out);
}

async function change(line: CommandLine, path: string, patch: object): Promise<void> {
  const { id, revision } = await itemAt(line, path);
  const data = ["--data", JSON.stringify(patch), "--header", `If-Match: "${revision}"`];
  const { code, out, err } = await line.run("api", "PATCH", `/content/${id}`, ...data);
  assert.equal(code, 0, out + err);
}

describe("a folder that sync wrote", () => {
  it("is the same items to import, in its own site and in another", async () => {
    using line = await openSiteLine();
    const site = join(line.folder, "site");
    for (const [path, body] of Object.entries(BODIES)) {
      await create(line, { path, title: `At ${path}`, body });
    }
    assert.equal((await line.run("sync", site)).code, 0);
    rmSync(join(site, ".commonplace"), { recursive: true });
    const own = await line.run("import", site, "--json");
    assert.equal(own.code, 0, own.out + own.err);
    const { created, updated, unchanged } = JSON.parse(own.out);
    assert.deepEqual([created, updated, unchanged], [0, 0, 11]);

    using other = await openSiteLine();
    const imported = await other.run("import", site);
    assert.equal(imported.code, 0, imported.out + imported.err);
    for (const [path, body] of Object.entries(BODIES)) {
      assert.equal((await itemAt(other, path))["body"], body.replace(/^\n|\n$/g, ""), path);
    }
    assert.match((await other.run("sync", site)).out, /^11 the same, 0 steps, 0 conflicts/m);
  });

  it("keeps the addresses that lead to its items", async () => {
    using line = await openSiteLine();
    const site = join(line.folder, "site");
    const file = join(site, "content/garden.md");
    const read = () => readFileSync(join(site, "content/orchard.md"), "utf8");
    await create(line, { path: "/garden", title: "Garden", redirectFrom: ["/?p=12", "/old.html"] });
    assert.equal((await line.run("sync", site)).code, 0);
    const listed = "redirectFrom:\n  - /?p=12\n  - /old.html\n";
    assert(readFileSync(file, "utf8").includes(listed), readFileSync(file, "utf8"));

    await change(line, "/garden", { path: "/orchard" });
    assert.equal((await line.run("sync", site)).code, 0);
    assert.match(read(), /^redirectFrom:\n {2}- \/\?p=12\n {2}- \/garden\n {2}- \/old.html$/m);

    // An address of a former site can be added and taken away in the file, a former path cannot.
    const edited = read().replace("  - /garden\n", "").replace("/old.html", "/older.html");
    writeFileSync(join(site, "content/orchard.md"), edited);
    const changed = await line.run("sync", site);
    assert.equal(changed.code, 0, changed.out + changed.err);
    assert.match(changed.out, /: \/orchard \(orchard\.md\): redirectFrom$/m);
    const { formerPaths, redirectFrom } = await itemAt(line, "/orchard");
    assert.deepEqual([formerPaths, redirectFrom], [["/garden"], ["/?p=12", "/older.html"]]);
    assert.match(read(), /^ {2}- \/garden\n {2}- \/older.html$/m);
    assert.match((await line.run("sync", site)).out, /^7 the same, 0 steps, 0 conflicts/m);

    writeFileSync(join(site, "content/orchard.md"), read().replace("/older.html", "/about"));
    const refused = await line.run("sync", site);
    assert.equal(refused.code, 1);
    assert.match(refused.out, /Cannot redirect "\/about": it is the path of "About/);

    using other = await openSiteLine();
    writeFileSync(join(site, "content/orchard.md"), read().replace("/about", "/older.html"));
    assert.equal((await other.run("import", site)).code, 0);
    const copied = await itemAt(other, "/orchard");
    assert.deepEqual(copied["redirectFrom"], ["/?p=12", "/garden", "/older.html"]);
  });
});
