import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { chownToFolderOwner, makeFolder, moveDurably } from "../../../files/durable-files.ts";

/**
 * Fonts of the site's looks for Latin, Greek, Cyrillic, Arabic and Hebrew. Other scripts use system fonts.
 */
const FONT_FILES: readonly [folder: string, names: readonly string[]][] = [
  [
    "@fontsource-variable/source-serif-4",
    ["latin", "latin-ext", "greek", "cyrillic", "cyrillic-ext", "vietnamese"].map(
      (subset) => `source-serif-4-${subset}-wght-normal`,
    ),
  ],
  ["@fontsource-variable/noto-naskh-arabic", ["noto-naskh-arabic-arabic-wght-normal"]],
  ["@fontsource-variable/frank-ruhl-libre", ["frank-ruhl-libre-hebrew-wght-normal"]],
];

/** Family names as given in the files, in order of preference. */
export const FONT_FAMILIES =
  "Source Serif 4, Noto Naskh Arabic, Frank Ruhl Libre, Noto Serif CJK SC, serif";

const { resolve } = createRequire(import.meta.url);

/** Configuration that makes fontconfig search this folder and the system's fonts. */
export function fontconfigXml(folder: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
<include ignore_missing="yes">/etc/fonts/fonts.conf</include>
<dir>${escaped(folder)}</dir>
<cachedir>${escaped(join(folder, "cache"))}</cachedir>
</fontconfig>
`;
}

/** Writes the fonts as TrueType files, the format that the drawing library reads. */
export async function unpackFonts(folder: string): Promise<void> {
  makeFolder(folder);
  for (const [from, names] of FONT_FILES) {
    for (const name of names) {
      const file = join(folder, `${name}.ttf`);
      if (existsSync(file)) continue;
      const { default: decompress } = await import("wawoff2/decompress.js");
      const packed = await readFile(resolve(`${from}/files/${name}.woff2`));
      const part = `${file}.new`;
      await writeFile(part, await decompress(packed), { flush: true });
      chownToFolderOwner(folder, part);
      await moveDurably(part, file);
    }
  }
}

function escaped(path: string): string {
  return path.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
