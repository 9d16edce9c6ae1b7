import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { openCommandLine } from "../support/command-line.ts";
import { importedContent } from "../support/imported-content.ts";
import { PDF, png } from "../support/media-bytes.ts";

const NAMESPACES: Readonly<Record<string, string>> = {
  ...{ "-2": "Medium", "0": "", "1": "Diskussion", "2": "Benutzer", "4": "Garten", "6": "Datei" },
  ...{ "10": "Vorlage", "14": "Kategorie", "100": "Portal" },
};

function xmlText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

interface Version {
  text: string;
  at?: string;
  attributes?: string;
}

let nextId = 1;

function version({ text, at = "2020-05-06T07:08:09Z", attributes = "" }: Version): string {
  return `<revision><id>${nextId}</id><timestamp>${at}</timestamp><contributor><username>SECRET</username><id>7</id></contributor><comment>SECRET</comment><model>wikitext</model><text${attributes} xml:space="preserve">${xmlText(text)}</text></revision>`;
}

function page(title: string, ...versions: (Version | string)[]): string {
  const each = versions.map((one) => version(typeof one === "string" ? { text: one } : one));
  nextId += 1;
  return `<page><title>${xmlText(title)}</title><id>${nextId}</id>${each.join("")}</page>`;
}

function dump(pages: readonly string[], base = "https://garten.example/wiki/Hauptseite"): string {
  const namespaces = Object.entries(NAMESPACES).map(
    ([key, name]) => `<namespace key="${key}" case="first-letter">${name}</namespace>`,
  );
  return `<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" version="0.11" xml:lang="en">
<siteinfo><sitename>Garten</sitename><base>${base}</base><namespaces>${namespaces.join("")}</namespaces></siteinfo>
${pages.join("\n")}
</mediawiki>`;
}

const ROSES = `{{Infobox
| name = Rose
| colour = red
}}
'''Roses''' are ''old'', ''so'' old<ref name="a">A note with [https://x.example/a_b a link].</ref>; again{{#tag:ref||name=a}}. 5 < 6 &amp; <script>x</script><!-- SECRET -->

== History ==
* one
** two ''x''
# three
; term : definition
: deeper

: alone

{| class="wikitable"
|+ Kinds
! A !! B
|-
| colspan="2" | cell ''i'' [[Dornen|thorns]]
|-
|
* left
* right
| x
|}

 as it
   was

<nowiki>'''not bold'''</nowiki> <blockquote>Quoted</blockquote>
[[Datei:Garden one.png|mini|200px|The ''garden'' of [[tulips]]]]
{{Unknown|Deep text|by=Ann}} H<sub>2</sub>O <code>a*b</code> https://bare.example/x_(y). {{shout|hello}} {{SITENAME}} {{!}}
<poem>
line a
line ''b''
</poem>
<gallery>
Image:Two.png|Cap
</gallery>
<syntaxhighlight lang="python">
print("x")
</syntaxhighlight>
[[Media:plan.pdf|the plan]] [[de:Rosen]] [[w:Rose|elsewhere]] [[Tulips#Early life|early]] [[:Category:Plants|all]] [[old tulips]]s
__NOTOC__
[[Category:Plants]] [[kategorie:Red flowers|sort]]
<references />`;

const PAGES = [
  page("Hauptseite", "Welcome. See [[roses|Our roses]]."),
  page("Roses", { text: "SECRET older", at: "2019-01-02T03:04:05Z" }, ROSES),
  page("Tulips", "Text of tulips.", { text: "SECRET earlier", at: "2018-01-01T00:00:00Z" }),
  page("Old tulips", "#WEITERLEITUNG [[Tulips]]"),
  page("Oldest tulips", "#redirect [[old tulips]]"),
  page(
    "Vorlage:Infobox",
    `{| 
! Name
| {{{name|?}}}
{{#if: {{{colour|}}} | {{!}}-
! Colour
{{!}} {{{colour}}} }}
|}<noinclude>SECRET documentation</noinclude>`,
  ),
  page("Vorlage:Shout", "{{uc:{{{1}}}}}{{#switch: {{{1}}} | a | hello = ! | #default = ? }}"),
  page("Diskussion:Roses", "SECRET talk"),
  page("Benutzer:Ann", "SECRET user"),
  page("Kategorie:Plants", "All ''plants''. [[Category:Nature]]"),
  page("Datei:Garden one.png", "By Ann, CC BY"),
  page("Garten:About", "About the garden"),
  page("Hidden", { text: "SECRET hidden", attributes: ' deleted="deleted"' }),
  page("What? A/B & 100%", "Odd. [[Hauptseite]]"),
];

const ROSES_MARKDOWN = `| Name | Rose |
| - | - |
| Colour | red |

**Roses** are *old*, *so* old[^1]; again[^1]. 5 < 6 & \\<script>x\\</script>

## History

- one
  - two *x*

1. three

term
: definition
: deeper

> alone

Kinds

| A | B |
| - | - |
| cell *i* thorns | |
| • left • right | x |

\`\`\`
as it
  was
\`\`\`

'''not bold'''

> Quoted

![](GARDEN)

*The garden of [tulips](/tulips)*

Deep text, Ann H2O \`a*b\` <https://bare.example/x_(y)>. HELLO! Garten |

line a\\
line *b*

![](TWO "Cap")

\`\`\`python
print("x")
\`\`\`

[the plan](PLAN) [elsewhere](https://en.wikipedia.org/wiki/Rose) [early](/tulips#early-life) [all](/topics/plants) [old tulipss](/tulips)

[^1]: A note with [a link](https://x.example/a_b).`;

describe("an import of a MediaWiki dump", () => {
  it("takes in articles, templates, categories, files and redirects with their addresses", async () => {
    using line = openCommandLine();
    line.file("old/images/9/9a/Garden_one.png", png(6, 4));
    line.file("old/images/Two.png", png(5, 4));
    line.file("old/images/Plan.pdf", PDF);
    const file = line.file("old/garten.xml", dump(PAGES));
    const tried = await line.run("import", "--dry-run", file);
    const first = await line.run("import", file);
    assert.match(first.out, /^6 created, 1 updated, 0 unchanged, 0 failed$/m);
    const unseen = /^Redirects:.*$|^\d+ redirects.*\n/gm;
    assert.equal(
      tried.out.replace("Would import: ", "").replace(unseen, "").trim(),
      first.out.replace(unseen, "").trim(),
    );
    for (const left of [
      /1 wiki talk: discussions/,
      /1 wiki user: /,
      /2 wiki template: /,
      /1 wiki file: pages about files/,
      /1 wiki hidden: /,
      /1 project: .* such as project=page/,
    ]) {
      assert.match(first.out, left);
    }
    assert.match(first.err, /templates that the export does not have, as "Unknown".*\(1\)/);
    assert.match(first.err, /links to pages that are not in the export, as "Dornen".*\(1\)/);
    assert.match(first.err, /links to the page in other languages are left out \(1\)/);
    const { items, redirects } = await importedContent(line);
    const roses = items.get("/roses");
    assert.equal(roses?.publishedAt, "2019-01-02T03:04:05.000Z");
    const [garden = "", two = ""] = roses?.body.match(/\/media\/[\w-]+\.png/g) ?? [];
    const [plan = ""] = roses?.body.match(/\/media\/[\w-]+\.pdf/) ?? [];
    const expected = { GARDEN: garden, TWO: two, PLAN: plan };
    assert.equal(
      roses?.body.trim(),
      Object.entries(expected).reduce((text, [name, to]) => text.replace(name, to), ROSES_MARKDOWN),
    );
    const topics = (roses?.relations["topics"] ?? []).map(
      ({ to }) => [...items.values()].find(({ id }) => id === to)?.title,
    );
    assert.deepEqual(topics, ["Plants", "Red flowers"]);
    assert.equal(items.get("/topics/plants")?.summary, "All plants.");
    assert.equal(items.get("/")?.body.trim(), "Welcome. See [Our roses](/roses).");
    assert.equal(items.get("/what-a/b-100")?.body.trim(), "Odd. [Hauptseite](/)");
    assert.equal(items.get("/tulips")?.body.trim(), "Text of tulips.");
    for (const item of items.values()) assert(!JSON.stringify(item).includes("SECRET"), item.path);
    for (const [from, to] of [
      ["/wiki/Roses", "/roses"],
      ["/w/index.php?title=Roses", "/roses"],
      ["/wiki/Old_tulips", "/tulips"],
      ["/index.php?title=Oldest_tulips", "/tulips"],
      ["/wiki/Hauptseite", "/"],
      ["/wiki/Kategorie:Plants", "/topics/plants"],
      ["/wiki/What?_A/B_&_100%", "/what-a/b-100"],
      ["/w/images/9/9a/Garden_one.png", garden],
      ["/wiki/Datei:Garden_one.png", garden],
    ] as const) {
      assert.equal(redirects.get(from), to, from);
    }
    const again = await line.run("import", file);
    assert.match(again.out, /^0 created, 0 updated, 7 unchanged, 0 failed$/m);
  });

  it("ends what templates repeat without an end, and refuses what they make too long", async () => {
    using line = openCommandLine();
    const pages = [
      page("Loop", "before {{Loop}} after"),
      page("Template:Loop", "x{{Loop}}{{Loop}}"),
      page("Bomb", "{{B0}}"),
      ...Array.from({ length: 9 }, (_, at) => page(`Template:B${at}`, `{{B${at + 1}}}`.repeat(10))),
      page("Template:B9", "boom ".repeat(100)),
      page("Marks", `{{Copies|<pre>${"x".repeat(100_000)}</pre>}}`),
      page("Template:Copies", "{{{1}}}".repeat(10_000)),
      page("Steps", "{{S0}}"),
      page("Template:S0", "{{S1}}".repeat(30_000)),
      page("Template:S1", "{{#if:|a|}}".repeat(20_000)),
      page("Long", "{{Equal}}".repeat(20_000)),
      page("Template:Equal", "=".repeat(250_000)),
      page("Notes", "{{Note}}".repeat(1000)),
      page("Template:Note", `<ref>${"x <b ".repeat(40_000)}</ref>`),
      page("Tags", "{{Tag}}".repeat(1000)),
      page("Template:Tag", `{{#tag:ref|${"x <b ".repeat(40_000)}}}`),
      page("Fine", "Fine text"),
    ];
    const started = process.cpuUsage();
    const { code, out, err } = await line.run("import", line.file("wiki.xml", dump(pages)));
    assert(process.cpuUsage(started).user < 10_000_000, "ten seconds of CPU");
    assert.equal(code, 1);
    assert.match(out, /^3 created, 0 updated, 0 unchanged, 5 failed$/m);
    assert.match(err, /"\/steps": templates that contain themselves or many others/);
    assert.match(err, /"\/loop": templates that contain themselves .* "Loop".*\(2\)/);
    assert.match(err, /wiki\.xml:5: body: is longer than 2 MiB/);
  });

  it("reads every text of odd marks in time that grows with its length", async () => {
    using line = openCommandLine();
    const odd = [
      ...["{{a|", "[[a|", "}}", "]]", "<ref>", "<ref name=", "<nowiki>", "''", "'''''", "<!--"],
      ...[
        "[https://a ",
        "https://a.",
        "{|\n|",
        "*#:;*#:;\n",
        "== a ",
        "<b ",
        "{{{a|",
        "\u007fI1\u007f",
      ],
    ];
    const pages = odd.map((mark, at) => page(`Odd ${at}`, mark.repeat(100_000 / mark.length)));
    const started = process.cpuUsage();
    const { out } = await line.run("import", line.file("wiki.xml", dump(pages)));
    assert(process.cpuUsage(started).user < 60_000_000, "a minute of CPU");
    const [, created, failed] =
      /^(\d+) created, 0 updated, 0 unchanged, (\d+) failed$/m.exec(out) ?? [];
    assert.equal(Number(created) + Number(failed), odd.length);
  });

  it("keeps the words of what it cannot read as the wiki did, and says so", async () => {
    using line = openCommandLine();
    const pages = [
      page("R&D", "About research"),
      page("IT", "Upper"),
      page("It", "Lower"),
      page("News/page/2", "Second page"),
      page("News/2019", "[[../]] [[../page/2|two]] [[/Below/]]"),
      page("News/2019/Below", "Below"),
      page("Lost", "#REDIRECT [[Nowhere]]"),
      page("Category:Noted", "Words {{Missing}}<ref>Note</ref> [[File:A.png]]"),
      page(
        "Odd",
        `[[de:Rosen]] first [[CD: Songs]] and [[TV:Show|a show]]
 spaced [[IT]] '''bold'''
[[R&amp;D]] [[It]] [[News/page/2]] [[R%26D|again]] {{lc:LOUD<nowiki>X</nowiki>}} &#127;end
; [[Term:one]] : defined
{{#ifexpr: 1 > 0 | yes }} <imagemap>File:M.png|x</imagemap>
<ref name="n">First</ref><ref name="n">Second</ref>
<gallery caption="Views">
A.png|A [[IT|linked]] caption
</gallery>
[https://garten.example/wiki/Special:Redirect/file/%E4.png bad] [[Category:Noted]] __KEIN_INHALT__`,
      ),
    ];
    const { err, out } = await line.run("import", line.file("wiki.xml", dump(pages)));
    const { items } = await importedContent(line);
    const odd = items.get("/odd")?.body ?? "";
    for (const kept of [
      "first CD: Songs and a show",
      "spaced [IT](/it) **bold**",
      "[R\\&D](/r-d) [It](/it-page) [News/page/2](/news/page/2) [again](/r-d) loudX end",
      "Term:one\n: defined",
      "1 > 0, yes",
      "First",
      "Second",
      "Views",
      "A [linked](/it) caption",
    ]) {
      assert(odd.includes(kept), `${kept} in ${odd}`);
    }
    assert.doesNotMatch(odd, /M\.png|INHALT/);
    assert.equal(
      items.get("/news/2019")?.body.trim(),
      ".. [two](/news/page/2) [Below](/news/2019/below)",
    );
    assert.match(err, /"\/topics\/noted": templates that the export does not have, as "Missing"/);
    assert.match(err, /"\/topics\/noted": of the page of the category only the words are kept/);
    assert.match(out, /1 wiki redirect: they lead to pages that are not in the export/);
  });

  it("never shows what the wiki had hidden, and refuses a dump that could hide it", async () => {
    using line = openCommandLine();
    const hidden = ' deleted="deleted"';
    const pages = [
      page("Shown", "See {{Secret}} [[Hidden]] [[Moved]]"),
      page("Vorlage:Secret", { text: "SECRET", attributes: hidden }),
      page("Hidden", { text: "SECRET", attributes: hidden }),
      page("Later", { text: "SECRET" }, { text: "x", at: "", attributes: hidden }),
      page("Moved", { text: "#REDIRECT [[Shown]]", attributes: hidden }),
    ];
    await line.run("import", line.file("wiki.xml", dump(pages)));
    const { items, redirects } = await importedContent(line);
    assert.equal(items.get("/shown")?.body.trim(), "See Hidden Moved");
    assert(![...items.values()].some((item) => JSON.stringify(item).includes("SECRET")));
    assert.equal(redirects.has("/wiki/Moved"), false);
    const nameless = dump(pages).replace(/<siteinfo>.*<\/siteinfo>/, "");
    const { code, err } = await line.run("import", line.file("nameless.xml", nameless));
    assert.equal(code, 2);
    assert.match(err, /does not name the namespaces/);
  });

  it("knows the addresses of wikis without short ones", async () => {
    for (const [base, from] of [
      ["https://a.example/index.php/Start", "/index.php/Roses"],
      ["https://a.example/wiki/index.php?title=Start", "/wiki/index.php?title=Roses"],
    ] as const) {
      using line = openCommandLine();
      const pages = [page("Start", "See [[Roses]]"), page("Roses", "Red")];
      await line.run("import", line.file("wiki.xml", dump(pages, base)));
      const { items, redirects } = await importedContent(line);
      assert.equal(items.get("/")?.body.trim(), "See [Roses](/roses)");
      assert.equal(redirects.get(from), "/roses", base);
    }
  });

  it("refuses what is damaged or hostile", async () => {
    using line = openCommandLine();
    const whole = dump(PAGES);
    for (const [name, text, reason] of [
      ["half", whole.slice(0, -40), /ends in the middle/],
      ["deep", whole.replace("<page>", "<page>".repeat(1000)), /nests too deep/],
      ["tag", `${whole.slice(0, 2000)}<${"x".repeat(17_000_000)}`, /without an end/],
    ] as const) {
      const { code, err } = await line.run("import", line.file(`${name}.xml`, text));
      assert.equal(code, 2, name);
      assert.match(err, reason, name);
      assert.equal((await importedContent(line)).items.has("/roses"), false, name);
    }
  });
});
