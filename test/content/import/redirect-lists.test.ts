import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { readOldAddresses } from "../../../src/content/import/redirects/old-addresses.ts";
import {
  isRedirectList,
  readRedirectList,
} from "../../../src/content/import/redirects/redirect-list.ts";

/** Rules as `from → to`, and lines that make none. */
function read(file: string, text: string) {
  const { rules, unused } = readRedirectList(file, text);
  return {
    rules: rules.map(({ line, from, to }) => `${line} ${from} → ${to ?? "gone"}`),
    skipped: unused.filter(({ losesRedirect }) => !losesRedirect).map(({ line }) => line),
    lost: unused.filter(({ losesRedirect }) => losesRedirect).map(({ line }) => line),
  };
}

describe("a list of redirects", () => {
  it("is read from the directives of .htaccess, as Apache means them", () => {
    const lines = [
      "# Redirect 301 /comment /never",
      "Redirect 301 /about-us /about",
      "Redirect permanent /old.html https://other.example/new",
      'RedirectPermanent "/two words" /words',
      "Redirect /temporary/ /now/",
      "Redirect gone /away",
      "RedirectMatch 301 ^/blog/(.*)$ /news/$1",
      "RedirectMatch 301 ^/shop(.*)$ https://shop.example$1",
      String.raw`RedirectMatch 301 "^/page\.html$" /page`,
      "RedirectMatch 301 ^/(a|b)/(.*)$ /c/$2",
      "<IfModule mod_rewrite.c>",
      "RewriteEngine On",
      "RewriteCond %{HTTPS} off",
      "RewriteRule ^(.*)$ https://%{HTTP_HOST}/$1 [R=301,L]",
      "RewriteCond %{QUERY_STRING} ^p=12$",
      "RewriteRule ^$ /spring? [R=301,L]",
      "RewriteCond %{REQUEST_FILENAME} !-f",
      "RewriteRule ^archive/(.*) /old/$1 [L,R]",
      "RewriteRule ^team/?$ /people [R=301,NC,L]",
      "RewriteRule . /index.php [L]",
      "RewriteRule ^tag/([a-z]+)/?$ /topics/$1 [R=301]",
      "RewriteCond %{REMOTE_ADDR} ^10",
      "RewriteRule ^x$ /y [R]",
      "</IfModule>",
      "ErrorDocument 404 /404.html",
      "Redirect 301 /nothing",
      "Redirect 999 /x /y",
      `RewriteRule ^${"(".repeat(5000)} /x [R]`,
    ];
    assert.deepEqual(read("site/.htaccess", lines.join("\r\n")), {
      rules: [
        "2 /about-us → /about",
        "2 /about-us/* → /about/:splat",
        "3 /old.html → https://other.example/new",
        "4 /two words → /words",
        "4 /two words/* → /words/:splat",
        "5 /temporary/ → /now/",
        "5 /temporary/* → /now/:splat",
        "6 /away → gone",
        "6 /away/* → gone",
        "7 /blog/* → /news/:splat",
        "8 /shop/* → https://shop.example/:splat",
        "9 /page.html → /page",
        "16 /?p=12 → /spring",
        "18 /archive/* → /old/:splat",
        "19 /team → /people",
      ],
      skipped: [14, 20],
      lost: [10, 21, 23, 26, 27, 28],
    });
  });

  it("keeps addresses that are gone, and takes no rule against robots for one", () => {
    const lines = [
      ...["RewriteRule ^left/?$ - [G,L]", "RewriteRule ^shut/(.*)$ - [gone]"],
      ...["RewriteCond %{QUERY_STRING} ^id=7$", "RewriteRule ^$ - [G]"],
      ...["RewriteCond %{HTTP_USER_AGENT} BadBot [NC]", "RewriteRule .* - [G]"],
      ...["RewriteRule ^sold$ / [R=410]", "RedirectMatch 410 ^/a(b|c)$"],
    ];
    assert.deepEqual(read(".htaccess", lines.join("\n")), {
      rules: ["1 /left → gone", "2 /shut/* → gone", "4 /?id=7 → gone", "7 /sold → gone"],
      skipped: [6],
      lost: [8],
    });
  });

  it("takes conditions joined by OR as alternatives, and never for conditions that both hold", () => {
    const rule = "RewriteRule ^$ /spring? [R=301,L]";
    const query = (value: string) => `RewriteCond %{QUERY_STRING} ^${value}$`;
    const lines = [
      ...[`${query("p=1")} [OR]`, `${query("p=2")} [NC,OR]`, query("p=3"), rule],
      ...[query("p=4"), query("q=5"), rule],
      ...[`${query("p=6")} [OR]`, "RewriteCond %{REMOTE_ADDR} ^10", rule],
      ...["RewriteCond %{HTTPS} off [OR]", "RewriteCond %{HTTP_HOST} ^www", rule],
      ...["RewriteCond %{REMOTE_ADDR} ^10 [OR]", "RewriteCond %{REQUEST_FILENAME} !-f"],
      "RewriteRule ^x$ /y [R]",
      ...[query("p=7"), rule],
    ];
    assert.deepEqual(read("site/.htaccess", lines.join("\n")), {
      rules: ["4 /?p=1 → /spring", "4 /?p=2 → /spring", "4 /?p=3 → /spring"].concat([
        "16 /x → /y",
        "18 /?p=7 → /spring",
      ]),
      skipped: [13],
      lost: [7, 10],
    });
  });

  it("is read from _redirects, as Netlify and Cloudflare mean it", () => {
    const lines = [
      "/home              /",
      "/blog/*            /news/:splat   301  # all of it",
      "/posts/:slug       /news/:slug",
      "/store  id=7       /shop/seven    301!",
      "/store  id=:id     /shop/:id",
      "/app/*             /index.html    200",
      "/de/*              /german/:splat 302  Language=de",
      "/elsewhere         https://other.example/",
      "",
      "# a comment",
      "/alone",
    ];
    assert.deepEqual(read("_redirects", lines.join("\n")), {
      rules: [
        "1 /home → /",
        "2 /blog/* → /news/:splat",
        "3 /posts/* → /news/:splat",
        "4 /store?id=7 → /shop/seven",
        "8 /elsewhere → https://other.example/",
      ],
      skipped: [6],
      lost: [5, 7, 11],
    });
  });

  it("is read from tables with or without names of columns, in any order", () => {
    const named =
      "Status;New URL;Old URL\n301;/new;https://old.example/a?x=1\n410;;/gone\n301;/b;\n";
    assert.deepEqual(read("moves.csv", named), {
      rules: ["2 /a?x=1 → /new", "3 /gone → gone"],
      skipped: [],
      lost: [4],
    });
    const bare =
      '/a,/b\n\nhttps://old.example/c,https://old.example/d#x\n"/e,f",https://new.example/\n';
    assert.deepEqual(read("moves.csv", bare).rules, [
      "1 /a → /b",
      "3 /c → /d#x",
      "4 /e,f → https://new.example/",
    ]);
    assert.ok(isRedirectList("any.csv", () => named));
    assert.ok(isRedirectList("any.csv", () => bare));
    assert.ok(!isRedirectList("any.csv", () => "Name,Born\nSeneca,-4\n"));
    assert.ok(!isRedirectList("any.txt", () => bare));
  });
});

describe("a hostile list of redirects", () => {
  const long = 4 * 1024 * 1024;
  const texts: [string, string, string][] = [
    ["a line without end", "_redirects", `${" #".repeat(long / 2 - 1)}\u2028`],
    ["quotation marks without end", ".htaccess", `Redirect ${'"'.repeat(long)}`],
    ["an expression that nests", ".htaccess", `RedirectMatch ${"(".repeat(3900)} /x`],
    ["more lines than any site has", "a.csv", "/a,/b\n".repeat(30_000)],
  ];
  for (const [what, file, text] of texts) {
    it(`is refused with its place: ${what}`, () => {
      const { rules, lost } = read(file, text);
      assert.deepEqual({ rules, lost }, { rules: [], lost: [1] });
    });
  }
});

describe("a list of old addresses", () => {
  it("is read from lines, tables and sitemaps", async () => {
    assert.deepEqual(
      await readOldAddresses(Buffer.from("/a\nhttps://old.example/b?p=1#x\n\nno address\n/a\n")),
      ["/a", "/b?p=1", "no address"],
    );
    assert.deepEqual(
      await readOldAddresses(Buffer.from("url,visits\nhttps://old.example/ü,12\n")),
      ["/%C3%BC"],
    );
    const sitemap =
      '<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://old.example/c?a=1&amp;b=2</loc><lastmod>2020-01-01</lastmod></url></urlset>';
    assert.deepEqual(await readOldAddresses(Buffer.from(sitemap)), ["/c?a=1&b=2"]);
    const long = Array.from({ length: 3000 }, (_, n) => `<url><loc>/page-${n}-&#228;</loc></url>`);
    const found = await readOldAddresses(Buffer.from(`<urlset>${long.join("\n")}</urlset>`));
    assert.deepEqual([found.length, found.at(-1)], [3000, "/page-2999-%C3%A4"]);
  });
});
