import { parentPort } from "node:worker_threads";
import mammoth from "mammoth";
import { wordMarkdown } from "../../content/import/word/word-markdown.ts";
import type { ThreadReply } from "../../work/limited-thread.ts";
import type { WordText } from "./unpack-word.ts";

/** Styles that mammoth does not map by itself, including German names of styles. */
const STYLE_MAP = [
  ...["Title", "Titel"].map((name) => `p[style-name='${name}'] => h1:fresh`),
  ...[1, 2, 3, 4, 5, 6].map((level) => `p[style-name='Überschrift ${level}'] => h${level}:fresh`),
  ...["Quote", "Intense Quote", "Quotations", "Zitat", "Block Text"].map(
    (name) => `p[style-name='${name}'] => blockquote > p:fresh`,
  ),
  ...["HTML Preformatted", "Preformatted Text"].map(
    (name) => `p[style-name='${name}'] => pre:separator('\\n')`,
  ),
];

parentPort?.on("message", (path: string) => {
  void replyTo(path).then((reply) => parentPort?.postMessage(reply));
});

async function replyTo(path: string): Promise<ThreadReply<WordText>> {
  const pictures: WordText["pictures"] = [];
  const convertImage = mammoth.images.imgElement(async (image) => {
    const bytes = await image.readAsArrayBuffer();
    pictures.push({ kind: image.contentType, bytes: new Uint8Array(bytes) });
    return { src: `picture-${pictures.length}` };
  });
  try {
    const { value } = await mammoth.convertToHtml({ path }, { styleMap: STYLE_MAP, convertImage });
    const page = wordMarkdown(value);
    return page === null
      ? { refusal: { en: "nests too deep", de: "ist zu tief verschachtelt" } }
      : { ...page, pictures };
  } catch {
    // The library throws only because of the file: a part is missing or malformed.
    const refusal = {
      en: "is damaged or not a Word document; save it again in Word or LibreOffice",
      de: "ist beschädigt oder kein Word-Dokument: Speichern Sie es noch einmal in Word oder LibreOffice",
    };
    return { refusal };
  }
}
