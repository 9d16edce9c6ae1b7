import assert from "node:assert/strict";
import { it } from "node:test";
import { chooseErrorVariant, choosePageVariant } from "../../src/http/accept.ts";
import { chooseEncoding } from "../../src/http/encoding.ts";

const VARIANTS: [string | undefined, ReturnType<typeof choosePageVariant>][] = [
  [undefined, "html"],
  ["", "html"],
  ["*/*", "html"],
  ["text/*", "html"],
  ["text/markdown", "markdown"],
  ["text/markdown, text/html, */*", "markdown"],
  ["text/html, text/markdown", "markdown"],
  ["text/html, text/markdown;q=0.9", "html"],
  ["text/html;q=0, */*", "markdown"],
  ["text/html;q=0, text/markdown;q=0", null],
  ["text/markdown;q=0, */*", "html"],
  ["application/json", null],
  ["*/*;q=0", null],
  ["TEXT/MARKDOWN", "markdown"],
  ["text/markdown;variant=GFM;q=0.5, text/html;q=0.4", "markdown"],
  ["nonsense", "html"],
];

for (const [accept, expected] of VARIANTS) {
  it(`answers Accept: ${accept} with ${expected}`, () => {
    assert.equal(choosePageVariant(accept), expected);
  });
}

const ERRORS: [string | undefined, ReturnType<typeof chooseErrorVariant>][] = [
  [undefined, "markdown"],
  ["*/*", "markdown"],
  ["text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "html"],
  ["text/markdown, text/html, */*", "markdown"],
  ["application/json", "problem"],
  ["application/problem+json, application/json;q=0.9", "problem"],
  ["application/json, text/plain, */*", "markdown"],
];

for (const [accept, expected] of ERRORS) {
  it(`words errors for Accept: ${accept} as ${expected}`, () => {
    assert.equal(chooseErrorVariant(accept), expected);
  });
}

const ENCODINGS: [string | undefined, number, ReturnType<typeof chooseEncoding>][] = [
  [undefined, 5000, "identity"],
  ["gzip, deflate, br, zstd", 5000, "zstd"],
  ["gzip, deflate, br, zstd", 100, "identity"],
  ["gzip", 5000, "gzip"],
  ["br;q=0.5, gzip", 5000, "gzip"],
  ["br;q=0, *", 5000, "zstd"],
  ["identity", 5000, "identity"],
  ["*;q=0", 5000, "identity"],
  ["identity;q=1, gzip;q=0.5", 5000, "identity"],
  ["gzip;q=1.0, identity;q=0.5, *;q=0", 5000, "gzip"],
  ["gzip, identity", 5000, "gzip"],
];

for (const [accept, bytes, expected] of ENCODINGS) {
  it(`sends ${bytes} bytes as ${expected} for Accept-Encoding: ${accept}`, () => {
    assert.equal(chooseEncoding(accept, bytes), expected);
  });
}
