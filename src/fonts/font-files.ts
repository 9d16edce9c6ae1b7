import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { type FontFamily, type FontFamilyName, WEB_FONT_FAMILIES } from "./families.ts";

/** One file of a family, for the `@font-face` rule that loads it. */
export interface FontFace {
  family: FontFamilyName;
  style: "normal" | "italic";
  /** One weight, such as `400`, or the first and last weight of a range, such as `200 900`. */
  weight: string;
  subset: string;
  /** As in CSS; browsers load the file only for characters in the range. */
  unicodeRange: string;
  /** URL path; contains a hash of the bytes. */
  path: string;
}

const FONTS_FOLDER = "/assets/fonts/";
const HASH_CHARACTERS = 12;

const { resolve } = createRequire(import.meta.url);
const faces = new Map<FontFamilyName, readonly FontFace[]>();
const files = new Map<string, Uint8Array>();

/** All faces of a family, read from its package on first use. */
export function readFontFaces(family: FontFamilyName): readonly FontFace[] {
  const known = faces.get(family);
  if (known !== undefined) return known;
  const read = readFaces(family, WEB_FONT_FAMILIES[family]);
  faces.set(family, read);
  return read;
}

/** The WOFF2 file at an address; null if there is none. */
export function readFontFile(path: string): Uint8Array | null {
  if (!path.startsWith(FONTS_FOLDER)) return null;
  const known = files.get(path);
  if (known !== undefined) return known;
  const family = familyOf(path.slice(FONTS_FOLDER.length));
  if (family === null || faces.has(family)) return null;
  readFontFaces(family);
  return files.get(path) ?? null;
}

function familyOf(name: string): FontFamilyName | null {
  for (const family of familyNames()) {
    if (name.startsWith(`${WEB_FONT_FAMILIES[family].file}-`)) return family;
  }
  return null;
}

function* familyNames(): Generator<FontFamilyName> {
  for (const name in WEB_FONT_FAMILIES) if (isFamily(name)) yield name;
}

function isFamily(name: string): name is FontFamilyName {
  return Object.hasOwn(WEB_FONT_FAMILIES, name);
}

function readFaces(
  family: FontFamilyName,
  { package: fontPackage, file, ...variants }: FontFamily,
): FontFace[] {
  const ranges: Partial<Record<string, string>> = JSON.parse(
    readFileSync(resolve(`${fontPackage}/unicode.json`), "utf8"),
  );
  return variants.styles.flatMap((style) =>
    variants.weights.flatMap((weight) =>
      variants.subsets.map((subset) => {
        const name = `${file}-${subset}-${weight.includes(" ") ? "wght" : weight}-${style}`;
        const bytes = readFileSync(resolve(`${fontPackage}/files/${name}.woff2`));
        const path = `${FONTS_FOLDER}${name}-${hash("sha256", bytes).slice(0, HASH_CHARACTERS)}.woff2`;
        files.set(path, bytes);
        return {
          family,
          style,
          weight,
          subset,
          unicodeRange: ranges[subset] ?? "U+0-10FFFF",
          path,
        };
      }),
    ),
  );
}
