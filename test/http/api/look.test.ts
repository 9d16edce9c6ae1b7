import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { contrastRatio } from "../../../src/content/site/look/colour.ts";
import { LOOKS, lookSchema } from "../../../src/content/site/look/look.ts";
import { COLOUR_SCHEMES, type Palette, paletteOf } from "../../../src/content/site/look/palette.ts";
import { type ApiClient, openApiClient } from "../../support/api-client.ts";

/** For tests that change nothing. */
const unchanged = await openApiClient();
after(() => unchanged[Symbol.asyncDispose]());

async function setLook(api: ApiClient, look: object) {
  return await api.request("PATCH", "/settings", { body: { look }, headers: { "If-Match": "*" } });
}

async function homePage(api: ApiClient): Promise<string> {
  return await (await api.app.get("/", { Accept: "text/html" })).text();
}

function styleAddress(page: string): string {
  return /<link rel="stylesheet" href="([^"]+)"/.exec(page)?.[1] ?? "none";
}

const ACCENTS = ["#000000", "#ffffff", "#ffd700", "#8c2f1b", "#2447d6", "#00ff88", "#7f7f7f"];

function illegible(palette: Palette): string[] {
  const { paper, raised, ink, mark, onAccent, accent, control } = palette;
  const texts = (["ink", "soft", "link", "visited", "good", "doubt", "bad"] as const).map(
    (name) =>
      [
        name,
        Math.min(contrastRatio(palette[name], paper), contrastRatio(palette[name], raised)),
        4.5,
      ] as const,
  );
  return [
    ...texts,
    ["mark", contrastRatio(ink, mark), 4.5] as const,
    ["on the accent", contrastRatio(onAccent, accent), 4.5] as const,
    ["control", contrastRatio(control, paper), 3] as const,
  ].flatMap(([name, reached, needed]) => (reached >= needed ? [] : [`${name}: ${reached}`]));
}

describe("the look of a site", () => {
  it("changes its style sheet, whose earlier addresses answer the present one", async () => {
    await using api = await openApiClient();
    const before = styleAddress(await homePage(api));
    assert.equal(
      (await api.app.get(before)).headers.get("cache-control"),
      "public, max-age=31536000, immutable",
    );
    const answer = await setLook(api, {
      name: "broadsheet",
      accent: "#046",
      css: ".lead{color:red}",
    });
    assert.equal(answer.status, 200, answer.text);
    assert.equal(answer.body.look.accent, "#004466");
    const address = styleAddress(await homePage(api));
    assert.notEqual(address, before);
    const style = await (await api.app.get(address)).text();
    assert.match(style, /--accent:#004466/);
    assert.match(style, /@layer site\{\.lead\{color:red\}\}/);
    const outdated = await api.app.get(before);
    assert.equal(await outdated.text(), style);
    assert.equal(outdated.headers.get("cache-control"), "public, max-age=300");
  });

  it("loads fonts from the site's own origin, one of them early", async () => {
    const api = unchanged;
    const page = await homePage(api);
    const early = [
      ...page.matchAll(/<link rel="preload" as="font" type="font\/woff2" href="([^"]+)"/g),
    ];
    assert.equal(early.length, 1);
    const font = await api.app.get(early[0]?.[1] ?? "");
    assert.equal(font.headers.get("content-type"), "font/woff2");
    assert.match(font.headers.get("cache-control") ?? "", /immutable/);
    assert.equal(Buffer.from(await font.arrayBuffer()).toString("latin1", 0, 4), "wOF2");
    assert.match(font.headers.get("content-security-policy") ?? "", /font-src 'self'/);
    const style = await (await api.app.get(styleAddress(page))).text();
    const addresses = [...style.matchAll(/url\(([^)]+)\)/g)].map(([, address]) => address ?? "");
    assert(
      addresses.length > 10 && addresses.every((address) => address.startsWith("/assets/fonts/")),
    );
    assert.equal((await api.app.get("/assets/fonts/inter-nope.woff2")).status, 404);
  });

  it("lets browsers fetch pages ahead, but nothing random, costly or private", async () => {
    const api = unchanged;
    const page = await api.app.get("/about", { Accept: "text/html" });
    const address = JSON.parse(page.headers.get("speculation-rules") ?? '""');
    const rules = await api.app.get(address);
    assert.equal(rules.headers.get("content-type"), "application/speculationrules+json");
    const [rule] = JSON.parse(await rules.text()).prerender;
    assert.equal(rule.eagerness, "moderate");
    const { href_matches: excluded } = rule.where.and[1].not;
    const isAhead = (path: string) => {
      const url = new URL(path, "https://quotations.example");
      return !excluded.some((pattern: string) => new URLPattern(pattern, url.origin).test(url));
    };
    assert(["/", "/topics", "/topics/time", "/de/themen"].every(isAhead));
    const others = ["/random", "/de/random", "/search", "/de/search?q=x", "/topics.md"];
    const kept = ["/llms-full.txt", "/contact", "/admin/desk", "/topics?page=2", "/media/x.pdf"];
    assert.deepEqual([...others, ...kept].filter(isAhead), []);
  });

  for (const name of LOOKS) {
    it(`is legible as ${name}, whatever the accent`, () => {
      const looks = [
        lookSchema.parse({ name }),
        ...ACCENTS.map((accent) => lookSchema.parse({ name, accent })),
      ];
      for (const look of looks) {
        for (const scheme of COLOUR_SCHEMES)
          assert.deepEqual(illegible(paletteOf(look, scheme)), [], `${scheme} ${look.accent}`);
      }
    });
  }

  it("refuses pale colours, with the nearest that can be read", async () => {
    await using api = await openApiClient();
    const answer = await setLook(api, {
      name: "modern",
      accent: "#ffd700",
      dark: { ink: "#333333" },
    });
    assert.equal(answer.status, 400);
    assert.deepEqual(
      answer.body.problems.map(({ where }: { where: string }) => where),
      ["look.accent", "look.dark.ink"],
    );
    const [{ message }] = answer.body.problems;
    assert.match(
      message,
      /^#ffd700 on the light paper #ffffff has a contrast of 1\.40 to 1, and text needs 4\.5\./,
    );
    const nearest = /passes is (#[0-9a-f]{6})$/.exec(message)?.[1] ?? "";
    assert(contrastRatio(nearest, "#ffffff") >= 4.5);
    assert.equal((await setLook(api, { name: "modern", accent: nearest })).status, 200);
  });

  for (const [css, reason] of [
    ["@import url(https://elsewhere.example/x.css);", /@import is not allowed/],
    ["a{background:url(https://elsewhere.example/x.png)}", /only a picture of this site/],
    ["a{background:url(//elsewhere.example/x.png)}", /only a picture of this site/],
    [
      "a{background:image-set('https://elsewhere.example/x.png' 1x)}",
      /image-set\(\) is not allowed/,
    ],
    ["a{--x:url(https://elsewhere.example)}", /only a picture of this site/],
    ["@font-face{font-family:x;src:url(https://elsewhere.example/x)}", /@font-face is not allowed/],
    ["a{width:expression(alert(1))}", /expression\(\) is not allowed/],
    ["a{behavior:url(#default)}", /behavior is not allowed/],
    ["a{-moz-binding:url(/media/x.xml)}", /-moz-binding is not allowed/],
    [".x{position:fixed;inset:0}", /position: fixed is not allowed/],
    [":root{--p:fixed}.x{position:var(--p)}", /position: var\(--p\) is not allowed/],
    ["a{background:u\\72l(https://elsewhere.example)}", /escapes/],
    ["</style><script>alert(1)</script>", /not HTML/],
    ["a{color:red}}body{display:none}", /bracket/],
    [`${"a{".repeat(500)}${"}".repeat(500)}`, /deeper than 12/],
    ["a{color:red;;:;b}", /cannot be read/],
  ] as const) {
    it(`refuses the style rules ${css.slice(0, 60)}`, async () => {
      const answer = await setLook(unchanged, { css });
      assert.equal(answer.status, 400, answer.text);
      assert.equal(answer.body.problems[0].where, "look.css");
      assert.match(answer.body.problems[0].message, reason);
    });
  }

  it("keeps harmless style rules, nested and conditional ones too", async () => {
    await using api = await openApiClient();
    const css = `/* a note */
@media (width > 40rem) { .quote { &:hover { background: color-mix(in oklab, var(--accent) 8%, transparent) } } }
main::before { content: "❦"; background: url("/media/abc.svg") no-repeat; position: absolute }`;
    assert.equal((await setLook(api, { css })).status, 200);
    const style = await (await api.app.get(styleAddress(await homePage(api)))).text();
    assert.match(style, /@layer site\{@media \(width>40rem\)\{\.quote\{&:hover\{/);
    assert.doesNotMatch(style, /a note/);
  });
});
