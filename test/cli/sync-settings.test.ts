import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { type CommandLine, openSiteLine } from "../support/command-line.ts";

const EVENT_TYPE = "name: fair\nplural: fairs\nlabel: Fair\nlistPath: /fairs\nfields: {}\n";

interface SyncedSettings extends CommandLine {
  sync(...flags: string[]): Promise<{ code: number | null; out: string; err: string }>;
  read(file: string): string;
  write(file: string, text: string | Buffer): void;
  remove(file: string): void;
  has(file: string): boolean;
  get(path: string): Promise<ReturnType<typeof JSON.parse>>;
  send(method: string, path: string, data: object): Promise<void>;
  setting(patch: object): Promise<void>;
}

/** A site with `/garden`, and a folder that is equal. */
async function openSynced(): Promise<SyncedSettings> {
  const line = await openSiteLine();
  const site = join(line.folder, "site");
  const at = (file: string) => join(site, file);
  const get = async (path: string) => {
    const { code, out, err } = await line.run("api", "GET", path);
    assert.equal(code, 0, out + err);
    return JSON.parse(out);
  };
  const send = async (method: string, path: string, data: object, ...more: string[]) => {
    const words = ["--data", JSON.stringify(data), ...more];
    const { code, out, err } = await line.run("api", method, path, ...words);
    assert.equal(code, 0, out + err);
  };
  mkdirSync(at("content"), { recursive: true });
  writeFileSync(at("content/garden.md"), "---\ntitle: Garden\nstatus: published\n---\n\nText.\n");
  const first = await line.run("sync", site);
  assert.equal(first.code, 0, first.out + first.err);
  return {
    ...line,
    sync: (...flags) => line.run("sync", site, ...flags),
    read: (file) => readFileSync(at(file), "utf8"),
    write(file, text) {
      mkdirSync(join(at(file), ".."), { recursive: true });
      writeFileSync(at(file), text);
    },
    remove: (file) => rmSync(at(file)),
    has: (file) => existsSync(at(file)),
    get,
    send,
    setting: (patch) => send("PATCH", "/settings", patch, "--header", "If-Match: *"),
  };
}

describe("sync of settings", () => {
  it("takes over what either side changed, and keeps comments of a file that only the folder changed", async () => {
    using line = await openSynced();
    const before = line.read("site.yaml");
    line.write("site.yaml", `# Ours\n${before.replace(/^name: .*$/m, "name: The Gardeners")}`);
    const taken = await line.sync();
    assert.equal(taken.code, 0, taken.out + taken.err);
    assert.match(taken.out, /Changed on the site: settings \(site\.yaml\): name/);
    assert.equal((await line.get("/settings")).name, "The Gardeners");
    assert.match(line.read("site.yaml"), /^# Ours$/m);
    await line.setting({ description: "Said at the desk" });
    line.write("site.yaml", line.read("site.yaml").replace(/^name: .*$/m, "name: Gardeners"));
    const merged = await line.sync();
    assert.equal(merged.code, 0, merged.out + merged.err);
    const settings = await line.get("/settings");
    assert.deepEqual([settings.name, settings.description], ["Gardeners", "Said at the desk"]);
    assert.match(line.read("site.yaml"), /Said at the desk/);
    assert.match(merged.out, /Not kept in site\.yaml: the comment "# Ours"/);
    assert.match((await line.sync()).out, / 0 steps, 0 conflicts, .* 0 failed/);
  });

  it("leaves a setting that both changed to a person", async () => {
    using line = await openSynced();
    const before = line.read("site.yaml");
    await line.setting({ name: "From the desk", description: "Of the desk" });
    line.write("site.yaml", before.replace(/^name: .*$/m, "name: From the folder"));
    const found = await line.sync();
    assert.equal(found.code, 1);
    assert.match(found.out, /name: site "From the desk", folder "From the folder"/);
    assert.equal((await line.get("/settings")).name, "From the desk");
    assert.match(line.read("site.yaml"), /From the folder/);
    assert.match(line.read("site.yaml.site"), /From the desk/);
    assert.equal((await line.sync()).code, 1);
    line.remove("site.yaml.site");
    const resolved = await line.sync();
    assert.equal(resolved.code, 0, resolved.out + resolved.err);
    const settings = await line.get("/settings");
    assert.deepEqual([settings.name, settings.description], ["From the folder", "Of the desk"]);
    assert.match(line.read("site.yaml"), /Of the desk/);
  });

  it("does not ask again what was decided while another setting is undecided", async () => {
    using line = await openSynced();
    const setting = (name: string, value: string) => {
      const text = line.read("site.yaml").replace(new RegExp(`^${name}: .*$`, "m"), "");
      line.write("site.yaml", `${text.trimEnd()}\n${name}: ${value}\n`);
    };
    await line.setting({ name: "From the desk" });
    setting("name", "From the folder");
    assert.equal((await line.sync()).code, 1);
    line.remove("site.yaml.site");
    await line.setting({ timeZone: "Europe/Berlin" });
    setting("timeZone", "Europe/Paris");
    for (let time = 0; time < 2; time += 1) {
      const { code, out } = await line.sync();
      assert.equal(code, 1);
      assert.match(out, /^ {2}timeZone: site "Europe\/Berlin", folder "Europe\/Paris"$/m);
      assert.doesNotMatch(out, /^ {2}name: /m);
    }
  });

  it("takes in a new type before its items, and removes a type with --prune only", async () => {
    using line = await openSynced();
    line.write("types/fair.yml", EVENT_TYPE);
    line.write("content/fairs/may.md", "---\ntype: fair\ntitle: May fair\n---\n\nText.\n");
    const dry = await line.sync("--dry-run");
    assert.match(dry.out, /Changed on the site: settings \(site\.yaml\): types\.fair/);
    assert.match(dry.out, /Created on the site: \/fairs\/may/);
    const taken = await line.sync();
    assert.equal(taken.code, 0, taken.out + taken.err);
    assert(line.has("types/fair.yaml") && !line.has("types/fair.yml"), taken.out);
    line.remove("types/fair.yaml");
    line.write("site.yaml", line.read("site.yaml").replace(/^name: .*$/m, "name: Fairgrounds"));
    const pending = await line.sync();
    assert.match(pending.out, /Changed on the site: settings \(site\.yaml\): name$/m);
    assert.match(pending.out, /--prune deletes types\.fair on the site too/);
    assert(!line.has("types/fair.yaml"), pending.out);
    const refused = await line.sync("--prune");
    assert.equal(refused.code, 1);
    assert.match(refused.out, /Cannot drop the content type fair/);
    const types = await line.get("/settings/types");
    assert(JSON.stringify(types).includes("fair"), JSON.stringify(types));
  });

  it("takes in a file that was changed while a field of its type was removed", async () => {
    using line = await openSynced();
    const withMood = EVENT_TYPE.replace("{}", "{ mood: { kind: text, label: Mood } }");
    line.write("types/fair.yaml", withMood);
    const fair = "---\ntype: fair\ntitle: Spring fair\nmood: good\n---\n\nPlants.\n";
    line.write("content/fairs/spring.md", fair);
    assert.equal((await line.sync()).code, 0);
    line.write("types/fair.yaml", EVENT_TYPE);
    const written = line.read("content/fairs/spring.md");
    line.write("content/fairs/spring.md", written.replace("mood: good\n", ""));
    const { code, out } = await line.sync();
    assert.equal(code, 0, out);
    assert.match((await line.sync()).out, / 0 steps, 0 conflicts, .* 0 failed/);
  });

  it("keeps style rules in theme.css, also those that site.yaml states", async () => {
    using line = await openSynced();
    const css = async () => (await line.get("/settings")).look.css;
    line.write("theme.css", "/* Ours */\r\na { color: red }\r\n");
    const taken = await line.sync();
    assert.equal(taken.code, 0, taken.out + taken.err);
    assert.equal(await css(), "/* Ours */\na { color: red }\n");
    assert.match(taken.out, /Changed on the site: settings \(site\.yaml\): look\.css$/m);
    line.remove("theme.css");
    const gone = await line.sync();
    assert.match(gone.out, /--prune deletes look\.css on the site too/);
    assert.equal(await css(), "/* Ours */\na { color: red }\n");
    line.write("theme.css", "a { color: red }\n");
    line.remove("site.yaml");
    assert.equal((await line.sync()).code, 0);
    assert.equal(await css(), "a { color: red }\n");
    assert.doesNotMatch(line.read("site.yaml"), /css/);
    await line.setting({ look: { css: null } });
    assert.equal((await line.sync()).code, 0);
    assert.equal(line.read("theme.css"), "");
    line.write("site.yaml", line.read("site.yaml").replace(/^look:$/m, "look:\n  css: b {}"));
    assert.equal((await line.sync()).code, 0);
    assert.equal(await css(), "b {}");
    assert.equal(line.read("theme.css"), "b {}");
    assert.doesNotMatch(line.read("site.yaml"), /css/);
    assert.match((await line.sync()).out, / 0 steps, 0 conflicts, .* 0 failed/);
    line.write("theme.css", "b {}\n@import 'c';\n");
    const wrong = await line.sync();
    assert.equal(wrong.code, 1);
    assert.match(wrong.out, /theme\.css:2: @import is not allowed/);
  });

  it("says where a file is wrong, and changes neither side", async () => {
    using line = await openSynced();
    line.write("types/latin.yaml", Buffer.from("name: caf\xe9\n", "latin1"));
    const unread = await line.sync();
    assert.equal(unread.code, 1);
    assert.match(unread.out, /types\/latin\.yaml:1: cannot be read as a text in UTF-8/);
    line.remove("types/latin.yaml");
    const wrong = line.read("site.yaml").replace(/^name: .*$/m, "name: 7");
    line.write("site.yaml", wrong);
    const { code, out } = await line.sync();
    assert.equal(code, 1);
    assert.match(out, /site\.yaml:\d+: name: /);
    assert.equal(line.read("site.yaml"), wrong);
  });
});

describe("sync of redirects", () => {
  const OTHER = "https://other.example/";

  it("takes over lines that either side added, changed or removed", async () => {
    using line = await openSynced();
    line.write("redirects.csv", `from,to\n/one,${OTHER}1\n/two,${OTHER}2\n/three,${OTHER}3\n`);
    const added = await line.sync();
    assert.equal(added.code, 0, added.out + added.err);
    await line.send("POST", "/redirects", { from: "/desk", to: `${OTHER}desk` });
    line.write("redirects.csv", `from,to\n/one,${OTHER}new\n/three,${OTHER}3\n`);
    const changed = await line.sync();
    assert.equal(changed.code, 0, changed.out + changed.err);
    const list = await line.get("/redirects?limit=100");
    const pairs = list.items.map(
      ({ from, to }: { from: string; to: { url: string } }) => `${from} ${to.url}`,
    );
    assert.deepEqual(pairs.sort(), [`/desk ${OTHER}desk`, `/one ${OTHER}new`, `/three ${OTHER}3`]);
    const written = line.read("redirects.csv");
    for (const row of [`/desk,${OTHER}desk`, `/one,${OTHER}new`, `/three,${OTHER}3`])
      assert(written.includes(row), written);
    assert(!written.includes("/two"), written);
  });

  it("takes over addresses that are gone", async () => {
    using line = await openSynced();
    line.write("redirects.csv", `from,to,status\n/one,,410\n/two,${OTHER}2,\n`);
    assert.equal((await line.sync()).code, 0);
    const list = await line.get("/redirects?limit=100");
    assert.deepEqual(
      list.items.map(({ to }: { to: { url: string } | null }) => to?.url ?? null),
      [null, `${OTHER}2`],
    );
    await line.send("POST", "/redirects", { from: "/desk", to: null });
    line.write("redirects.csv", `from,to,status\n/one,${OTHER}1,\n/two,,410\n`);
    const changed = await line.sync();
    assert.equal(changed.code, 0, changed.out + changed.err);
    const written = `from,to,status\n/desk,,410\n/one,${OTHER}1,\n/two,,410\n`;
    assert.equal(line.read("redirects.csv"), written);
    assert.match((await line.sync()).out, /0 steps/);
  });

  it("hands a line that leads to an item to the item", async () => {
    using line = await openSynced();
    line.write("redirects.csv", `from,to\n/old,/garden\n/one,${OTHER}\n`);
    const { code, out, err } = await line.sync();
    assert.equal(code, 0, out + err);
    assert.equal(line.read("redirects.csv"), `from,to\n/one,${OTHER}\n`);
    const { items } = await line.get("/redirects?limit=100");
    assert.deepEqual(items.map(({ from }: { from: string }) => from).sort(), ["/old", "/one"]);
    assert.match((await line.sync()).out, /0 steps/);
  });

  it("names a line that the site refuses, and keeps it and what it had", async () => {
    using line = await openSynced();
    line.write("redirects.csv", `from,to\n/one,${OTHER}\n`);
    assert.equal((await line.sync()).code, 0);
    const text = "from,to\n/one,/one\n/garden,https://other.example/x\n";
    line.write("redirects.csv", text);
    const { code, out } = await line.sync();
    assert.equal(code, 1);
    assert.match(out, /the redirect from \/one: /);
    assert.match(out, /the redirect from \/garden: the page "Garden" is there/);
    assert.equal(line.read("redirects.csv"), text);
    const { items } = await line.get("/redirects?limit=100");
    assert.deepEqual(
      items.map(({ to }: { to: { url: string } }) => to.url),
      [OTHER],
    );
  });

  it("removes none because the list is gone", async () => {
    using line = await openSynced();
    line.write("redirects.csv", `from,to\n/one,${OTHER}\n`);
    assert.equal((await line.sync()).code, 0);
    line.remove("redirects.csv");
    const { out } = await line.sync();
    assert.match(out, /redirects\.csv is gone: --prune deletes \/one on the site too/);
    assert.equal((await line.get("/redirects?limit=100")).items.length, 1);
    assert.equal((await line.sync("--prune")).code, 0);
    assert.equal((await line.get("/redirects?limit=100")).items.length, 0);
  });
});
