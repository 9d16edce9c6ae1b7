import assert from "node:assert/strict";
import {
  createReadStream,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { parseArgs } from "node:util";
import { parseRequestTarget } from "../src/http/exchange.ts";
import { openJobFolder } from "../src/storage/jobs/job-folder.ts";
import { openMediaFolder } from "../src/storage/media/media-folder.ts";
import { recordFilesInFolder } from "../src/storage/moving/folder-files.ts";
import { openApiClient } from "./support/api-client.ts";
import { openCommandLine } from "./support/command-line.ts";
import { dice } from "./support/dice.ts";
import { type WatchedFiles, watchFiles } from "./support/watched-files.ts";

/** `node test/hostile-paths.test.ts --values 100000 --seed 7` tries more of them, and others. */
const { values: asked } = parseArgs({
  options: {
    values: { type: "string", default: "150" },
    seed: { type: "string", default: "1" },
  },
});
const COUNT = Number(asked.values);
const TYPES_AT_A_TIME = 20;
const SITE = readFileSync(join(import.meta.dirname, "support/fixture/site.yaml"));
const PROJECT = join(import.meta.dirname, "..");
const PACKAGES = realpathSync(join(PROJECT, "node_modules"));

const PARTS = [
  ..."/ \\ . .. ../ ..\\ ../../../../../../ / // /etc/passwd /tmp/outside C: C:\\ \\\\host\\x ~ ~/ %2e%2e%2f".split(
    " ",
  ),
  ..."%2e%2e/ ..%2f ..%5c %00 %c0%ae%c0%ae/ ‥/ ．．/ ．．／ ․․/ con nul aux.txt .git .ssh/id x a-b".split(
    " ",
  ),
  ..."media jobs receiving .jsonl .png site.yaml link link/passwd ... ;ls $(id) `id` | * ? [a]".split(
    " ",
  ),
  ...[
    "\u0000",
    "\n",
    "\r\n",
    " ",
    "\t",
    "\u202e",
    "é",
    "e\u0301",
    "a".repeat(300),
    "b/".repeat(2100),
  ],
];

function hostileValues(count: number, seed: number): string[] {
  const roll = dice(seed * 7919 + 1);
  return Array.from({ length: count }, () =>
    Array.from({ length: 1 + roll(4) }, () => PARTS[roll(PARTS.length)] ?? "").join(""),
  );
}

const SEED = Number(asked.seed);

it("sees every way in which a file is opened", async () => {
  using line = openCommandLine();
  const outside = line.file("outside", "x");
  using files = watchFiles([PROJECT]);
  readFileSync(outside);
  await read(createReadStream(outside));
  await using _file = await open(outside);
  for (const call of ["readFileSync", "createReadStream", "open"]) {
    assert(files.outside.includes(`${call} ${JSON.stringify(outside)}`), call);
  }
});

describe("hostile names", () => {
  it("lead nowhere from a declared type to an exported file", async () => {
    const values = hostileValues(Math.ceil(COUNT / 5), SEED).map(printable);
    for (let at = 0; at < values.length; at += TYPES_AT_A_TIME) {
      // A folder for each group: in one, each export would write the items of all groups before it again.
      using line = openCommandLine();
      using files = watchFiles([line.folder, PROJECT, PACKAGES]);
      line.file("site/site.yaml", SITE);
      values.slice(at, at + TYPES_AT_A_TIME).forEach((value, index) => {
        const type = {
          name: `t${index}`,
          label: "T",
          plural: value,
          ...listed(index),
        };
        line.file(`site/types/t${index}.yaml`, JSON.stringify(type));
        const item = { type: `t${index}`, title: value, status: "published" };
        line.file(`site/content/t${index}.jsonl`, JSON.stringify(item));
      });
      const imported = await line.run("import", join(line.folder, "site"), "--lenient");
      assert(imported.code !== 2, imported.err);
      const exported = await line.run("export", join(line.folder, "out"));
      assert.equal(exported.code, 0, exported.err);
      nothingOutside(files);
    }
  });

  it("of types are refused or made harmless at the interface", async () => {
    await using api = await openApiClient();
    for (const value of hostileValues(Math.ceil(COUNT / 10), SEED + 1)) {
      const { status, body } = await api.request("GET", "/settings/types");
      assert.equal(status, 200);
      const type = { name: value, label: "T", plural: "T", ...listed(0) };
      const reply = await api.request("PUT", "/settings/types", {
        body: { types: [...body.types, type] },
        headers: { "If-Match": "*" },
      });
      assert.equal(reply.status, /^[a-z][a-z0-9_]{0,39}$/.test(value) ? 200 : 400, reply.text);
      if (reply.status === 200) await api.request("PUT", "/settings/types", { body, headers: ANY });
    }
  });

  it("lead nowhere from the addresses of files and jobs", async () => {
    await using api = await openApiClient();
    using files = watchFiles([api.app.dataDir, PROJECT, PACKAGES]);
    for (const value of hostileValues(COUNT, SEED + 2)) {
      for (const name of [value, encodeURIComponent(value)]) {
        for (const path of [
          `/media/${name}`,
          `/api/v1/media/${name}`,
          `/api/v1/jobs/${name}/result`,
        ]) {
          // The listener refuses what is no path before any handler sees it.
          if (parseRequestTarget(path) === null) continue;
          const headers = { Authorization: `Bearer ${api.key}` };
          assert((await api.app.get(path, headers)).status < 500, path);
        }
      }
    }
    nothingOutside(files);
  });

  it("of uploaded files lead nowhere", async () => {
    await using api = await openApiClient();
    using files = watchFiles([api.app.dataDir, PROJECT, PACKAGES]);
    for (const value of hostileValues(Math.ceil(COUNT / 3), SEED + 3)) {
      const query = new URLSearchParams({ name: value });
      const said = `attachment; filename*=utf-8''${encodeURIComponent(value).slice(0, 1900)}`;
      const form = new FormData();
      form.append("file", new File(["No picture"], value));
      const sent = new Response(form);
      const type = sent.headers.get("content-type") ?? "";
      for (const [path, body, headers] of [
        [`/media?${query}`, "No picture", {}],
        ["/media", "No picture", { "Content-Disposition": said }],
        ["/media", await sent.bytes(), { "Content-Type": type }],
      ] as const) {
        const { status } = await api.request("POST", path, { body, headers });
        assert(status >= 400 && status < 500, `${status} for ${JSON.stringify(value)}`);
      }
    }
    nothingOutside(files);
  });

  it("lead nowhere from a text or a description to a file to import", async () => {
    using line = openCommandLine();
    using files = watchFiles([line.folder, PROJECT, PACKAGES]);
    const values = hostileValues(COUNT, SEED + 4).map((value) => value.replaceAll(/[\r\n]/g, ""));
    const links = values.map((value) => `![x](<${value.replaceAll(/[<>]/g, "")}>)\n`);
    line.file("site/site.yaml", SITE);
    line.file(
      "site/content/index.md",
      `---\ntitle: Home\n---\n\n${links.slice(0, 2000).join("\n")}`,
    );
    line.file(
      "site/media.jsonl",
      values.map((file) => JSON.stringify({ file, name: "x", alt: "", credit: "" })).join("\n"),
    );
    line.file("site/media/pixel.png", "No picture");
    symlinkSync("/etc", join(line.folder, "site/media/link"));
    symlinkSync("/etc", join(line.folder, "site/content/link"));
    symlinkSync("/etc/passwd", join(line.folder, "site/media/passwd.png"));
    symlinkSync("/etc/passwd", join(line.folder, "site/content/passwd.md"));
    await line.run("import", join(line.folder, "site"), "--lenient");
    nothingOutside(files);
  });

  it("are refused by every folder of files, which follow no symbolic links", async () => {
    using line = openCommandLine();
    const data = join(line.folder, "data");
    const media = openMediaFolder(join(data, "media"));
    const jobs = openJobFolder(join(data, "jobs"));
    const moved = recordFilesInFolder(data);
    using files = watchFiles([data, PROJECT, PACKAGES]);
    const values = hostileValues(COUNT, SEED + 5);
    for (const value of values) {
      const attempts = [
        media.find(value),
        media.remove(value),
        media.adopt(value, bytesOf("x")),
        read(jobs.readInput(value)),
        jobs.openResult(value),
        jobs.removeInput(`${value}/../../x`),
        jobs.writeResult(`../${value}`, bytesOf("x")),
        moved.find(value),
        moved.write(`${value}/../../../x`, bytesOf("x")),
      ];
      await Promise.allSettled(attempts.map(async (attempt) => await attempt));
    }
    const id = "0".repeat(32);
    symlinkSync("/etc/passwd", join(data, "media", `${id}.png`));
    assert.equal(await media.find(`${id}.png`), null);
    symlinkSync("/etc/passwd", join(data, "jobs", "a.result.zip"));
    assert.equal(await jobs.openResult("a"), null);
    symlinkSync("/etc/passwd", join(data, "jobs", "a.jsonl"));
    await assert.rejects(read(jobs.readInput("a")));
    nothingOutside(files);
  });

  it("of exports are not followed where they are symbolic links", async () => {
    using line = openCommandLine();
    await line.run("import", line.file("one.jsonl", '{"type":"topic","title":"One"}'));
    const outside = join(line.folder, "outside");
    mkdirSync(outside);
    writeFileSync(join(outside, "kept"), "kept");
    symlinkSync(join(outside, "kept"), join(line.folder, "all.jsonl.part"));
    assert.equal((await line.run("export", join(line.folder, "all.jsonl"))).code, 0);
    mkdirSync(join(line.folder, "empty"));
    symlinkSync(join(line.folder, "empty"), join(line.folder, "site"));
    const exported = await line.run("export", join(line.folder, "site"));
    assert.match(exported.err, /something is there already/);
    assert.deepEqual(readdirSync(join(line.folder, "empty")), []);
    assert.deepEqual(readdirSync(outside), ["kept"]);
  });
});

const ANY = { "If-Match": "*" };

function listed(index: number): object {
  return { description: "Things", listPath: `/list-${index}`, schemaOrg: "CreativeWork" };
}

function nothingOutside({ outside }: WatchedFiles): void {
  assert.deepEqual(outside, []);
}

/** What a label may hold. */
function printable(value: string): string {
  return value.replaceAll(/\p{Cc}/gu, "").slice(0, 80) || "..";
}

async function read(bytes: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _piece of bytes) {
    // Reading opens the file.
  }
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
