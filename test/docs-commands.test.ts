import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { SETTING_NAMES } from "../src/config.ts";
import { type CommandLine, openCommandLine } from "./support/command-line.ts";
import { codeSpansOf, fencedBlocksOf, rowsOf } from "./support/markdown-documents.ts";

const OPERATING = readFileSync("docs/operating.md", "utf8");
const DOCUMENT_FILES = [...globSync("*.md"), ...globSync("docs/*.md")].map((file) => ({
  file,
  text: readFileSync(file, "utf8"),
}));

/** `commonplace keys issue`, also as `npx commonplace-server` and as `npm run -s commonplace --`. */
const COMMAND_CALL =
  /(?:^|[\s;&|(])(?:[\w./]*\/)?commonplace(?:-server|\.cjs| --)? (?!commonplace)([a-z][a-z-]*(?: [a-z][a-z-]*)?)(?![\w:])/g;

describe("commands in documents", () => {
  it("are all in the operating guide, and no others", async () => {
    using shell = openCommandLine();
    const described = rowsOf(OPERATING, "Commands").map(([name]) => name);
    assert.deepEqual(described.sort(), (await commandNames(shell)).sort());
  });

  it("have the options they are shown with, and settings that exist", async () => {
    using shell = openCommandLine();
    const names = await commandNames(shell);
    const lines = DOCUMENT_FILES.flatMap(({ file, text }) =>
      fencedBlocksOf(text, "sh").flatMap((block) =>
        block.split("\n").map((line) => ({ file, line })),
      ),
    );
    const shown = lines.filter(({ line }) => line.includes("commonplace -- "));
    assert(shown.length >= 2, "the README shows how to issue a key and how to import");
    for (const { file, line } of shown) {
      const [settings = "", words = ""] = line.split("npm run -s commonplace -- ");
      for (const [, name = ""] of settings.matchAll(/(\w+)=/g)) {
        assert(SETTING_NAMES.includes(name), `${file}: ${line}: there is not a setting ${name}`);
      }
      const command = names.find((name) => words === name || words.startsWith(`${name} `));
      assert(command !== undefined, `${file}: ${line}: there is no such command`);
      const { out } = await shell.run(...command.split(" "), "--help");
      for (const [flag] of words.matchAll(/--[a-z-]+/g)) {
        assert(out.includes(`${flag} `), `${file}: ${line}: ${command} has no ${flag}`);
      }
    }
  });

  it("have every option named in a text", async () => {
    using shell = openCommandLine();
    const help = await Promise.all(
      (await commandNames(shell)).map((name) => shell.run(...name.split(" "), "--help")),
    );
    const options = new Set(help.flatMap(({ out }) => out.match(/--[a-z-]+/g) ?? []));
    const unknown = DOCUMENT_FILES.flatMap(({ file, text }) =>
      codeSpansOf(text)
        .filter((span) => /^--[a-z]/.test(span) && !options.has(span))
        .map((span) => `${file}: ${span}`),
    );
    assert.deepEqual(unknown, []);
  });

  it("exist wherever a document names one", async () => {
    using shell = openCommandLine();
    const names = await commandNames(shell);
    const named = DOCUMENT_FILES.flatMap(({ file, text }) =>
      [...codeSpansOf(text), ...fencedBlocksOf(text, "sh").flatMap((block) => block.split("\n"))]
        .flatMap((code) => [...code.matchAll(COMMAND_CALL)])
        .map(([, words = ""]) => ({ file, words })),
    );
    assert(named.length > 30);
    const unknown = named.filter(
      ({ words }) =>
        !names.some(
          (name) => `${words} `.startsWith(`${name} `) || `${name} `.startsWith(`${words} `),
        ),
    );
    assert.deepEqual(unknown, []);
  });
});

it("the item shown in the guide to imports can be imported into a site", async () => {
  using shell = openCommandLine();
  const [example = ""] = fencedBlocksOf(readFileSync("docs/importing.md", "utf8"), "markdown");
  shell.file("more/quotations/this-present-time.md", example);
  await shell.run("import", "test/support/fixture");
  const { code, out, err } = await shell.run("import", `${shell.folder}/more`);
  assert.deepEqual({ code, err }, { code: 0, err: "" });
  assert.match(out, /1 created, 0 updated, 0 unchanged, 0 failed/);
});

/** `serve`, `keys issue`: every command that does something, as the help tells them. */
async function commandNames(shell: CommandLine): Promise<string[]> {
  const names: string[] = [];
  for (const name of await subcommands(shell)) {
    const below = await subcommands(shell, name);
    names.push(...(below.length === 0 ? [name] : below.map((sub) => `${name} ${sub}`)));
  }
  return names;
}

async function subcommands(shell: CommandLine, ...words: string[]): Promise<string[]> {
  const { out } = await shell.run(...words, "--help");
  const [, list = ""] = out.split("Commands:\n");
  const names = [...list.matchAll(/^ {2}([a-z][\w-]*)/gm)].map((match) => match[1] ?? "");
  return names.filter((name) => name !== "help");
}
