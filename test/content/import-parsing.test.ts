import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  candidateFilesOfRelativeLink,
  deriveSitePath,
} from "../../src/content/import/file-path.ts";
import { parseJsonLine } from "../../src/content/import/json-line.ts";
import {
  parseMarkdownFile,
  parseMarkdownItemInput,
  readMarkdown,
} from "../../src/content/import/markdown-file.ts";
import type { ParsedItem, UndeclaredKeyPolicy } from "../../src/content/import/parsed-item.ts";
import { parseSiteProfile, parseTypeFile } from "../../src/content/import/site-file.ts";
import { BUILT_IN_TYPES } from "../../src/content/types/built-in.ts";

const NOW = new Date("2026-11-20T12:00:00Z");
const timeZone = "UTC";
const types = new Map(BUILT_IN_TYPES.map((type) => [type.name, type]));

function markdown(
  text: string,
  { file = "help/me.md", unknown = "refuse", paths = {} }: MarkdownOptions = {},
): ParsedItem {
  const pathOf = (other: string) => paths[other];
  const read = readMarkdown({ file, text }, null);
  return parseMarkdownFile(read, { types, unknown, now: NOW, timeZone, pathOf });
}

interface MarkdownOptions {
  file?: string;
  unknown?: UndeclaredKeyPolicy;
  paths?: Record<string, string>;
}

/** Problems as a report prints them. */
function told({ problems }: ParsedItem): string[] {
  return problems.map(({ line, field, message }) => `${line}: ${field}: ${message.en}`);
}

describe("a Markdown file with front matter", () => {
  it("becomes an item: keys of the item, of its type's fields and of its relations", () => {
    const parsed = markdown(
      [
        "---",
        "type: work",
        "title: Walden",
        "date: 2024-02-01",
        "description: A book.",
        "year: 1854",
        "authors: /authors/thoreau",
        "topics: [/topics/time, {to: /topics/war, note: keyword}]",
        "fields: {kind: book}",
        "status: published",
        "publisher:",
        "---",
        "",
        "The *text*.",
      ].join("\n"),
      { file: "books/Walden.md" },
    );
    assert.deepEqual(told(parsed), []);
    assert.deepEqual(parsed.input, {
      type: "work",
      path: "/works/walden",
      title: "Walden",
      summary: "A book.",
      body: "The *text*.",
      fields: { year: 1854, kind: "book" },
      relations: {
        authors: ["/authors/thoreau"],
        topics: ["/topics/time", { to: "/topics/war", note: "keyword" }],
      },
      status: "published",
      publishedAt: "2024-02-01",
    });
    assert.equal(parsed.hasStatus, true);
  });

  it("may state its keys in TOML", () => {
    const toml =
      'title = "A \\"B\\""\ndate = 2024-05-06 # a day\nredirectFrom = [\n  "/a",\n  \'/b\',\n]\n';
    const { input } = markdown(`+++\n${toml}+++\nText`);
    assert.equal(input?.title, 'A "B"');
    assert.equal(input?.publishedAt, "2024-05-06");
    assert.deepEqual(input?.redirectFrom, ["/a", "/b"]);
    assert.equal(input?.body, "Text");
  });

  it("is read in little time, however many tables, keys or spaces its TOML has", () => {
    const started = process.cpuUsage();
    for (const front of ["[[a]]\n".repeat(80_000), `${" ".repeat(100_000)}\n[a]\n`]) {
      assert.match(told(markdown(`+++\n${front}+++\nText`)).join("\n"), /^[23]: a: /m);
    }
    assert(process.cpuUsage(started).user < 5_000_000, "five seconds of CPU");
  });

  it("is a page at its place in the folder, its first heading the title", () => {
    const parsed = markdown("\uFEFF# How to *help*\r\n\r\nLike this.\r\n");
    assert.deepEqual(told(parsed), []);
    assert.partialDeepStrictEqual(parsed.input, {
      type: "page",
      path: "/help/me",
      title: "How to help",
      body: "Like this.",
    });
    assert.equal(parsed.hasStatus, false);
  });

  it("keeps a first heading that says something else than the title", () => {
    assert.equal(markdown("---\ntitle: Help\n---\n# Help\nText").input?.body, "Text");
    assert.equal(markdown("---\ntitle: Help\n---\n# You\nText").input?.body, "# You\nText");
  });

  it("stands where its path, slug or file name says", () => {
    assert.deepEqual(
      ["index.md", "help/index.md", "help/_index.md", "a/b.markdown", "a/My file.md"].map(
        deriveSitePath,
      ),
      ["/", "/help", "/help", "/a/b", "/a/my-file"],
    );
    const path = (head: string) =>
      parseMarkdownItemInput(
        readMarkdown({ file: "help/me.md", text: `---\n${head}\n---\n` }, null),
        {
          types,
          now: new Date(0),
          timeZone: "UTC",
        },
      )?.input.path;
    assert.equal(path("permalink: /about/us/"), "/about/us");
    assert.equal(path("slug: you"), "/help/you");
    assert.equal(path("type: topic"), "/topics/me");
    assert.equal(path("titel: wrong\nslug: you"), "/help/you");
  });

  const mistakes: [what: string, text: string, problems: string[]][] = [
    [
      "a misspelt key",
      "---\ntitel: Help\n---\n# Help",
      ["2: titel: is not a key of pages; did you mean title?"],
    ],
    [
      "a key of another type",
      "---\ntitle: Help\nisbn: x\n---\n",
      ["3: isbn: is not a key of pages"],
    ],
    [
      "a type nobody declared",
      "---\ntype: Guide\ntitle: Help\n---\n",
      [
        '2: type: there is no content type "Guide"; use one of page, topic, author, work, quotation',
      ],
    ],
    ["no title", "Just text", ["1: title: is missing"]],
    [
      "a number for a title",
      "---\ntitle: 1984\n---\n",
      ["2: title: must be a text; put it in quotation marks"],
    ],
    [
      "a field stated twice",
      "---\ntype: work\ntitle: A\nfields: {year: 1}\nyear: 2\n---\n",
      ["5: year: is stated twice, also as fields.year"],
    ],
    [
      "two words for one key",
      "---\ntitle: A\nsummary: b\ndescription: c\n---\n",
      ["4: description: is stated twice, also as summary"],
    ],
    [
      "a wrong link within a list",
      "---\ntype: work\ntitle: A\ntopics:\n  - /topics/a\n  - {path: /topics/b}\n---\n",
      [
        '6: topics[1]: name the item by path, source key or id, as "/topics/time" or {"to": "/topics/time"}',
      ],
    ],
    [
      "an unknown status",
      "---\ntitle: A\nstatus: live\n---\n",
      ["3: status: must be one of draft, scheduled, published, archived"],
    ],
    [
      "a date that is none",
      "---\ntitle: A\ndate: yesterday\n---\n",
      ["3: date: is not a date and time, such as 2026-11-21T10:00:00Z"],
    ],
    [
      "a body beside the text",
      "---\ntitle: A\nbody: x\n---\n",
      ["3: body: the text after the front matter is the body"],
    ],
    ["a list for front matter", "---\n- a\n---\n", ["2: : is not a list of keys and values"]],
    [
      "a key twice",
      "---\ntitle: A\ntitle: B\n---\n",
      ["3: : is not YAML: Map keys must be unique"],
    ],
    [
      "an open end",
      "---\ntitle: A\n",
      ["1: : the front matter has no end: close it with a line of ---"],
    ],
    ["TOML that is none", '+++\ntitle = "A"\nmood =\n+++\n', ["3: : is not TOML: invalid value"]],
    [
      "TOML whose keys nest without end",
      `+++\n${"a.".repeat(20_000)}a = 1\n+++\n`,
      ["2: : is not TOML: it nests too deep"],
    ],
  ];
  for (const [what, text, problems] of mistakes) {
    it(`names line and key of ${what}`, () => {
      const parsed = markdown(text);
      assert.deepEqual(told(parsed), problems);
      assert.equal(parsed.input, null);
    });
  }

  it("can go without what nobody declared, and tells it", () => {
    const parsed = markdown("---\ntype: Guide\nlayout: x\n---\n# Help", { unknown: "leave_out" });
    assert.partialDeepStrictEqual(parsed.input, { type: "page", title: "Help" });
    assert.deepEqual(
      parsed.problems.map(({ line, field, severity }) => [line, field, severity]),
      [
        [2, "type", "warning"],
        [3, "layout", "warning"],
      ],
    );
  });

  it("reads dates as other programs write them", () => {
    const published = (date: string) =>
      markdown(`---\ntitle: A\ndate: ${date}\n---\n`).input?.publishedAt;
    assert.equal(published("2024-02-01"), "2024-02-01");
    assert.equal(published("2024-02-01 10:30:00 +0200"), "2024-02-01T10:30:00+02:00");
    assert.equal(published("2024-02-01T10:30:00Z"), "2024-02-01T10:30:00Z");
  });

  it("finds the line behind a place within the input, for what is found out later", () => {
    const { placeOf } = markdown(
      "---\ntype: work\ntitle: A\nyear: 1\nfields:\n  kind: x\n---\nText",
    );
    assert.deepEqual(placeOf("fields.year"), { line: 4, field: "year" });
    assert.deepEqual(placeOf("fields.kind"), { line: 6, field: "fields.kind" });
    assert.deepEqual(placeOf("body"), { line: 8, field: "body" });
    assert.deepEqual(placeOf("path"), { line: 2, field: "path" });
  });

  it("does not unfold a YAML bomb", () => {
    const lines = ["a: &a [x,x,x,x,x,x,x,x,x]"];
    for (const [from, to] of ["ab", "bc", "cd", "de", "ef", "fg", "gh", "hi"]) {
      lines.push(`${to}: &${to} [${`*${from},`.repeat(9)}]`);
    }
    assert.match(told(markdown(`---\n${lines.join("\n")}\n---\n`)).join(), /alias/i);
  });
});

describe("links between Markdown files", () => {
  const paths = { "help/you.md": "/help/you", "about/index.md": "/about-us", "index.md": "/" };

  it("become the paths of their pages", () => {
    const body = [
      "[a](you.md) [b](./you.md#part) [c](../about/index.md) [d](../about/) [e](../index.md) [f](you)",
      '![g [h](you.md)](you.md "t") [i](<you.md>) [j]',
      "[you.md](you.md) [k](https://x.example/you.md) [l](/help/you.md) [m](#n) `[o](you.md)`",
      "",
      "[j]: ../about/index.md 'T'",
    ];
    const parsed = markdown(`# T\n${body.join("\n")}`, { paths });
    assert.deepEqual(told(parsed), []);
    assert.deepEqual(parsed.input?.body.split("\n"), [
      "[a](/help/you) [b](/help/you#part) [c](/about-us) [d](/about-us) [e](/) [f](/help/you)",
      '![g [h](you.md)](/help/you "t") [i](</help/you>) [j]',
      "[you.md](/help/you) [k](https://x.example/you.md) [l](/help/you.md) [m](#n) `[o](you.md)`",
      "",
      "[j]: /about-us 'T'",
    ]);
  });

  it("are told with their line when they lead nowhere, and made absolute", () => {
    const parsed = markdown("---\ntitle: A\n---\nText\n\n![b](../img/b%20c.png) [d](gone.md?x#y)");
    assert.deepEqual(told(parsed), [
      '6: body: the link "../img/b%20c.png" leads to no file of this import',
      '6: body: the link "gone.md?x#y" leads to no file of this import',
    ]);
    assert.equal(parsed.input?.body, "Text\n\n![b](/img/b%20c.png) [d](/help/gone.md?x#y)");
  });

  it("never leave the folder", () => {
    assert.deepEqual(
      candidateFilesOfRelativeLink("../../../../etc/passwd", "a/b.md")?.[0],
      "etc/passwd",
    );
    assert.equal(candidateFilesOfRelativeLink("//x.example/a.md", "a/b.md"), null);
  });
});

describe("a JSON line", () => {
  function line(text: string): ParsedItem {
    return parseJsonLine(text, {
      file: "a.jsonl",
      line: 7,
      types,
      unknown: "refuse",
      now: NOW,
      timeZone,
    });
  }

  it("becomes an item, fields and relations also spelled out", () => {
    const parsed = line(
      '{"type":"quotation","title":"A","fields":{"year":1},"relations":{"topics":["/topics/a"]},"locator":"I","work":"work:1","sourceKey":"q:1"}',
    );
    assert.deepEqual(told(parsed), []);
    assert.partialDeepStrictEqual(parsed.input, {
      fields: { year: 1, locator: "I" },
      relations: { topics: ["/topics/a"], work: ["work:1"] },
      sourceKey: "q:1",
    });
  });

  it("names its line and the key of every mistake", () => {
    assert.deepEqual(told(line('{"type":"topic","titel":"A","status":"x"}')), [
      "7: titel: is not a key of topics; did you mean title?",
      "7: title: is missing",
      "7: status: must be one of draft, scheduled, published, archived",
    ]);
    assert.match(told(line('{"type":')).join(), /^7: : is not JSON: /);
    assert.deepEqual(told(line("[1]")), ["7: : is not an object"]);
    assert.match(
      told(line('{"title":"A"}')).join(),
      /^7: type: there is no content type null; use/,
    );
    assert.deepEqual(
      told(line('{"type":"topic","title":"A","__proto__":{"x":1},"constructor":1}')),
      ["7: __proto__: is not a key of topics", "7: constructor: is not a key of topics"],
    );
  });
});

describe("the files that describe a site", () => {
  it("are read, or their mistakes named by line", () => {
    const site = parseSiteProfile(
      "name: A\ndescription: b\nwhenToUse: [c]\ncontact:\n  email: nobody\n",
    );
    assert.equal(site.value, null);
    assert.deepEqual(site.problems, [
      {
        line: 5,
        field: "contact.email",
        message: {
          en: "is not an e-mail address",
          de: "ist keine E-Mail-Adresse, zum Beispiel name@example.org",
        },
        severity: "error",
      },
    ]);
    const unknown = parseSiteProfile(`name: A\nnope: 1\n${SITE.slice("name: A\n".length)}`);
    assert.deepEqual(
      unknown.problems.map(({ line }) => line),
      [2],
    );
    assert.match(unknown.problems[0]?.message.en ?? "", /has keys that mean nothing.*nope/);
    const type = parseTypeFile(
      "name: event\nlabel: Event\nplural: Events\ndescription: d\nlistPath: /events\n",
    );
    assert.equal(type.value?.listPath, "/events");
    assert.match(parseTypeFile("name: [").problems[0]?.message.en ?? "", /^is not YAML/);
    for (const deep of ["name: ".concat("[".repeat(100_000)), "- ".repeat(50_000)]) {
      const [problem] = parseTypeFile(deep).problems;
      assert.equal(problem?.message.en, "is not YAML: it nests too deep");
    }
  });

  const SITE = "name: A\ndescription: b\nwhenToUse: [c]\ncontact: { email: a@b.example }\n";
  const MISTAKES: [what: string, yaml: string, problem: string][] = [
    ["a key left out", SITE.replace("name: A\n", ""), "name: is missing"],
    ["an empty text", SITE.replace("name: A", 'name: ""'), "name: is empty"],
    ["a number", SITE.replace("name: A", "name: 7"), "name: must be a text"],
    ["a text for a list", SITE.replace("[c]", "c"), "whenToUse: must be a list"],
    ["an empty list", SITE.replace("[c]", "[]"), "whenToUse: is empty"],
    [
      "too long a text",
      SITE.replace("name: A", `name: ${"A".repeat(101)}`),
      "name: is longer than 100 characters",
    ],
    ["an unknown key", `${SITE}colour: red\n`, ": has keys that mean nothing here: colour"],
    [
      "an unknown choice",
      `${SITE}contentSignal: { search: maybe }\n`,
      "contentSignal.search: must be one of yes, no",
    ],
  ];
  for (const [what, yaml, problem] of MISTAKES) {
    it(`say in plain words what is wrong with ${what}`, () => {
      const { problems } = parseSiteProfile(yaml);
      assert.deepEqual(
        problems.map(({ field, message }) => `${field}: ${message.en}`),
        [problem],
      );
    });
  }
});
