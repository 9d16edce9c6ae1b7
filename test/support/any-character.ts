import fc from "fast-check";

const SURROGATES_FROM = 0xd800;
const SURROGATES = 0x800;

/** Any Unicode character. fast-check's unit "binary" takes seconds to list them, in each test file. */
export const anyCharacter = fc
  .nat(0x10ffff - SURROGATES)
  .map((number) => String.fromCodePoint(number < SURROGATES_FROM ? number : number + SURROGATES));
