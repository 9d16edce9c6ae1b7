import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { type CommandLine, INHERITED, MAIN, openSiteLine } from "../support/command-line.ts";
import { png } from "../support/media-bytes.ts";
import { until } from "../support/until.ts";

const ABOUT = "---\ntype: page\ntitle: Garden\nlanguage: en\nstatus: published\n---\n\n";
const BODY = "First line.\n\nSecond line.\n\nThird line.\n";

interface SyncedSite extends CommandLine {
  site: string;
  sync(...flags: string[]): Promise<{ code: number | null; out: string; err: string }>;
  read(file: string): string;
  write(file: string, text: string): void;
  /** The item at a path, as the interface shows it. */
  item(path: string): Promise<Record<string, unknown>>;
  change(path: string, patch: object): Promise<void>;
}

/** A site with `/garden`, and a folder that is equal. */
async function openSyncedSite(): Promise<SyncedSite> {
  const line = await openSiteLine();
  const site = join(line.folder, "site");
  const at = (file: string) => join(site, "content", file);
  const sync = (...flags: string[]) => line.run("sync", site, ...flags);
  const item = async (path: string) => {
    const { out } = await line.run("api", "GET", "/content?limit=100");
    const { items } = JSON.parse(out);
    const found = items.find((one: { path: string }) => one.path === path);
    assert(found !== undefined, `no item at ${path}`);
    return JSON.parse((await line.run("api", "GET", `/content/${found.id}`)).out);
  };
  const synced: SyncedSite = {
    ...line,
    site,
    sync,
    item,
    read: (file) => readFileSync(at(file), "utf8"),
    write: (file, text) => writeFileSync(at(file), text),
    async change(path, patch) {
      const { id, revision } = await item(path);
      const match = ["--header", `If-Match: "${revision}"`];
      const data = ["--data", JSON.stringify(patch), ...match];
      const { code, out, err } = await line.run("api", "PATCH", `/content/${id}`, ...data);
      assert.equal(code, 0, out + err);
    },
  };
  mkdirSync(join(site, "content"), { recursive: true });
  synced.write("garden.md", ABOUT + BODY);
  const first = await sync();
  assert.equal(first.code, 0, first.out + first.err);
  return synced;
}

function git(site: string, ...words: string[]): string {
  const identity = ["-c", "user.name=A", "-c", "user.email=a@example.org"];
  return execFileSync("git", [...identity, ...words], { cwd: site, encoding: "utf8" });
}

describe("sync", () => {
  it("makes one changed word one changed line, on either side", async () => {
    using line = await openSyncedSite();
    git(line.site, "init", "-q");
    git(line.site, "add", "-A");
    git(line.site, "commit", "-qm", "All");
    assert.equal(git(line.site, "ls-files", ".commonplace"), "");

    await line.change("/garden", { body: BODY.replace("Second", "Middle") });
    const pulled = await line.sync();
    assert.equal(pulled.code, 0, pulled.err);
    assert.match(pulled.out, /^Changed in the folder: \/garden \(garden\.md\)$/m);
    assert.equal(git(line.site, "diff", "--numstat"), "1\t1\tcontent/garden.md\n");

    line.write("garden.md", line.read("garden.md").replace("Third", "Last"));
    const before = await line.item("/garden");
    const pushed = await line.sync();
    assert.match(pushed.out, /^Changed on the site: \/garden \(garden\.md\): body$/m);
    const after = await line.item("/garden");
    assert.equal(after["body"], "First line.\n\nMiddle line.\n\nLast line.");
    assert.equal(after["revision"], Number(before["revision"]) + 1);
    assert.equal(after["publishedAt"], before["publishedAt"]);
    assert.equal(git(line.site, "diff", "--numstat"), "2\t2\tcontent/garden.md\n");
    const log = await line.run("audit", "list", "--limit", "1", "--json");
    assert.match(log.out, /"actor":"operator".*"action":"content.update"/);
    assert.match((await line.sync()).out, /^7 the same, 0 steps, /);
  });

  it("merges what both sides changed, and leaves the same line to a person", async () => {
    using line = await openSyncedSite();
    line.write("garden.md", line.read("garden.md").replace("First line", "First here"));
    await line.change("/garden", { summary: "Of the site.", body: BODY.replace("Third", "3rd") });
    const merged = await line.sync();
    assert.match(merged.out, /^Merged on both sides: \/garden \(garden\.md\): body$/m);
    const { body, summary } = await line.item("/garden");
    assert.equal(body, "First here.\n\nSecond line.\n\n3rd line.");
    assert.equal(summary, "Of the site.");
    for (const text of ["summary: Of the site.", "First here.", "3rd line."]) {
      assert(line.read("garden.md").split("\n").includes(text), text);
    }

    line.write("garden.md", line.read("garden.md").replace("Second", "Folder's"));
    await line.change("/garden", {
      summary: "Newer.",
      body: "First here.\n\nSite's line.\n\n3rd line.",
    });
    const folderText = line.read("garden.md");
    const conflict = await line.sync();
    assert.equal(conflict.code, 1);
    assert.match(conflict.out, /^Conflict: both sides changed \/garden \(garden\.md\)/m);
    assert.match(conflict.out, /^ {2}body: site .*Site's line.*folder .*Folder's line/m);
    assert.equal(line.read("garden.md"), folderText);
    assert.match(line.read("garden.md.site"), /^Site's line\.$/m);
    assert.equal((await line.item("/garden"))["summary"], "Newer.");
    assert.equal((await line.sync()).code, 1, "a conflict lasts until it is decided");
    const copy = join(line.site, "content/garden.md.site");
    writeFileSync(copy, Buffer.from(`${line.read("garden.md.site")}für`, "latin1"));
    assert.equal((await line.sync()).code, 1, "a copy that cannot be read is there all the same");

    // Deciding about the body takes nothing back that only the site changed.
    rmSync(join(line.site, "content/garden.md.site"));
    const decided = await line.sync();
    assert.equal(decided.code, 0, decided.out);
    const after = await line.item("/garden");
    assert.deepEqual(
      [after["body"], after["summary"]],
      ["First here.\n\nFolder's line.\n\n3rd line.", "Newer."],
    );
    assert.match(line.read("garden.md"), /^summary: Newer\.$/m);
  });

  it("moves an item with its file, and a file with its item", async () => {
    using line = await openSyncedSite();
    renameSync(join(line.site, "content/garden.md"), join(line.site, "content/orchard.md"));
    line.write("orchard.md", line.read("orchard.md").replace("Third", "Last"));
    const moved = await line.sync();
    assert.match(moved.out, /^Changed on the site: \/orchard \(orchard\.md\): body, path$/m);
    assert.deepEqual((await line.item("/orchard"))["formerPaths"], ["/garden"]);
    await line.change("/orchard", { path: "/help/orchard" });
    assert.match((await line.sync()).out, /^Moved in the folder: .* \(help\/orchard\.md\)$/m);
    assert.equal(existsSync(join(line.site, "content/orchard.md")), false);
    assert.match(line.read("help/orchard.md"), /^Last line\.$/m);
  });

  it("names no file or folder as Windows refuses, and takes what is in its place back", async () => {
    using line = await openSyncedSite();
    const paths = ["/con", "/AUX.1", "/lpt1/nul", "/dots./page", "/com\u00b9", "/console"];
    for (const path of paths) {
      const page = { type: "page", title: `At ${path}`, path, body: "Old words." };
      const made = await line.run("api", "POST", "/content", "--data", JSON.stringify(page));
      assert.equal(made.code, 0, made.out + made.err);
    }
    assert.equal((await line.sync()).code, 0);
    const names = readdirSync(join(line.site, "content"));
    const refused = names.filter((name) => /^(?:con|aux|lpt1|com¹)(?:\.|$)|\.$/i.test(name));
    assert.deepEqual(refused, []);
    assert(names.includes("console.md"));
    for (const path of paths.slice(0, -1)) {
      const { id } = await line.item(path);
      const file = `items/${id}.md`;
      line.write(file, line.read(file).replace("Old", "New"));
      await line.change(path, { title: `Still at ${path}` });
    }
    const merged = await line.sync();
    assert.equal(merged.code, 0, merged.out + merged.err);
    for (const path of paths.slice(0, -1)) {
      const { title, body, id } = await line.item(path);
      assert.deepEqual([title, body], [`Still at ${path}`, "New words."]);
      assert.match(line.read(`items/${id}.md`), /^title: Still at /m);
    }
    using other = await openSiteLine();
    const imported = await other.run("import", line.site);
    assert.equal(imported.code, 0, imported.out + imported.err);
    const { out } = await other.run("api", "GET", "/content?limit=100");
    const found = JSON.parse(out).items.map(({ path }: { path: string }) => path);
    for (const path of paths) assert(found.includes(path), path);
  });

  it("keeps a name that a file was given in a conflict", async () => {
    using line = await openSyncedSite();
    line.write("garden.md", line.read("garden.md").replace("Second", "Folder's"));
    await line.change("/garden", { body: BODY.replace("Second", "Site's") });
    assert.equal((await line.sync()).code, 1);
    renameSync(join(line.site, "content/garden.md"), join(line.site, "content/orchard.md"));
    assert.equal((await line.sync()).code, 1);
    assert.equal(existsSync(join(line.site, "content/garden.md.site")), false);
    rmSync(join(line.site, "content/orchard.md.site"));
    assert.equal((await line.sync()).code, 0);
    assert.match(String((await line.item("/orchard"))["body"]), /Folder's line/);
  });

  it("deletes with --prune only, and never what the other side changed since", async () => {
    using line = await openSyncedSite();
    const file = join(line.site, "content/garden.md");
    rmSync(file);
    const kept = await line.sync();
    assert.equal(kept.code, 0);
    assert.match(kept.out, /^garden\.md is gone: --prune deletes \/garden on the site too$/m);
    await line.change("/garden", { summary: "Changed since." });
    assert.match((await line.sync("--prune")).out, /^Brought back in the folder: \/garden/m);
    rmSync(file);
    const trial = await line.sync("--prune", "--dry-run");
    assert.match(trial.out, /^Deleted on the site: \/garden .*\nWould sync: /m);
    await line.item("/garden");
    assert.match((await line.sync("--prune")).out, /^Deleted on the site: \/garden/m);
    await assert.rejects(line.item("/garden"), /no item at/);

    const { id, revision } = await line.item("/imprint");
    const match = ["--header", `If-Match: "${revision}"`];
    assert.equal((await line.run("api", "DELETE", `/content/${id}`, ...match)).code, 0);
    line.write("imprint.md", `${line.read("imprint.md")}\nOne more line.\n`);
    const changed = await line.sync("--prune");
    assert.equal(changed.code, 1);
    assert.match(changed.out, /\/imprint was deleted on the site, but imprint\.md changed since/);
    assert.match(line.read("imprint.md"), /One more line/);

    for (const name of readdirSync(join(line.site, "content"))) {
      rmSync(join(line.site, "content", name), { recursive: true });
    }
    assert.match((await line.sync("--prune")).err, /has no files of items any more/);
    await line.item("/about");
  });

  it("says with --dry-run what it does, and changes nothing", async () => {
    using line = await openSyncedSite();
    line.write("garden.md", line.read("garden.md").replace("First", "1st"));
    line.write("new.md", "---\ntitle: New # or newer\n---\n\nSee [the garden](garden.md).\n");
    await line.change("/about", { summary: "Us." });
    const files = () =>
      readdirSync(line.site, { recursive: true, encoding: "utf8" })
        .filter((name) => name.endsWith(".md") || name.startsWith(".commonplace"))
        .sort();
    writeFileSync(join(line.site, ".commonplace/part-of-another-sync"), "Half");
    const before = [files(), line.read("garden.md"), line.read("about.md")];
    const trial = await line.sync("--dry-run");
    assert.deepEqual([files(), line.read("garden.md"), line.read("about.md")], before);
    assert.equal((await line.item("/garden"))["body"], BODY.trimEnd());
    const run = await line.sync();
    const steps = ({ out }: { out: string }) => out.split("\n").slice(0, -1).sort();
    assert.deepEqual(steps(run), steps(trial));
    assert.match(run.out, /^Not kept in new\.md: the comment "# or newer"$/m);
    const { status, body } = await line.item("/new");
    assert.deepEqual([status, body], ["draft", "See [the garden](/garden)."]);
  });

  it("takes in pictures of a new text, and follows no symbolic link", async () => {
    using line = await openSyncedSite();
    writeFileSync(join(line.site, "content/dot.png"), png(2, 2));
    line.write("new.md", "---\ntitle: New\n---\n\n![A dot](dot.png)\n");
    const outside = join(line.folder, "outside");
    mkdirSync(outside);
    symlinkSync(outside, join(line.site, "content/help"));
    await line.change("/garden", { path: "/help/garden" });
    const { code, out } = await line.sync();
    assert.equal(code, 1);
    assert.match(out, /Cannot write .*help\/garden\.md: .*help is not a folder/);
    assert.deepEqual(readdirSync(outside), []);
    assert.match(String((await line.item("/new"))["body"]), /^!\[A dot\]\(\/media\/.+\.png\)$/);
    assert.match(line.read("new.md"), /\/media\/.+\.png/);
  });

  it("writes nothing through links in its own folder", async () => {
    using line = await openSyncedSite();
    const own = join(line.site, ".commonplace");
    const outside = join(line.folder, "outside");
    for (const name of [".gitignore", "sync.db"]) {
      rmSync(own, { recursive: true });
      mkdirSync(own);
      writeFileSync(outside, "Mine");
      symlinkSync(outside, join(own, name));
      const { code, err } = await line.sync();
      assert.equal(code, 1);
      assert.match(err, /is a symbolic link: remove it/);
      assert.equal(readFileSync(outside, "utf8"), "Mine");
    }
  });

  it("refuses a folder of another site, and leaves what it cannot read", async () => {
    using line = await openSyncedSite();
    using other = await openSiteLine();
    const refused = await other.run("sync", line.site);
    assert.equal(refused.code, 1);
    assert.match(refused.err, /was made for another site/);
    for (const path of [line.site, join(line.site, "content/garden.md")]) {
      const imported = await line.run("import", path);
      assert.match(imported.err, /is kept equal with this site: use sync/);
    }
    assert.equal((await other.run("import", line.site)).code, 0);
    line.write("garden.md", "---\ntitle: Gar");
    line.write("about.md", line.read("about.md").replace("About", "All about"));
    const partly = await line.sync();
    assert.equal(partly.code, 1);
    assert.match(partly.out, /garden\.md:1: the front matter has no end/);
    assert.match(partly.out, /^Changed on the site: \/about/m);
    assert.equal((await line.item("/garden"))["title"], "Garden");
  });

  it("comes to the same end after kills", async () => {
    using line = await openSyncedSite();
    for (let at = 0; at < 60; at += 1) {
      line.write(`new-${at}.md`, `---\ntitle: New ${at}\n---\n\nText ${at}.\n`);
    }
    for (const milliseconds of [700, 900, 1100]) {
      const child = spawn(process.execPath, [MAIN, "sync", line.site], {
        env: { ...INHERITED, ...line.environment },
        stdio: "ignore",
      });
      const closed = once(child, "close");
      await sleep(milliseconds);
      child.kill("SIGKILL");
      await closed;
    }
    assert.equal((await line.sync()).code, 0);
    assert.match((await line.sync()).out, /^67 the same, 0 steps, 0 conflicts/);
  });
});

describe("sync --watch", () => {
  it("follows both sides, waits for half-written files, and ends at Ctrl+C", async () => {
    using line = await openSyncedSite();
    const child = spawn(process.execPath, [MAIN, "sync", line.site, "--watch"], {
      env: { ...INHERITED, ...line.environment },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const closed = once(child, "close");
    let said = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk) => {
        said += String(chunk);
      });
    }
    try {
      await until(() => said.includes("Watching"));
      line.write("garden.md", "---\ntitle: Gar");
      await until(() => said.includes("the front matter has no end"));
      line.write("garden.md", ABOUT + BODY.replace("First", "1st"));
      await until(() => said.includes("Changed on the site: /garden (garden.md): body"));
      const settings = join(line.site, "site.yaml");
      writeFileSync(settings, readFileSync(settings, "utf8").replace(/^name: .*$/m, "name: Seen"));
      await until(() => said.includes("Changed on the site: settings (site.yaml): name"));
      await line.change("/about", { summary: "Watched." });
      await until(() => line.read("about.md").includes("summary: Watched."));
      const second = await line.sync();
      assert.match(second.err, /Another sync uses/);
    } finally {
      child.kill("SIGINT");
    }
    assert.equal((await closed)[0], 0, said);
  });
});
