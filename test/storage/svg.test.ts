import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { sanitizeSvg } from "../../src/storage/media/svg-cleaning.ts";
import { decodeSvgText } from "../../src/storage/media/svg-text.ts";
import { cpuMilliseconds } from "../support/costly/growth.ts";

function cleaned(inner: string, attributes = ""): string {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" ${attributes}>${inner}</svg>`;
  return sanitizeSvg(svg)?.svg ?? "nothing";
}

/** Content that could run, load, link or be mistaken for another document. */
const LIVE =
  /script|evil|\bon\w+\s*=|javascript|https?:(?!\/\/www\.w3\.org\/(?:2000\/svg|1999\/xlink)")|foreignobject|iframe|<!|<\?|@import|url\((?!#)|expression|animate|<set|<listener|text\/html|svg\+xml|\\/i;

const ATTACKS: readonly string[] = [
  "<script>alert(1)</script>",
  "<script href='//evil.example/x.js'/>",
  "<script type='text/ecmascript'><![CDATA[alert(1)]]></script>",
  "<SCRIPT>alert(1)</SCRIPT>",
  "<svg:script>alert(1)</svg:script>",
  "<x:script xmlns:x='http://www.w3.org/2000/svg'>alert(1)</x:script>",
  "<g><script>alert(1)</script></g><script/><script>",
  "<rect onclick='alert(1)' onload=alert(1) ONMOUSEOVER='alert(1)'/>",
  "<rect xlink:onclick='alert(1)'/>",
  "<foreignObject><body xmlns='http://www.w3.org/1999/xhtml' onload='alert(1)'/></foreignObject>",
  "<foreignObject><iframe src='javascript:alert(1)'/></foreignObject>",
  "<a href='javascript:alert(1)'><text>x</text></a>",
  "<a xlink:href='https://evil.example/'><rect/></a>",
  "<use href='https://evil.example/x.svg#a'/>",
  "<use xlink:href='data:image/svg+xml;base64,PHN2Zz4=#a'/>",
  "<image href='https://evil.example/pixel.png'/>",
  "<image href='//evil.example/pixel.png'/>",
  "<image href='/api/v1/keys?evil'/>",
  "<image xlink:href='data:image/svg+xml,<svg onload=alert(1)>'/>",
  "<image href='data:text/html,<script>alert(1)</script>'/>",
  "<image href='data:image/png;base64,AAAA\" onload=\"alert(1)'/>",
  "<feImage href='https://evil.example/x.png'/>",
  "<style>@import url(https://evil.example/x.css);</style>",
  "<style>rect{fill:url(https://evil.example/x.svg#a)}</style>",
  "<style>rect{fill:u\\72l(https://evil.example/)}</style>",
  "<style>rect{background:url(//evil.example/)}</style>",
  "<style>@font-face{font-family:x;src:url(https://evil.example/x.woff)}</style>",
  "<style>rect{fill:red}/*</style><script>alert(1)</script><style>*/</style>",
  "<style><![CDATA[</style><script>alert(1)</script>]]></style>",
  "<style>rect{fill:image-set(url(https://evil.example/x.png) 1x)}</style>",
  "<style>rect{fill:expression(alert(1))}</style>",
  "<style>a[href^='https://evil.example/']{fill:red}</style>",
  "<rect style='fill:url(https://evil.example/x)'/>",
  "<rect style='fill:URL( &#39;https://evil.example/x&#39; )'/>",
  "<rect fill='url(https://evil.example/x#a)'/>",
  "<rect fill='u&#x5c;72l(https://evil.example/)'/>",
  "<rect fill='url/**/(https://evil.example/)'/>",
  "<rect filter='image(https://evil.example/)'/>",
  "<rect cursor='url(https://evil.example/x.cur),auto'/>",
  "<rect mask='url(#a),url(https://evil.example/b)'/>",
  "<animate attributeName='href' values='javascript:alert(1)'/>",
  "<set attributeName='onclick' to='alert(1)'/>",
  "<a><animate attributeName='xlink:href' to='javascript:alert(1)'/></a>",
  "<handler type='text/javascript'>alert(1)</handler>",
  "<iframe src='javascript:alert(1)'/>",
  "<embed src='javascript:alert(1)'/><object data='javascript:alert(1)'/>",
  "<audio src='https://evil.example/x.mp3' autoplay='1'/>",
  "<link rel='stylesheet' href='https://evil.example/x.css'/>",
  "<?xml-stylesheet href='https://evil.example/x.xsl' type='text/xsl'?>",
  "<!-- --><script>alert(1)</script><!-- -->",
  "<!--<g>--><script>alert(1)</script>",
  "<title>&lt;script&gt;</title><desc><script>alert(1)</script></desc>",
  "</svg><script>alert(1)</script>",
  "<g xml:base='https://evil.example/'><use href='#a'/></g>",
  "<g data-x='https://evil.example/' xmlns:evil='https://evil.example/'/>",
  "<metadata><script>alert(1)</script></metadata>",
  "<rect fill='red' fill='url(https://evil.example/)'/>",
  "<switch><foreignObject><script>alert(1)</script></foreignObject></switch>",
  "<mpath xlink:href='https://evil.example/'/>",
  "<text><tref xlink:href='https://evil.example/'/></text>",
  "<discard/><listener event='click' handler='#x'/>",
];

describe("a cleaned SVG", () => {
  it("is unchanged if it was harmless", () => {
    const inner =
      '<title>A &amp; B</title><defs><linearGradient id="g"><stop offset="0" stop-color="#fff"></stop></linearGradient></defs><g transform="translate(1 2) rotate(-4.5)"><path d="M0 0L1e2-5Z" fill="url(#g)"></path><use href="#g" x="2"></use><text font-family="\'Open Sans\', serif">ü &lt; x</text></g>';
    assert.equal(
      cleaned(inner, 'viewBox="0 0 20 10"'),
      `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 20 10">${inner.replaceAll("'Open Sans'", "'Open Sans'")}</svg>\n`,
    );
  });

  it("keeps plain style sheets and styles", () => {
    assert.equal(
      cleaned("<style>/* x */ .a, #b > g {fill:#f00;behavior:url(x);stroke : url(#c)} </style>"),
      cleaned("<style>.a, #b &gt; g{fill:#f00;stroke:url(#c)}</style>"),
    );
    assert.match(cleaned("<g style='opacity:.5;-inkscape-stroke:none'/>"), / style="opacity:\.5">/);
  });

  it("keeps pictures within it, as bytes", () => {
    const data = "data:image/png;base64,iVBORw0KGgo=";
    assert.match(
      cleaned(`<image xlink:href="${data}"/>`),
      /xlink:href="data:image\/png;base64,iVB/,
    );
  });

  it("draws and does nothing else", () => {
    for (const attack of ATTACKS) {
      assert.match(attack, LIVE);
      const svg = cleaned(`<rect id="before"/>${attack}`);
      const text = svg.replace("&lt;script&gt;", "");
      assert.doesNotMatch(text, LIVE, attack);
      assert.match(svg, /^<svg [^>]*><rect id="before"><\/rect>/, attack);
      assert.equal(sanitizeSvg(svg)?.svg, `${svg.trimEnd()}\n`, `not the same again: ${attack}`);
    }
  });

  it("keeps its letters in the encoding it declares", () => {
    const svg = (declaration: string) => `${declaration}<svg><text>Grüße</text></svg>`;
    const latin = svg('<?xml version="1.0" encoding="iso-8859-1"?>');
    const unknown = svg('<?xml version="1.0" encoding="none-such"?>');
    for (const bytes of [
      Buffer.from(latin, "latin1"),
      Buffer.from(latin),
      Buffer.from(svg("\ufeff")),
      Buffer.from(unknown),
    ]) {
      assert.match(sanitizeSvg(decodeSvgText(bytes))?.svg ?? "", />Grüße</);
    }
    for (const text of [unknown, svg("")]) {
      assert.match(sanitizeSvg(decodeSvgText(Buffer.from(text, "latin1")))?.svg ?? "", /<text>Gr/);
    }
  });

  it("names the parts left out", () => {
    const { removedNames } =
      sanitizeSvg('<svg><script/><rect onclick="x"/><metadata/></svg>') ?? {};
    assert.deepEqual(removedNames, ["script", "onclick"]);
  });

  it("is never made of what declares entities", () => {
    for (const subset of ['[<!ENTITY x "y">]', '[<!ENTITY % x SYSTEM "file:///etc/passwd"> %x;]']) {
      const bomb = `<!DOCTYPE svg ${subset}><svg><text>&x;</text></svg>`;
      assert.throws(() => sanitizeSvg(bomb), {
        code: "invalid",
        message: "The SVG declares entities in its DOCTYPE; save it again as plain SVG",
      });
    }
    const plain =
      '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd"><svg><text>&x;</text></svg>';
    assert.match(sanitizeSvg(plain)?.svg ?? "", /<text>&amp;x;<\/text>/);
  });

  it("is nothing when there is no SVG", () => {
    for (const text of ["", "svg", "<html><svg/></html>", "<SVG/>", "<s:svg/>", "<rss/>"]) {
      assert.equal(sanitizeSvg(text), null, text);
    }
  });

  it("is refused when it is too deep or has too many elements", () => {
    const message = "The SVG has too many elements; save it as PNG or WebP instead";
    assert.throws(() => cleaned("<g>".repeat(101)), { code: "invalid", message });
    assert.throws(() => cleaned("<g/>".repeat(50_001)), { code: "invalid", message });
  });

  it("is refused when it would take too long to paint", () => {
    const message =
      "The SVG would take too long to paint: it repeats elements, masks, filters or dashes too often. Simplify it, or save it as PNG or WebP instead";
    const levels = Array.from(
      { length: 9 },
      (_, at) => `<g id="l${at + 1}">${`<use href="#l${at}"/>`.repeat(8)}</g>`,
    );
    const mask = '<mask id="m"><rect width="9" height="9"/></mask>';
    const refused = [
      `<defs><rect id="l0"/>${levels.join("")}</defs><use href="#l9"/>`,
      `${mask}${'<rect mask="url(#m)"/>'.repeat(100)}`,
      `${mask}<style>g rect{mask:url(#m)}</style>${"<g><rect/></g>".repeat(100)}`,
      '<path d="M0 0H1000" stroke-dasharray=".0001"/>'.repeat(50),
    ];
    for (const inner of refused) {
      assert.throws(() => cleaned(inner), { code: "invalid", message }, inner.slice(0, 80));
    }
    const drawing = `<defs><rect id="l0"/>${levels.slice(0, 2).join("")}</defs><use href="#l2"/>`;
    const circle = '<g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g>';
    for (const inner of [drawing, circle, `${mask}${'<rect mask="url(#m)"/>'.repeat(10)}`]) {
      assert.match(cleaned(inner), /<\/svg>\n$/);
    }
  });

  it("has the size it states, or the proportions of its view", () => {
    const sizes: [string, (number | null)[]][] = [
      ['width="30" height="20px"', [30, 20]],
      ['width="1in" height="25.4mm"', [96, 96]],
      ['width="100%" height="100%" viewBox="0 0 40.4,30.6"', [40, 31]],
      ['viewBox="0 0 0 10"', [null, null]],
      ['width="1e9" height="-1"', [null, null]],
      ["", [null, null]],
    ];
    for (const [attributes, size] of sizes) {
      const { width, height } = sanitizeSvg(`<svg ${attributes}/>`) ?? {};
      assert.deepEqual([width, height], size, attributes);
    }
  });

  it("takes no longer for hostile texts of the size allowed", () => {
    const length = 2 * 1024 * 1024;
    for (const unit of ["a", "(", "a(", "<", "&", "/*", "{", "}", ";", ":", "url(", "<![CDATA["]) {
      const long = unit.repeat(length / unit.length);
      const took = cpuMilliseconds(() => {
        cleaned(`<style>${long}</style>`);
        cleaned(`<path d="${long.replaceAll("<", "")}"/>`);
        cleaned(`<g style="${long.replaceAll("<", "")}"/>`);
      });
      assert(took < 10_000, `${unit} took ${took} ms`);
    }
  });

  it("is refused in little time when its style sheet applies too much to too many elements", () => {
    const names = Array.from({ length: 300 }, (_, at) => at.toString(36)).join(",");
    const properties = "fill font mask color filter marker stroke display opacity".split(" ");
    const ruleOf = (value: number) =>
      `${names}{${properties.map((property) => `${property}:${value}`).join(";")}}`;
    const costly = [
      `<style>*{stroke-dasharray:${"9 ".repeat(100_000)}}</style>${"<g/>".repeat(5000)}`,
      `<style>*{marker:${"url(#a) ".repeat(20_000)}}</style>${"<g/>".repeat(5000)}`,
      `<style>${Array.from({ length: 1800 }, (_, at) => ruleOf(at)).join("")}</style>`,
    ];
    for (const inner of costly) {
      const took = cpuMilliseconds(() => {
        assert.throws(() => cleaned(inner), { code: "invalid", message: /^The SVG would take / });
      });
      assert(took < 2000, `${inner.slice(0, 60)} took ${took} ms`);
    }
  });

  it("is unchanged when cleaned again", () => {
    const name = fc.constantFrom(
      "g",
      "rect",
      "script",
      "style",
      "a",
      "x:y",
      "text",
      "svg",
      "image",
    );
    const attribute = fc.constantFrom("id", "href", "onload", "style", "fill", "xlink:href", "d");
    const value = fc.oneof(fc.string(), fc.constantFrom("url(#a)", "url(x)", "#a", "fill:red"));
    const tag = fc.tuple(name, attribute, value, fc.string(), fc.boolean());
    fc.assert(
      fc.property(fc.array(tag, { maxLength: 12 }), (tags) => {
        const inner = tags.map(([element, key, text, words, isOpen]) => {
          const stated = text.replaceAll(/["<&]/g, "");
          return `<${element} ${key}="${stated}">${words}${isOpen ? "" : `</${element}>`}`;
        });
        const once = cleaned(inner.join(""));
        assert.equal(sanitizeSvg(once)?.svg.trimEnd(), once.trimEnd());
      }),
      { numRuns: 500 },
    );
  });
});
