import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { type CommandLine, openSiteLine } from "../support/command-line.ts";

const WORDS = "---\n\nWe need the *tonic*: of wildness.\n\n1. one\n2. two";

interface SharedSite extends CommandLine {
  sync(...flags: string[]): Promise<{ code: number | null; out: string }>;
  read(file: string): string;
  write(file: string, text: string): void;
  call(method: string, path: string, body?: object): Promise<Record<string, unknown>>;
  itemAt(path: string): Promise<Record<string, unknown> | undefined>;
}

/** A site whose quotations share files in a folder that is equal. */
async function openSharedSite(): Promise<SharedSite> {
  const line = await openSiteLine();
  const site = join(line.folder, "site");
  const at = (file: string) => join(site, "content", file);
  const call = async (method: string, path: string, body?: object) => {
    const data = body === undefined ? [] : ["--data", JSON.stringify(body)];
    const headers = method === "PATCH" || method === "DELETE" ? ["--header", "If-Match: *"] : [];
    const { code, out, err } = await line.run("api", method, path, ...headers, ...data);
    assert.equal(code, 0, out + err);
    return JSON.parse(out || "null");
  };
  const shared: SharedSite = {
    ...line,
    call,
    sync: (...flags) => line.run("sync", site, ...flags),
    read: (file) => readFileSync(at(file), "utf8"),
    write: (file, text) => writeFileSync(at(file), text),
    async itemAt(path) {
      const { items } = await call("GET", `/content?path=${path}`);
      assert(Array.isArray(items));
      return items[0] === undefined ? undefined : await call("GET", `/content/${items[0].id}`);
    },
  };
  await call("POST", "/content", { type: "author", path: "/authors/ann", title: "Ann" });
  for (const title of ["Wild", "Wise", "Early"]) {
    const relations = { authors: ["/authors/ann"] };
    const path = `/quotations/${title.toLowerCase()}`;
    const dates = { reviewAt: "2030-01-02T03:04:05Z", redirectFrom: [`/old/${title}`] };
    await call("POST", "/content", {
      type: "quotation",
      path,
      title,
      body: WORDS,
      relations,
      ...dates,
    });
  }
  const exported = await line.run("export", "--files", site, "--together", "quotation");
  assert.equal(exported.code, 0, exported.err);
  assert.match((await shared.sync()).out, /^10 the same, 0 steps, 0 conflicts/);
  return shared;
}

describe("sync of items that share a file", () => {
  it("takes over changes of either side, as lines", async () => {
    using site = await openSharedSite();
    const before = site.read("quotations/w.jsonl");
    assert.deepEqual(
      before
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line).path),
      ["/quotations/wild", "/quotations/wise"],
    );
    assert.equal(existsSync(join(site.folder, "site/content/quotations/wild.md")), false);

    site.write("quotations/w.jsonl", before.replace("tonic", "medicine"));
    const pushed = await site.sync();
    assert.match(
      pushed.out,
      /^Changed on the site: \/quotations\/wild \(quotations\/wild\.md\): body$/m,
    );
    assert.equal(
      (await site.itemAt("/quotations/wild"))?.["body"],
      WORDS.replace("tonic", "medicine"),
    );
    assert.equal(site.read("quotations/w.jsonl"), before.replace("tonic", "medicine"));

    const wise = await site.itemAt("/quotations/wise");
    await site.call("PATCH", `/content/${wise?.["id"]}`, { title: "Wiser" });
    await site.call("POST", "/content", {
      type: "quotation",
      path: "/quotations/will",
      title: "Will",
    });
    assert.match((await site.sync()).out, /^Created in the folder: \/quotations\/will /m);
    const [first, second, third] = site.read("quotations/w.jsonl").split("\n");
    assert.equal(first, before.split("\n")[0]?.replace("tonic", "medicine"));
    assert.equal(JSON.parse(second ?? "").path, "/quotations/will");
    assert.equal(third, before.split("\n")[1]?.replace('"Wise"', '"Wiser"'));
    assert.match((await site.sync()).out, /^11 the same, 0 steps, 0 conflicts/);
  });

  it("moves, adds and deletes lines, and leaves conflicts to a person", async () => {
    using site = await openSharedSite();
    const early = await site.itemAt("/quotations/early");
    await site.call("PATCH", `/content/${early?.["id"]}`, { path: "/quotations/old" });
    const added = JSON.stringify({ type: "quotation", path: "/quotations/wit", title: "Wit" });
    const [wild = "", wise = ""] = site.read("quotations/w.jsonl").split("\n");
    site.write("quotations/w.jsonl", `${wild.replace("tonic", "salt")}\n${added}\n`);
    await site.call("PATCH", `/content/${(await site.itemAt("/quotations/wild"))?.["id"]}`, {
      body: WORDS.replace("tonic", "bread"),
    });
    const { code, out } = await site.sync();
    assert.equal(code, 1);
    assert.match(out, /^Conflict: both sides changed \/quotations\/wild/m);
    assert.match(out, /^Created on the site: \/quotations\/wit /m);
    assert.match(out, /--prune deletes \/quotations\/wise on the site too/);
    assert.equal(existsSync(join(site.folder, "site/content/quotations/e.jsonl")), false);
    assert.match(site.read("quotations/o.jsonl"), /"path":"\/quotations\/old"/);
    assert.match(site.read("quotations/w.jsonl"), /salt/);
    assert.match(site.read("quotations/wild.md.site"), /bread/);

    await site.sync("--prune");
    assert.equal(await site.itemAt("/quotations/wise"), undefined);
    site.write("quotations/w.jsonl", `${wise.replace("wise", "xyz")}\nno item\n`);
    const wrong = await site.sync("--prune");
    assert.equal(wrong.code, 1);
    assert.match(wrong.out, /w\.jsonl:1: line 1 belongs into quotations\/x\.jsonl/);
    assert.notEqual(await site.itemAt("/quotations/wit"), undefined);
    await site.call("POST", "/content", {
      type: "quotation",
      path: "/quotations/why",
      title: "Why",
    });
    const unread = site.read("quotations/w.jsonl");
    for (const text of [unread, `${wild}\n${wild}\n`]) {
      site.write("quotations/w.jsonl", text);
      assert.equal((await site.sync("--prune")).code, 1);
      assert.equal(site.read("quotations/w.jsonl"), text);
    }
  });

  it("keeps a path that changes on the site, whether or not a line can have it", async () => {
    using site = await openSharedSite();
    const move = (item: Record<string, unknown> | undefined, path: string) =>
      site.call("PATCH", `/content/${item?.["id"]}`, { path });
    const [wild, wise, early] = [
      await site.itemAt("/quotations/wild"),
      await site.itemAt("/quotations/wise"),
      await site.itemAt("/quotations/early"),
    ];
    await move(wild, "/quotations/Wild_Words");
    assert.equal((await site.sync()).code, 0);
    await move(wild, "/quotations/wilder");
    const long = `/quotations/${"l".repeat(205)}`;
    await move(early, long);
    assert.equal((await site.sync()).code, 0);
    assert.match((await site.sync()).out, /^10 the same, 0 steps/);
    assert.notEqual(await site.itemAt("/quotations/wilder"), undefined);
    assert.notEqual(await site.itemAt(long), undefined);
    assert.match(site.read("quotations/w.jsonl"), /"path":"\/quotations\/wilder"/);
    assert.equal(existsSync(join(site.folder, "site/content/quotations/e.jsonl")), false);
    assert.match(site.read(`items/${early?.["id"]}.md`), /^path: .*l{205}$/m);

    const before = site.read("quotations/w.jsonl");
    await move(wild, "/quotations/spare");
    await move(wise, "/quotations/wilder");
    await move(wild, "/quotations/wise");
    const { code, out } = await site.sync();
    assert.equal(code, 1);
    assert.match(out, /Cannot give the item the path \/quotations\/wise in quotations\/w\.jsonl/);
    assert.equal(site.read("quotations/w.jsonl"), before);
    await move(wild, "/quotations/spare");
    assert.equal((await site.sync()).code, 0);
    await move(wild, "/quotations/wise");
    assert.equal((await site.sync()).code, 0);
    assert.match((await site.sync()).out, /^10 the same, 0 steps/);
    assert.equal((await site.itemAt("/quotations/wise"))?.["title"], "Wild");
    assert.equal((await site.itemAt("/quotations/wilder"))?.["title"], "Wise");
  });

  it("deletes nothing because a shared file cannot be read, and reads long ones", async () => {
    using site = await openSharedSite();
    const text = site.read("quotations/w.jsonl");
    const file = join(site.folder, "site/content/quotations/w.jsonl");
    writeFileSync(file, Buffer.from(text.replace("wildness", "wïldness"), "latin1"));
    const unreadable = await site.sync("--prune");
    assert.equal(unreadable.code, 1, unreadable.out);
    assert.match(unreadable.out, /w\.jsonl:1: is not UTF-8/);
    assert.notEqual(await site.itemAt("/quotations/wild"), undefined);

    const more = ["wa", "wb", "wc", "wd", "we"].map((name) =>
      JSON.stringify({
        type: "quotation",
        path: `/quotations/${name}`,
        title: name,
        body: "Word. ".repeat(150_000),
      }),
    );
    site.write("quotations/w.jsonl", `${text}${more.join("\n")}\n`);
    const long = await site.sync("--prune");
    assert.equal(long.code, 0, long.out);
    assert.match((await site.sync()).out, /^15 the same, 0 steps, 0 conflicts/);
  });
});
