import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { dice } from "../../support/dice.ts";

type Roll = (below: number) => number;

/** Signs by which an import knows the program that a folder is written for. */
const PROGRAM_FILES: readonly (readonly [name: string, text: string])[][] = [
  [],
  [["_config.yml", "title: A society\nbaseurl: ''\n"]],
  [["hugo.toml", "baseURL = 'https://old.example.org/'\nlanguageCode = 'en'\n"]],
  [["docusaurus.config.js", "module.exports = { title: 'A society' };\n"]],
  [["eleventy.config.js", "module.exports = function () {};\n"]],
  [["_redirects", "/old /a 301\n/older/* /b/:splat 301\nnonsense\n"]],
  [[".htaccess", "Redirect 301 /former /a\nRewriteRule ^x/(.*)$ /y/$1 [R=301,L]\n"]],
];

const NAMES = [
  "a",
  "b",
  "index",
  "über uns",
  "2020-01-05-news",
  "Deep/er",
  "_posts/2021-02-03-b",
  "de/a",
];

/** Front matter as people write it, some of it wrong. */
const FACTS = [
  "title: One",
  "title: 'Two: and more'",
  "title:",
  "date: 2021-03-04",
  "date: 31.12.2020",
  "date: soon",
  "draft: true",
  "published: false",
  "status: published",
  "status: withdrawn",
  "tags: [a, b]",
  "tags: a, c",
  "author: Ada Lovelace",
  "redirect_from: [old-one, /old/two/, 'https://elsewhere.example/x']",
  "permalink: /there/",
  "slug: there",
  "lang: de",
  "type: topic",
  "type: nothing",
  "aliases: [/x, /y]",
  "unknown: { deep: [1, 2] }",
  "summary: In short.",
  "expiryDate: 2001-01-01",
];

const BODIES = [
  "Text with [a link](a.md), ![a picture](pictures/a.png) and [another](/gone).\n",
  "# A heading\n\n- one\n- two\n\n> quoted\n",
  "{% include nothing.html %} {{ page.title }}\n",
  '{{< figure src="pictures/a.png" >}}\n',
  "A note.[^1]\n\n[^1]: Below.\n",
  "",
];

const OTHER_FILES: readonly (readonly [name: string, text: string])[] = [
  ["page.html", "<html lang=en><title>Page</title><body><main><h1>Page</h1><p>Text</main>"],
  ["items.jsonl", '{"type":"topic","title":"From a line"}\n{"type":"topic"}\nnot JSON\n'],
  ["books.bib", "@book{key, title = {A book}, author = {Ada Lovelace}, year = 1843}\n@book{,}\n"],
  [
    "site.yaml",
    `name: The society\ndescription: Short.\nwhenToUse: [always]\ncontact: { email: a@example.org }\n`,
  ],
  ["site.yaml", "name: [not, a, name]\n"],
  ["types/leaflet.yaml", "name: leaflet\nlabel: Leaflet\nplural: Leaflets\nlistPath: /leaflets\n"],
  ["pictures/a.png", "not a picture"],
  [
    "pictures/a.svg",
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0"/></svg>',
  ],
  ["notes.xyz", "of no known kind"],
];

/** Writes a folder as somebody could have it, in place of what is at `folder`: the same for the same seed. */
export function writeGeneratedFolder(folder: string, seed: number): void {
  const roll = dice(seed * 2_654_435_761 + 1);
  for (let warm = 0; warm < 8; warm += 1) roll(2);
  rmSync(folder, { recursive: true, force: true });
  write(folder, "a.md", markdown(roll));
  for (const [name, text] of PROGRAM_FILES[roll(PROGRAM_FILES.length)] ?? [])
    write(folder, name, text);
  for (let left = roll(6); left > 0; left -= 1) {
    write(folder, `${NAMES[roll(NAMES.length)]}.md`, markdown(roll));
  }
  for (let left = roll(4); left > 0; left -= 1) {
    const [name, text] = OTHER_FILES[roll(OTHER_FILES.length)] ?? ["other", ""];
    write(folder, name, text);
  }
}

function markdown(roll: Roll): string {
  const facts = new Map<string, string>();
  for (let left = roll(6); left > 0; left -= 1) {
    const fact = FACTS[roll(FACTS.length)] ?? "";
    facts.set(fact.split(":")[0] ?? "", fact);
  }
  const lines = [...facts.values()];
  const isBroken = roll(20) === 0;
  const start =
    lines.length === 0 ? "" : `---\n${lines.join("\n")}\n${isBroken ? "a: [\n" : ""}---\n`;
  return `${start}${BODIES[roll(BODIES.length)]}${BODIES[roll(BODIES.length)]}`;
}

function write(folder: string, name: string, text: string): void {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
