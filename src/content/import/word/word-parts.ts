import type { Wording } from "../../../errors.ts";
import { type OfficePartLimits, openOfficeParts, readWholePart } from "../tables/office-parts.ts";
import { WordOmissionCounter } from "./word-omissions.ts";

/**
 * Limit on a document's XML. A thousand pages take 10 MiB; the parsed tree takes twenty times as
 * much memory.
 */
const XML_BYTES_MAX = 16 * 1024 * 1024;
const PICTURE_BYTES_MAX = 256 * 1024 * 1024;
export const WORD_PART_LIMITS: OfficePartLimits = {
  documentName: { en: "the Word document", de: "Das Word-Dokument" },
  unpackedBytesMax: PICTURE_BYTES_MAX,
  depthMax: 200,
};

/** Elements without a Markdown equivalent, with the names that messages use. */
const LEFT_OUT: Readonly<Record<string, Wording>> = {
  altChunk: { en: "inserted documents", de: "eingefügte Dokumente" },
  oMath: { en: "formulas", de: "Formeln" },
  commentReference: { en: "comments", de: "Kommentare" },
  chart: { en: "charts", de: "Diagramme" },
  relIds: { en: "diagrams", de: "SmartArt-Grafiken" },
};

/**
 * Refuses a Word document with parts that are too large or nest too deep, before later steps read
 * it. Unpacks all parts, but keeps none in memory.
 *
 * @returns the number of unsupported parts, by name.
 * @throws {AppError} `invalid` if the document is damaged, encrypted or too large.
 */
export async function checkWordParts(path: string): Promise<WordOmissionCounter> {
  await using parts = await openOfficeParts(path, WORD_PART_LIMITS);
  const leftOut = new WordOmissionCounter();
  const onOpen = (name: string) => {
    const what = LEFT_OUT[name];
    if (what !== undefined) leftOut.add(what, { isContent: name !== "commentReference" });
  };
  const isXml = (name: string) => /\.(?:xml|rels)$/i.test(name);
  await using texts = await openOfficeParts(path, {
    ...WORD_PART_LIMITS,
    unpackedBytesMax: XML_BYTES_MAX,
  });
  for (const name of texts.names.filter(isXml)) {
    await readWholePart(texts, name, { onOpen: name === "word/document.xml" ? onOpen : () => {} });
  }
  for (const name of parts.names.filter((each) => !isXml(each))) await parts.checkSize(name);
  return leftOut;
}
