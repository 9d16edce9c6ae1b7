import { mkdir, writeFile } from "node:fs/promises";
import { basename, extname, join } from "node:path";
import { stringify } from "yaml";
import { slugOf } from "../../content/addresses/paths.ts";
import type { ConvertedWordDocument } from "../../content/import/word/word-markdown.ts";
import type {
  WordOmissionCounter,
  WordTextLosses,
} from "../../content/import/word/word-omissions.ts";
import { checkWordParts } from "../../content/import/word/word-parts.ts";
import { AppError } from "../../errors.ts";
import { LimitedThread } from "../../work/limited-thread.ts";

/** A document as Markdown, in which its pictures are called `picture-1` and so on. */
export interface WordText extends ConvertedWordDocument, WordTextLosses {
  pictures: { kind: string; bytes: Uint8Array }[];
}

const thread = new LimitedThread<string, WordText>({
  program: new URL("./word-thread.ts", import.meta.url),
  verb: "read",
});

/**
 * File extensions of pictures that browsers show; other pictures, such as Windows metafiles, are
 * reported.
 */
const PICTURE_EXTENSIONS: Readonly<Record<string, string>> = {
  ...{ "image/png": "png", "image/jpeg": "jpg", "image/gif": "gif", "image/webp": "webp" },
  ...{ "image/svg+xml": "svg", "image/avif": "avif" },
};

const PICTURE_PLACEHOLDER = /!\[([^\]]*)\]\(picture-(\d+)\)/g;

export function isWordDocument(path: string): boolean {
  return /\.docx$/i.test(path);
}

/**
 * Writes a Word document into a folder as Markdown, with its pictures.
 *
 * @returns the Markdown file, and the parts of the document that are left out.
 * @throws {AppError} `invalid` if the document is damaged or too large.
 */
export async function unpackWordDocument(
  path: string,
  folder: string,
): Promise<{ file: string; leftOut: WordOmissionCounter }> {
  const leftOut = await checkWordParts(path);
  const read = await thread.run(path);
  if ("refusal" in read)
    throw new AppError("invalid", {
      en: `Cannot read ${path}: it ${read.refusal.en}`,
      de: `${path} lässt sich nicht lesen: Es ${read.refusal.de}`,
    });
  leftOut.addTexts(read);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const names = read.pictures.map(({ kind }, at) => {
    const extension = PICTURE_EXTENSIONS[kind];
    return extension === undefined ? null : `picture-${at + 1}.${extension}`;
  });
  for (const [at, { kind, bytes }] of read.pictures.entries()) {
    const picture = names[at];
    const form = kind.replace("image/", "");
    if (picture) await writeFile(join(folder, picture), bytes, { mode: 0o600 });
    else leftOut.add({ en: `pictures of the kind ${form}`, de: `Bilder der Form ${form}` });
  }
  const markdown = read.markdown.replace(
    PICTURE_PLACEHOLDER,
    (_all, alt: string, number: string) => {
      const picture = names[Number(number) - 1];
      return picture ? `![${alt}](${picture})` : alt;
    },
  );
  const name = basename(path, extname(path));
  const head = ["---", `${stringify({ title: read.title ?? name })}---`, "", ""].join("\n");
  const file = join(folder, `${slugOf(name) || "document"}.md`);
  await writeFile(file, `${head}${markdown}`, { mode: 0o600 });
  return { file, leftOut };
}
