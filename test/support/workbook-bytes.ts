import { crc32, deflateRawSync } from "node:zlib";

/** An entry of a ZIP. `claims`: a false unpacked size; `mode`: the Unix mode. */
interface ZipPart {
  name: string;
  bytes: Buffer;
  claims?: number;
  mode?: number;
}

/** A ZIP file with deflated parts. */
export function zipOf(parts: readonly ZipPart[]): Buffer {
  const locals: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const { name, bytes, claims = bytes.length, mode = 0 } of parts) {
    const packed = deflateRawSync(bytes);
    const facts = Buffer.alloc(26);
    facts.writeUInt16LE(20, 0);
    facts.writeUInt16LE(8, 4);
    facts.writeUInt32LE(crc32(bytes), 10);
    facts.writeUInt32LE(packed.length, 14);
    facts.writeUInt32LE(claims, 18);
    facts.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from("PK\x03\x04"), facts, Buffer.from(name), packed]);
    const tail = Buffer.alloc(14);
    tail.writeUInt16LE(mode, 8);
    tail.writeUInt32LE(offset, 10);
    const made = Buffer.from([20, 0]);
    central.push(Buffer.concat([Buffer.from("PK\x01\x02"), made, facts, tail, Buffer.from(name)]));
    locals.push(local);
    offset += local.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", "latin1");
  end.writeUInt16LE(parts.length, 8);
  end.writeUInt16LE(parts.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, directory, end]);
}

/** A cell: text, a number, a day as its serial number, a formula with its value, or an error. */
export type SheetCell =
  | string
  | number
  | null
  | { serial: number }
  | { formula: string; value: string }
  | { error: string };

export interface SheetSource {
  name: string;
  rows: readonly (readonly SheetCell[])[];
  merged?: readonly string[];
  hidden?: boolean;
}

const STYLES = `<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><numFmts count="1"><numFmt numFmtId="164" formatCode="[$-407]d\\.\\ mmmm\\ yyyy"/></numFmts><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="164"/></cellXfs></styleSheet>`;

/** An XLSX file as spreadsheet programs write it. Its texts are alternately shared and inline. */
export function workbookOf(sheets: readonly SheetSource[], more: readonly ZipPart[] = []): Buffer {
  const shared: string[] = [];
  const sheetParts = sheets.map((sheet, at) => ({
    name: `xl/worksheets/sheet${at + 1}.xml`,
    bytes: Buffer.from(sheetXml(sheet, shared)),
  }));
  const list = sheets.map(
    ({ name, hidden }, at) =>
      `<sheet name="${name}" sheetId="${at + 1}"${hidden === true ? ' state="hidden"' : ""} r:id="rId${at + 1}"/>`,
  );
  const relations = sheets.map(
    (_sheet, at) => `<Relationship Id="rId${at + 1}" Target="worksheets/sheet${at + 1}.xml"/>`,
  );
  const texts = shared.map((text) => `<si><t xml:space="preserve">${escaped(text)}</t></si>`);
  return zipOf([
    {
      name: "xl/workbook.xml",
      bytes: Buffer.from(`<workbook><sheets>${list.join("")}</sheets></workbook>`),
    },
    {
      name: "xl/_rels/workbook.xml.rels",
      bytes: Buffer.from(`<Relationships>${relations.join("")}</Relationships>`),
    },
    { name: "xl/styles.xml", bytes: Buffer.from(STYLES) },
    { name: "xl/sharedStrings.xml", bytes: Buffer.from(`<sst>${texts.join("")}</sst>`) },
    ...sheetParts,
    ...more,
  ]);
}

function sheetXml({ rows, merged = [] }: SheetSource, shared: string[]): string {
  const body = rows.map((cells, row) => {
    const filled = cells.map((cell, at) =>
      cell === null ? "" : cellXml(cell, `${letters(at)}${row + 1}`, shared),
    );
    return `<row r="${row + 1}">${filled.join("")}</row>`;
  });
  const merges = merged.map((ref) => `<mergeCell ref="${ref}"/>`).join("");
  return `<worksheet><sheetData>${body.join("")}</sheetData><mergeCells>${merges}</mergeCells></worksheet>`;
}

function cellXml(cell: Exclude<SheetCell, null>, ref: string, shared: string[]): string {
  if (typeof cell === "number") return `<c r="${ref}"><v>${cell}</v></c>`;
  if (typeof cell !== "string") {
    if ("serial" in cell) return `<c r="${ref}" s="1"><v>${cell.serial}</v></c>`;
    if ("error" in cell) return `<c r="${ref}" t="e"><v>${cell.error}</v></c>`;
    return `<c r="${ref}" t="str"><f>${escaped(cell.formula)}</f><v>${escaped(cell.value)}</v></c>`;
  }
  if (shared.length % 2 === 1 && shared.at(-1) !== cell) {
    shared.push("unused");
    return `<c r="${ref}" t="inlineStr"><is><r><t>${escaped(cell.slice(0, 1))}</t></r><r><t xml:space="preserve">${escaped(cell.slice(1))}</t></r></is></c>`;
  }
  shared.push(cell);
  return `<c r="${ref}" t="s"><v>${shared.length - 1}</v></c>`;
}

function letters(at: number): string {
  return String.fromCharCode(65 + at);
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
