import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { gzipSync } from "node:zlib";
import { openRecordForCommand } from "../../src/app/store.ts";
import { runCommandLine } from "../../src/cli/run.ts";
import { readConfig } from "../../src/config.ts";
import {
  buildStarterPages,
  hasPlaceholderSitePurpose,
} from "../../src/content/site/starter-site.ts";
import { SITE_TEXT_LANGUAGES } from "../../src/texts/site/site-texts.ts";
import { starterTexts } from "../../src/texts/starter/starter-texts.ts";
import { openCommandLine } from "../support/command-line.ts";
import { failDisk } from "../support/failing-disk.ts";

describe("commonplace init FOLDER", () => {
  it("makes a folder with everything the site needs, and its first page public", async () => {
    using line = openCommandLine();
    const folder = join(line.folder, "walden");
    const words = ["--name", "Friends: of Walden", "--address", "https://walden.example/x"];
    const made = await line.run("init", folder, ...words, "--language", "de", "--look", "archive");
    assert.equal(made.code, 0, made.err);
    assert.match(made.out, /npm install\n {2}npm start$/);
    assert.match(
      readFileSync(join(folder, ".env"), "utf8"),
      /^PUBLIC_URL=https:\/\/walden\.example$/m,
    );
    const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    assert.ok("commonplace-server" in manifest.dependencies);
    await using record = await openRecordForCommand(
      readConfig({ ...line.environment, DATA_DIR: join(folder, "data") }),
    );
    const home = await record.content.itemAt("/");
    assert.deepEqual(
      [home?.title, home?.language, home?.status],
      ["Friends: of Walden", "de", "published"],
    );
    assert.equal(
      home?.body.trim(),
      "Das ist die Website von Friends: of Walden. Sie wurde gerade eingerichtet.",
      "for visitors",
    );
    const site = await record.content.site();
    const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
    assert.deepEqual(
      [site?.name, site?.look.name, site?.timeZone],
      ["Friends: of Walden", "archive", timeZone],
    );
    assert(
      site !== null && hasPlaceholderSitePurpose(site),
      "without the name, which editors may change",
    );

    const again = await line.run("init", folder);
    assert.deepEqual(
      [again.code, again.err],
      [1, `error: ${folder} is not empty; name a folder that does not exist yet`],
    );
  });

  it("leaves no half of a site where it fails, so that it can be tried again", async () => {
    using line = openCommandLine();
    const folder = join(line.folder, "walden");
    const refused = await line.run("init", folder, "--name", "W".repeat(101));
    assert.deepEqual(
      [refused.code, refused.err],
      [2, "error: The name is longer than 100 characters"],
    );
    let step = 1;
    for (; ; step += 4) {
      using disk = await failDisk({ step, code: "ENOSPC", isLast: false });
      const { code, err } = await line.run("init", folder);
      if (disk.steps < step) break;
      assert.deepEqual([code, /the disk is full|ENOSPC/.test(err)], [1, true], `${step}: ${err}`);
      assert(!existsSync(folder), `step ${step}`);
    }
    assert(step > 20 && existsSync(join(folder, "data/commonplace.db")), `${step}`);
  });

  it("listens at the port of an address that no proxy stands in front of", async () => {
    using line = openCommandLine();
    const settings = async (name: string, address: string) => {
      const folder = join(line.folder, name);
      assert.equal((await line.run("init", folder, "--address", address)).code, 0);
      return readFileSync(join(folder, ".env"), "utf8").match(/^(?:PUBLIC_URL|PORT)=.*$/gm);
    };
    assert.deepEqual(await settings("own", "http://127.0.0.1:4410"), [
      "PUBLIC_URL=http://127.0.0.1:4410",
      "PORT=4410",
    ]);
    assert.deepEqual(await settings("public", "https://walden.example:8443"), [
      "PUBLIC_URL=https://walden.example:8443",
    ]);
  });

  it("writes the first pages in the language of the site", async () => {
    using line = openCommandLine();
    assert.equal((await line.run("init", "--language", "he-IL")).code, 0);
    await using record = await openRecordForCommand(readConfig(line.environment));
    const { privacy } = starterTexts("he");
    const made = await record.content.itemAt("/privacy");
    assert.deepEqual([made?.title, made?.language], [privacy.title, "he-IL"]);
    for (const language of SITE_TEXT_LANGUAGES) {
      assert.equal(starterTexts(language).language, language);
      const pages = buildStarterPages(language);
      const links = pages.flatMap(({ body }) => [...body.matchAll(/\]\((\/[^)]*)\)/g)]);
      const missing = links.filter(([, to]) => !pages.some(({ path }) => path === to));
      assert.deepEqual(missing, [], "the pages link to each other");
    }
  });

  it("asks nothing more on a terminal once the five questions are answered, and hides the site", async () => {
    using line = openCommandLine();
    const five = ["--name", "Ours", "--address", "https://ours.example", "--language", "en"];
    const init = async (name: string, ...more: string[]) => {
      const out: string[] = [];
      const folder = join(line.folder, name);
      const terminal = {
        out: (text: string) => out.push(text),
        err: (text: string) => out.push(text),
        write: async () => {},
        isInteractive: true,
      };
      const words = ["init", folder, ...five, "--look", "classic", ...more];
      assert.equal(
        await runCommandLine(words, { environment: line.environment, terminal }),
        0,
        out.join(),
      );
      return out.join("\n");
    };
    assert.match(await init("hidden", "--no-demo"), /opens soon, until you open it at \/admin$/);
    assert.match(await init("shown", "--no-demo", "--no-hidden"), /npm start$/);
    assert.match(await init("demo", "--demo"), /npm start$/);
  });

  it("keeps a site hidden that is to be opened later", async () => {
    using line = openCommandLine();
    const isHidden = async (dataDir: string) => {
      const environment = { ...line.environment, DATA_DIR: dataDir };
      await using record = await openRecordForCommand(readConfig(environment));
      return (await record.content.site())?.hidden;
    };
    const folder = join(line.folder, "walden");
    assert.equal((await line.run("init", folder, "--hidden")).code, 0);
    assert.equal(await isHidden(join(folder, "data")), true);
    const demo = await line.run("init", join(line.folder, "demo"), "--hidden", "--demo");
    assert.match(demo.err, /The demo is shown at once/);
    assert.equal((await line.run("init", "--hidden")).code, 0);
    assert.equal(await isHidden(readConfig(line.environment).dataDir), true);
  });

  it("makes nothing of an address or a language that is none", async () => {
    using line = openCommandLine();
    const folder = join(line.folder, "walden");
    const unused = await line.run("init", "--name", "Our quotations");
    assert.equal(unused.code, 2);
    assert.match(
      unused.err,
      /^error: --name needs a folder, as in "commonplace init my-site --name"/,
    );
    const address = await line.run("init", folder, "--address", "nowhere");
    assert.match(address.err, /"nowhere" is not an address/);
    const language = await line.run("init", folder, "--language", "German language");
    assert.match(language.err, /is not a language, such as en or pt-BR/);
    assert.equal((await line.run("init", folder)).code, 0);
  });

  it("takes in compressed JSON lines, and says when they are damaged", async () => {
    using line = openCommandLine();
    const packed = gzipSync('{"type":"topic","title":"A","slug":"a"}\n');
    const good = await line.run("import", line.file("a.jsonl.gz", packed));
    assert.match(good.out, /^1 created/m);
    const damaged = await line.run("import", line.file("b.jsonl.gz", packed.subarray(0, 20)));
    assert.match(damaged.err, /^error: Cannot read .*b\.jsonl\.gz: it is damaged, or not packed/);
  });
});
