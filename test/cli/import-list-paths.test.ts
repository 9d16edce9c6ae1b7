import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { openApp } from "../../src/app.ts";
import { readConfig } from "../../src/config.ts";
import { createLog } from "../../src/log.ts";
import { type CommandLine, openCommandLine } from "../support/command-line.ts";
import { sendTo } from "../support/send-to.ts";

const SITE =
  "name: A\nlanguage: en\nlanguages: [de]\ndescription: A\nwhenToUse: [A]\ncontact: { email: a@example.org }\n";

const DATED =
  "dated: { by: date }\nfields:\n  date: { kind: date, label: Date, filter: true, sort: true }\n";

function writeType(line: CommandLine, listPath: string | null, more = DATED): void {
  const names = "name: project\nlabel: Project\nplural: Projects\n";
  line.file("site/types/project.yaml", `${names}listPath: ${listPath}\n${more}`);
}

/** A site folder with a type at `/projects`, imported and published. */
async function importedFolder(line: CommandLine, more = DATED): Promise<string> {
  const folder = line.file("site/site.yaml", SITE).replace("/site.yaml", "");
  writeType(line, "/projects", more);
  const item = (more: string) => `---\ntype: project\ntitle: One\n${more}---\n\nText.\n`;
  line.file("site/content/one.md", item("slug: one\n"));
  line.file("site/content/eins.md", item("path: /de/projects/eins\nlanguage: de\n"));
  line.file("site/content/elsewhere.md", item("path: /2024/one\n"));
  const { code, out, err } = await line.run("import", "--publish", folder);
  assert.equal(code, 0, out + err);
  return folder;
}

/** The status of each path, and where it leads. */
async function answers(line: CommandLine, ...paths: string[]): Promise<string[]> {
  await using app = await openApp(readConfig(line.environment), { log: createLog("silent") });
  return await Promise.all(
    paths.map(async (path) => {
      const { status, headers } = await sendTo(app.http, path);
      const to = headers.get("location")?.replace(/^https?:\/\/[^/]+/, "");
      return to === undefined ? `${status}` : `${status} ${to}`;
    }),
  );
}

describe("another list path of a type", () => {
  it("moves the items below the former one, and leaves redirects", async () => {
    using line = openCommandLine();
    const folder = await importedFolder(line);
    writeType(line, "/vorhaben");
    const tried = await line.run("import", "--dry-run", folder);
    assert.match(tried.out, /Projects move from \/projects to \/vorhaben/);
    assert.deepEqual(await answers(line, "/projects/one", "/vorhaben/one"), ["200", "404"]);
    const done = await line.run("import", folder);
    assert.match(done.out, /0 created, 0 updated, 3 unchanged, 0 failed/);
    assert.deepEqual(
      await answers(
        line,
        ...["/vorhaben", "/vorhaben/one", "/de/vorhaben/eins", "/2024/one"],
        ...["/projects", "/projects/one", "/projects/feed.atom"],
        ...["/de/projects", "/de/projects/eins"],
      ),
      [
        ...["200", "200", "200", "200"],
        ...["308 /vorhaben", "308 /vorhaben/one", "308 /vorhaben/feed.atom"],
        ...["308 /de/vorhaben", "308 /de/vorhaben/eins"],
      ],
    );
    const again = await line.run("import", folder);
    assert.match(again.out, /0 created, 0 updated, 3 unchanged, 0 failed/);
    assert.doesNotMatch(again.out, /move from/);
  });

  it("can be taken back, also by way of a third", async () => {
    using line = openCommandLine();
    const folder = await importedFolder(line);
    for (const listPath of ["/vorhaben", "/plans", "/projects"]) {
      writeType(line, listPath);
      const { code, out } = await line.run("import", folder);
      assert.equal(code, 0, out);
    }
    assert.deepEqual(
      await answers(
        line,
        "/projects",
        "/projects/one",
        "/projects/feed.atom",
        "/plans",
        "/plans/one",
      ),
      ["200", "200", "200", "308 /projects", "308 /projects/one"],
    );
  });

  it("is refused while something else has one of the addresses, and nothing changes", async () => {
    using line = openCommandLine();
    const folder = await importedFolder(line);
    const page = '{"type":"page","path":"/vorhaben/one","title":"Taken"}\n';
    await line.run("import", line.file("page.jsonl", page));
    writeType(line, "/vorhaben");
    const { code, out, err } = await line.run("import", folder);
    assert.equal(code, 1);
    assert.match(out + err, /Cannot use the path "\/vorhaben\/one": it belongs to "Taken"/);
    assert.deepEqual(await answers(line, "/projects", "/projects/one", "/vorhaben"), [
      ...["200", "200", "404"],
    ]);
  });

  it("keeps what was deleted deleted", async () => {
    using line = openCommandLine();
    const folder = await importedFolder(line);
    const { out: shown } = await line.run("api", "GET", "/content?path=/projects/one");
    const { items } = JSON.parse(shown);
    await line.run("api", "DELETE", `/content/${items[0].id}`, "--header", "If-Match: *");
    writeType(line, "/vorhaben");
    await line.run("import", folder);
    assert.deepEqual(await answers(line, "/projects/one", "/vorhaben/one"), ["410", "410"]);
  });
});

describe("a type that gets or loses its list", () => {
  it("takes its items along where their addresses come from slugs, and leaves redirects", async () => {
    using line = openCommandLine();
    const folder = await importedFolder(line);
    const deep = "---\ntype: project\ntitle: Deep\npath: /projects/2024/deep\n---\n\nText.\n";
    line.file("site/content/deep.md", deep);
    await line.run("import", "--publish", folder);
    writeType(line, null);
    const lost = await line.run("import", folder);
    assert.match(lost.out, /Projects move from \/projects to \/;/);
    assert.match(lost.out, /0 created, 0 updated, 4 unchanged, 0 failed/);
    const paths = ["/one", "/de/eins", "/2024/one", "/2024/deep"];
    const former = ["/projects/one", "/de/projects/eins", "/projects/2024/deep", "/projects"];
    assert.deepEqual(await answers(line, ...paths, ...former), [
      ...["200", "200", "200", "200", "308 /one", "308 /de/eins", "308 /2024/deep", "410"],
    ]);
    writeType(line, "/vorhaben");
    const found = await line.run("import", folder);
    assert.match(found.out, /Projects move from \/ to \/vorhaben;/);
    assert.match(found.out, /0 created, 0 updated, 4 unchanged, 0 failed/);
    assert.deepEqual(
      await answers(line, "/vorhaben", "/vorhaben/one", "/de/vorhaben/eins", ...paths, ...former),
      [
        ...["200", "200", "200", "308 /vorhaben/one", "308 /de/vorhaben/eins", "200", "200"],
        ...["308 /vorhaben/one", "308 /de/vorhaben/eins", "308 /2024/deep", "410"],
      ],
    );
    for (const listPath of [null, "/projects"]) {
      writeType(line, listPath);
      const { out } = await line.run("import", folder);
      assert.match(out, /0 created, 0 updated, 4 unchanged, 0 failed/);
    }
    assert.deepEqual(await answers(line, ...former, "/2024/deep", "/2024/one"), [
      ...["200", "200", "200", "200", "308 /projects/2024/deep", "200"],
    ]);
  });

  it("says that the list and its documents are gone, until a list is there again", async () => {
    using line = openCommandLine();
    const folder = await importedFolder(line);
    for (const listPath of ["/vorhaben", null]) {
      writeType(line, listPath);
      await line.run("import", folder);
    }
    const lists = ["/projects", "/vorhaben", "/de/vorhaben", "/vorhaben/feed.atom"];
    assert.deepEqual(await answers(line, ...lists), ["308 /vorhaben", "410", "410", "410"]);
    const plan = "name: plan\nlabel: Plan\nplural: Plans\nlistPath: /vorhaben\n";
    line.file("site/types/plan.yaml", plan);
    await line.run("import", folder);
    assert.deepEqual(await answers(line, "/vorhaben", "/de/vorhaben"), ["200", "200"]);
  });

  for (const [again, moved] of [
    ["/projects", "/plans"],
    ["/plans", "/projects"],
  ] as const) {
    it(`leads all former addresses to the list when it is at ${again} again`, async () => {
      using line = openCommandLine();
      const folder = await importedFolder(line);
      for (const listPath of ["/plans", "/about/vorhaben", null, again]) {
        writeType(line, listPath);
        const { code, out } = await line.run("import", folder);
        assert.equal(code, 0, out);
      }
      const by = moved === "/plans" ? "/about/vorhaben" : again;
      for (const end of ["", "/feed.atom"]) {
        assert.deepEqual(await answers(line, again + end, `/about/vorhaben${end}`, moved + end), [
          "200",
          `308 ${again}${end}`,
          `308 ${by}${end}`,
        ]);
      }
      assert.deepEqual(await answers(line, `/de${again}`, "/de/about/vorhaben", "/one"), [
        "200",
        `308 /de${again}`,
        `308 ${again}/one`,
      ]);
    });
  }

  it("is not added at an address that leads to another list", async () => {
    using line = openCommandLine();
    const folder = await importedFolder(line);
    writeType(line, "/vorhaben");
    await line.run("import", folder);
    const plan = "name: plan\nlabel: Plan\nplural: Plans\nlistPath: /projects\n";
    line.file("site/types/plan.yaml", plan);
    const { code, out, err } = await line.run("import", folder);
    assert.equal(code, 1);
    assert.match(
      out + err,
      /Cannot use the path "\/de\/projects": it is redirected to \/de\/vorhaben/,
    );
    assert.deepEqual(await answers(line, "/projects", "/vorhaben"), ["308 /vorhaben", "200"]);
  });

  it("gets none at an address that leads to a page of the site", async () => {
    using line = openCommandLine();
    const folder = await importedFolder(line);
    line.file("site/redirects.csv", "from,to\n/vorhaben,/topics\n");
    await line.run("import", folder);
    writeType(line, null);
    await line.run("import", folder);
    writeType(line, "/vorhaben");
    const { code, out, err } = await line.run("import", folder);
    assert.equal(code, 1);
    assert.match(out + err, /Cannot use the path "\/vorhaben": it is redirected to \/topics/);
    assert.deepEqual(await answers(line, "/vorhaben"), ["308 /topics"]);
  });

  it("gets none where a page is at its address", async () => {
    using line = openCommandLine();
    const folder = await importedFolder(line);
    writeType(line, null);
    await line.run("import", folder);
    const page = '{"type":"page","path":"/vorhaben","title":"Taken"}\n';
    await line.run("import", line.file("page.jsonl", page));
    writeType(line, "/vorhaben");
    const { code, out, err } = await line.run("import", folder);
    assert.equal(code, 1);
    assert.match(out + err, /Cannot use the path "\/vorhaben": it belongs to "Taken"/);
    assert.deepEqual(await answers(line, "/one"), ["200"]);
  });
});

describe("an address elsewhere than the list", () => {
  const kinds = [
    ["without dates", "", "404"],
    ["of events", `schemaOrg: Event\n${DATED}`, "200"],
  ] as const;
  for (const [kind, more, calendar] of kinds) {
    it(`can be stated for a type of the site ${kind}`, async () => {
      using line = openCommandLine();
      const folder = await importedFolder(line, more);
      const date = more === "" ? "" : "date: 2027-01-01\n";
      const file = `---\ntype: project\ntitle: Two\npath: /verein/two\n${date}---\n\nText.\n`;
      line.file("site/content/two.md", file);
      const { code, out } = await line.run("import", "--publish", folder);
      assert.equal(code, 0, out);
      assert.deepEqual(await answers(line, "/verein/two", "/verein/two/event.ics", "/projects"), [
        "200",
        calendar,
        "200",
      ]);
    });
  }
});

describe("a list path of several parts", () => {
  it("has the list, its items, its feed and its section for agents", async () => {
    using line = openCommandLine();
    const folder = await importedFolder(line);
    line.file("site/content/verein.md", "---\ntitle: Verein\n---\n\nText.\n");
    line.file("site/content/verein/team.md", "---\ntitle: Team\n---\n\nText.\n");
    writeType(line, "/verein/vorhaben");
    const { code, out } = await line.run("import", "--publish", folder);
    assert.equal(code, 0, out);
    const list = "/verein/vorhaben";
    const found = [list, `${list}/one`, `/de${list}/eins`, `${list}/feed.atom`, `${list}/llms.txt`];
    assert.deepEqual(
      await answers(line, ...found, `/de${list}/feed.atom`, "/verein", "/verein/team", "/projects"),
      [...found.map(() => "200"), "200", "200", "200", `308 ${list}`],
    );
  });

  it("has the page above it in its breadcrumbs and those of its items", async () => {
    using line = openCommandLine();
    const folder = await importedFolder(line);
    line.file("site/content/verein.md", "---\ntitle: Verein\n---\n\nText.\n");
    writeType(line, "/verein/vorhaben");
    await line.run("import", "--publish", folder);
    await using app = await openApp(readConfig(line.environment), { log: createLog("silent") });
    for (const [path, expected] of [
      ["/verein/vorhaben", ["/", "/verein"]],
      ["/verein/vorhaben/one", ["/", "/verein", "/verein/vorhaben"]],
    ] as const) {
      const html = await (
        await sendTo(app.http, path, { headers: { Accept: "text/html" } })
      ).text();
      const [trail = ""] = /<nav class="trail".*?<\/nav>/s.exec(html) ?? [];
      assert.deepEqual(
        [...trail.matchAll(/href="([^"]+)"/g)].map(([, to]) => to),
        expected,
      );
    }
  });

  it("keeps pages out, and does not begin with a language", async () => {
    using line = openCommandLine();
    const folder = await importedFolder(line);
    writeType(line, "/verein/vorhaben");
    await line.run("import", folder);
    const page = '{"type":"page","path":"/verein/vorhaben/x","title":"X"}\n';
    const refused = await line.run("import", line.file("page.jsonl", page));
    assert.match(refused.out + refused.err, /\/verein\/vorhaben belongs to Projects/);
    writeType(line, "/de/vorhaben");
    const { code, out, err } = await line.run("import", folder);
    assert.equal(code, 2);
    assert.match(out + err, /\/de\/vorhaben begins with a language of the site/);
  });
});
