import { zipOf } from "./workbook-bytes.ts";

/** The parts of a Word document. Absent parts have the usual content. */
export interface WordSource {
  /** The body as WordprocessingML. */
  body: string;
  /** Names of paragraph styles by id. */
  styles?: Readonly<Record<string, string>>;
  footnotes?: string;
  /** Link addresses by relation id. */
  links?: Readonly<Record<string, string>>;
  /** A picture, with the relation id `picture`. */
  picture?: { name: string; bytes: Buffer };
  /** Formats of the list levels, `bullet` or `decimal`, of the list with number 1. */
  list?: readonly string[];
  /** What else `numbering.xml` has. */
  numbering?: string;
  /** Names of parts that the program does not write. */
  without?: readonly string[];
  more?: readonly { name: string; bytes: Buffer; claims?: number }[];
}

const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const NAMES = `${W} xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture" xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape" xmlns:v="urn:schemas-microsoft-com:vml" xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml"`;
const RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

/** A paragraph with these properties. `content` is text or runs. */
export function paragraph(content: string, properties = ""): string {
  const runs = content.startsWith("<") ? content : run(content);
  return `<w:p>${properties === "" ? "" : `<w:pPr>${properties}</w:pPr>`}${runs}</w:p>`;
}

export function run(text: string, properties = ""): string {
  return `<w:r><w:rPr>${properties}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`;
}

export function styled(id: string, text: string): string {
  return paragraph(text, `<w:pStyle w:val="${id}"/>`);
}

export function listed(text: string, level = 0): string {
  return paragraph(text, `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="1"/></w:numPr>`);
}

export function table(...rows: readonly (readonly string[])[]): string {
  const cell = (text: string) => `<w:tc>${paragraph(text)}</w:tc>`;
  const all = rows.map((cells) => `<w:tr>${cells.map(cell).join("")}</w:tr>`).join("");
  return `<w:tbl>${all}</w:tbl>`;
}

export function noteMark(id: number): string {
  return `<w:r><w:footnoteReference w:id="${id}"/></w:r>`;
}

export function drawing(description: string): string {
  return `<w:r><w:drawing><wp:inline><wp:docPr id="1" name="P" descr="${description}"/><a:graphic><a:graphicData><pic:pic><pic:blipFill><a:blip r:embed="picture"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>`;
}

/** A DOCX file. */
export function wordOf(source: WordSource): Buffer {
  const { body, styles = {}, footnotes = "", links = {}, picture, list = [], more = [] } = source;
  const { numbering = "", without = [] } = source;
  const relation = (id: string, kind: string, target: string, mode = "") =>
    `<Relationship Id="${id}" Type="${RELATIONS}/${kind}" Target="${target}"${mode}/>`;
  const relations = [
    relation("s", "styles", "styles.xml"),
    relation("n", "numbering", "numbering.xml"),
    relation("f", "footnotes", "footnotes.xml"),
    ...(picture === undefined ? [] : [relation("picture", "image", `media/${picture.name}`)]),
    ...Object.entries(links).map(([id, url]) =>
      relation(id, "hyperlink", url, ' TargetMode="External"'),
    ),
  ];
  const shapes = Object.entries(styles).map(
    ([id, name]) =>
      `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${name}"/></w:style>`,
  );
  const levels = list.map(
    (format, level) => `<w:lvl w:ilvl="${level}"><w:numFmt w:val="${format}"/></w:lvl>`,
  );
  const xml = (name: string, text: string) => ({
    name,
    bytes: Buffer.from(`<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n${text}`),
  });
  const pack = "http://schemas.openxmlformats.org/package/2006";
  const parts = [
    xml(
      "[Content_Types].xml",
      `<Types xmlns="${pack}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Default Extension="png" ContentType="image/png"/><Default Extension="emf" ContentType="image/x-emf"/></Types>`,
    ),
    xml(
      "_rels/.rels",
      `<Relationships xmlns="${pack}/relationships">${relation("d", "officeDocument", "word/document.xml")}</Relationships>`,
    ),
    xml(
      "word/_rels/document.xml.rels",
      `<Relationships xmlns="${pack}/relationships">${relations.join("")}</Relationships>`,
    ),
    xml("word/document.xml", `<w:document ${NAMES}><w:body>${body}</w:body></w:document>`),
    xml("word/styles.xml", `<w:styles ${W}>${shapes.join("")}</w:styles>`),
    xml(
      "word/numbering.xml",
      `<w:numbering ${W}><w:abstractNum w:abstractNumId="0">${levels.join("")}</w:abstractNum>${numbering}<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>`,
    ),
    xml("word/footnotes.xml", `<w:footnotes ${W}>${footnotes}</w:footnotes>`),
    ...(picture === undefined
      ? []
      : [{ name: `word/media/${picture.name}`, bytes: picture.bytes }]),
    ...more,
  ];
  return zipOf(parts.filter(({ name }) => !without.includes(name)));
}
