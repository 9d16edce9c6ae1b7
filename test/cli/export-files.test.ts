import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { SYNC_BASE_FOLDER } from "../../src/syncing/sync-base.ts";
import { type CommandLine, openCommandLine } from "../support/command-line.ts";
import { png } from "../support/media-bytes.ts";
import { publicAnswers } from "../support/public-answers.ts";

const FIXTURE = join(import.meta.dirname, "../support/fixture");

async function done(line: CommandLine, ...words: string[]): Promise<string> {
  const { code, out, err } = await line.run(...words);
  assert.equal(code, 0, `${words.join(" ")}: ${out}${err}`);
  return out;
}

async function change(line: CommandLine, method: string, path: string, body?: object) {
  const data = body === undefined ? [] : ["--data", JSON.stringify(body)];
  const headers = method === "PATCH" || method === "DELETE" ? ["--header", "If-Match: *"] : [];
  return JSON.parse((await done(line, "api", method, path, ...headers, ...data)) || "null");
}

async function idAt(line: CommandLine, path: string): Promise<string> {
  const { items } = await change(line, "GET", `/content?path=${path}`);
  return items[0].id;
}

/** A site with media, redirects, a deleted page and a page with many former addresses. */
async function openFilledLine(): Promise<CommandLine> {
  const line = openCommandLine();
  await done(line, "import", FIXTURE);
  const picture = line.file("dot.png", png(2, 3));
  const added = JSON.parse(await done(line, "media", "add", picture, "--alt", "A dot", "--json"));
  const page = { type: "page", status: "published" };
  const body = `![](${added.media[0].path})`;
  for (const [path, title] of [
    ["/shown", "Shown"],
    ["/Shown", "Shown too"],
    ["/deleted", "Deleted"],
    ["/many", "Many"],
  ]) {
    await change(line, "POST", "/content", { ...page, path, title, body });
  }
  await change(line, "DELETE", `/content/${await idAt(line, "/deleted")}`);
  await change(line, "POST", "/redirects", { from: "/elsewhere", to: "https://other.example/" });
  const addresses = Array.from({ length: 120 }, (_, at) => `/old/${at}`);
  const list = addresses.map((from) => `${from},/many\n`).join("");
  await done(line, "import", line.file("redirects.csv", `from,to\n${list}`));
  return line;
}

const UNLISTED = ["/deleted", "/elsewhere", "/old/0", "/old/57", "/old/99", "/old/119"];

/** The public answers without the times of the last changes, which such a folder does not keep. */
async function answersOf(line: CommandLine): Promise<Map<string, string>> {
  const answers = await publicAnswers(line, UNLISTED);
  return new Map([...answers].map(([path, answer]) => [path, answer.slice(0, 3)]));
}

function git(folder: string, ...words: string[]): string {
  const identity = ["-c", "user.name=A", "-c", "user.email=a@example.org"];
  return execFileSync("git", [...identity, ...words], { cwd: folder, encoding: "utf8" });
}

describe("export --files", () => {
  it("writes a folder from which import makes the same site, and which sync keeps", async () => {
    using line = await openFilledLine();
    using other = openCommandLine();
    const folder = join(line.folder, "site");
    for (const together of [[], ["--together", "quotation"]]) {
      await done(line, "export", "--files", folder, ...together);
    }
    assert.equal(existsSync(join(folder, "content/quotations")), true);
    await done(other, "import", folder);
    const before = await answersOf(line);
    assert(before.size > 30);
    assert.deepEqual(await answersOf(other), before);
    const again = JSON.parse(await done(other, "import", folder, "--json"));
    assert.deepEqual([again.created, again.updated, again.failed], [0, 0, 0]);

    await done(line, "export", "--files", folder);
    const synced = await done(line, "sync", folder);
    // The redirects that a file has no room for belong to their item.
    assert.match(synced, /^Changed in the folder: redirects \(redirects\.csv\)$/m);
    assert.match(synced, /^\d+ the same, 1 steps, 0 conflicts/m);
    assert.doesNotMatch(synced, /deleted\.jsonl/);
    const refused = await line.run("export", "--files", folder);
    assert.match(refused.err, /is kept equal with a site by sync: use sync/);
  });

  it("is updated in place: one changed word is one changed line", async () => {
    using line = await openFilledLine();
    const folder = join(line.folder, "site");
    const together = ["--together", "quotation"];
    await done(line, "export", "--files", folder, ...together);
    git(folder, "init", "-q");
    git(folder, "add", "-A");
    git(folder, "commit", "-qm", "All");
    const unchanged = JSON.parse(
      await done(line, "export", "--files", folder, ...together, "--json"),
    );
    assert.deepEqual([unchanged.changed, unchanged.removed], [0, 0]);

    const { items } = await change(line, "GET", "/content?type=quotation&limit=1");
    await change(line, "PATCH", `/content/${items[0].id}`, { summary: "Other words" });
    await change(line, "PATCH", `/content/${await idAt(line, "/shown")}`, { title: "Seen" });
    await change(line, "DELETE", `/content/${await idAt(line, "/many")}`);
    await done(line, "export", "--files", folder, ...together);
    const changes = git(folder, "diff", "--numstat").trim().split("\n").sort();
    assert.deepEqual(changes.filter((one) => one.startsWith("1\t1\t")).length, 2, changes.join());
    assert(changes.includes("1\t1\tcontent/shown.md"));
    assert(changes.some((one) => one.endsWith("content/many.md") && one.startsWith("0\t")));
    assert.match(changes.join("\n"), /^1\t1\tcontent\/quotations\/[a-z]\.jsonl$/m);
    assert.equal(existsSync(join(folder, "content/many.md")), false);
  });

  it("leaves what someone changed in the folder, and what it did not write", async () => {
    using line = await openFilledLine();
    const folder = join(line.folder, "site");
    await done(line, "export", "--files", folder);
    const file = join(folder, "content/shown.md");
    const edited = readFileSync(file, "utf8").replace("title: Shown", "title: Mine");
    writeFileSync(file, edited);
    writeFileSync(join(folder, "README.md"), "Mine");
    await change(line, "PATCH", `/content/${await idAt(line, "/shown")}`, { title: "Seen" });
    for (let run = 0; run < 2; run += 1) {
      const { code, err } = await line.run("export", "--files", folder);
      assert.equal(code, 1);
      assert.match(err, /changed in the folder .* left as they are: content\/shown\.md/);
      assert.equal(readFileSync(file, "utf8"), edited);
    }
    assert.equal(readFileSync(join(folder, "README.md"), "utf8"), "Mine");
    rmSync(file);
    await done(line, "export", "--files", folder);
    assert.match(readFileSync(file, "utf8"), /^title: Seen$/m);

    writeFileSync(join(folder, "content/new.md"), "Mine");
    await change(line, "POST", "/content", { type: "page", title: "New", path: "/new" });
    const { err } = await line.run("export", "--files", folder);
    assert.match(err, /new\.md: something is there that no export wrote/);
    const unknown = await line.run("export", "--files", folder, "--together", "poem");
    assert.match(unknown.err, /There is no content type "poem"; use one of page, /);
  });

  it("says what to do about a list of its files that a merge has damaged", async () => {
    using line = openCommandLine();
    await done(line, "import", FIXTURE);
    const folder = join(line.folder, "site");
    await done(line, "export", "--files", folder);
    const list = join(folder, SYNC_BASE_FOLDER, "written.json");
    const merged = `<<<<<<< HEAD\n${readFileSync(list, "utf8")}=======\n>>>>>>> other\n`;
    for (const damaged of [merged, "", "[]", "null", '{"files":1}']) {
      writeFileSync(list, damaged);
      const { code, err } = await line.run("export", "--files", folder);
      assert.equal(code, 2, err);
      assert.match(err, /written\.json is not a list of exported files: .* Restore an earlier /);
    }
  });
});
