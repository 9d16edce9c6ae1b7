import { AppError } from "../../../errors.ts";
import { readDateStyleIndexes } from "./cell-formats.ts";
import { type OfficeParts, openOfficeParts, readWholePart } from "./office-parts.ts";
import {
  columnIndexOf,
  decodeSheetEscapes,
  type MergedCells,
  type SheetContext,
  SheetReader,
} from "./sheet-rows.ts";
import type { Table, TableRow } from "./table.ts";

/** Limit on the shared strings, which stay in memory while a sheet is read. */
const STRINGS_CHARACTERS_MAX = 48 * 1024 * 1024;
const STRINGS_MAX = 2_000_000;
const MERGES_MAX = 100_000;

export interface Workbook extends Table, AsyncDisposable {
  sheet: string;
  /** Names of all sheets. */
  sheets: readonly string[];
}

interface Sheet {
  name: string;
  relation: string;
  isHidden: boolean;
}

/**
 * Opens a sheet of an XLSX file: the one with this name, or else the first visible one.
 *
 * @throws {AppError} `invalid` if the file is damaged or too large, or if there is no such sheet.
 */
export async function openWorkbook(path: string, sheetName?: string): Promise<Workbook> {
  await using opened = new AsyncDisposableStack();
  const parts = opened.use(await openOfficeParts(path));
  const { sheets, isFrom1904 } = await readSheets(parts);
  const sheet = chosenSheet(sheets, sheetName);
  const targets = await readTargets(parts);
  const part = targets.get(sheet.relation) ?? "";
  const strings = await readStrings(parts, partEnding(parts, "sharedStrings.xml"));
  const styles = await readDateStyleIndexes(parts, partEnding(parts, "styles.xml"));
  const { merges, links } = await readMerges(parts, part);
  const context = { strings, dateStyles: styles, isFrom1904, merges };
  const others = sheets.filter((other) => other !== sheet).map(({ name }) => `"${name}"`);
  const comments = parts.names.filter((name) => /\/(?:threadedC|c)omments?\d*\.xml$/.test(name));
  const leftOut = [
    {
      what: {
        en: `other sheets (${others.slice(0, 5).join(", ")})`,
        de: `andere Tabellenblätter (${others.slice(0, 5).join(", ")})`,
      },
      count: others.length,
      reason: {
        en: "one sheet is read at a time: name the other one",
        de: "gelesen wird eines: Nennen Sie das andere",
      },
      isContent: true,
    },
    {
      what: { en: "links behind cells", de: "Links hinter Zellen" },
      count: links,
      reason: {
        en: "only their text is read; write the address into a cell of its own",
        de: "gelesen wird nur ihr Text; schreiben Sie die Adresse in eine eigene Zelle",
      },
      isContent: false,
    },
    {
      what: { en: "sheets with comments", de: "Tabellenblätter mit Kommentaren" },
      count: comments.length,
      reason: {
        en: "comments of cells are not read",
        de: "Kommentare von Zellen werden nicht gelesen",
      },
      isContent: false,
    },
  ];
  const owned = opened.move();
  return {
    sheet: sheet.name,
    sheets: sheets.map(({ name }) => name),
    form: { en: `the sheet "${sheet.name}"`, de: `das Tabellenblatt „${sheet.name}“` },
    leftOut: leftOut.filter(({ count }) => count > 0),
    rows: () => sheetRows(parts, part, context),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

async function* sheetRows(
  parts: OfficeParts,
  part: string,
  context: SheetContext,
): AsyncGenerator<TableRow> {
  const reader = new SheetReader(context);
  for await (const _piece of parts.read(part, reader)) yield* reader.takeRows();
}

async function readSheets(
  parts: OfficeParts,
): Promise<{ sheets: readonly Sheet[]; isFrom1904: boolean }> {
  const sheets: Sheet[] = [];
  let isFrom1904 = false;
  await readWholePart(parts, partEnding(parts, "workbook.xml"), {
    onOpen(name, attributes) {
      if (name === "workbookPr") isFrom1904 = /^(?:1|true)$/.test(attributes["date1904"] ?? "");
      if (name !== "sheet") return;
      const relation =
        Object.entries(attributes).find(([key]) => /(?:^|:)id$/.test(key))?.[1] ?? "";
      const isHidden = /hidden/i.test(attributes["state"] ?? "");
      sheets.push({ name: attributes["name"] ?? "", relation, isHidden });
    },
  });
  return { sheets, isFrom1904 };
}

function chosenSheet(sheets: readonly Sheet[], name: string | undefined): Sheet {
  const soughtName = name?.trim().toLowerCase();
  const sheet =
    soughtName === undefined
      ? (sheets.find(({ isHidden }) => !isHidden) ?? sheets[0])
      : sheets.find((each) => each.name.trim().toLowerCase() === soughtName);
  if (sheet !== undefined) return sheet;
  const known = sheets.map((each) => `"${each.name}"`).join(", ");
  const message =
    name === undefined
      ? {
          en: "Cannot read the workbook: it has no sheet",
          de: "Die Tabellendatei hat kein Tabellenblatt",
        }
      : {
          en: `There is no sheet "${name}" in the workbook; there are ${known}`,
          de: `Die Tabellendatei hat kein Tabellenblatt „${name}“; sie hat ${known}`,
        };
  throw new AppError("invalid", message);
}

/** Paths of parts, keyed by the part's relationship id in the workbook. */
async function readTargets(parts: OfficeParts): Promise<ReadonlyMap<string, string>> {
  const targets = new Map<string, string>();
  await readWholePart(parts, partEnding(parts, "workbook.xml.rels"), {
    onOpen(name, { Id: id = "", Target: target = "" }) {
      if (name !== "Relationship") return;
      targets.set(id, target.startsWith("/") ? target.slice(1) : `xl/${target}`);
    },
  });
  return targets;
}

/** The shared strings. Cells refer to them by index. */
async function readStrings(parts: OfficeParts, part: string): Promise<readonly string[]> {
  const strings: string[] = [];
  if (!parts.names.includes(part)) return strings;
  let text = "";
  let characters = 0;
  let isText = false;
  let isPhonetic = false;
  await readWholePart(parts, part, {
    onOpen(name) {
      if (name === "si") text = "";
      if (name === "rPh") isPhonetic = true;
      isText = name === "t" && !isPhonetic;
    },
    onText(more) {
      if (!isText) return;
      characters += more.length;
      if (characters > STRINGS_CHARACTERS_MAX) throw tooMuchText();
      text += more;
    },
    onClose(name) {
      if (name === "rPh") isPhonetic = false;
      if (name === "t") isText = false;
      if (name !== "si") return;
      if (strings.length >= STRINGS_MAX) throw tooMuchText();
      strings.push(decodeSheetEscapes(text));
    },
  });
  return strings;
}

function tooMuchText(): AppError {
  const message = {
    en: "Cannot read the workbook: its cells hold too much text; split it, or save it as CSV",
    de: "In den Zellen der Tabellendatei steht zu viel Text: Teilen Sie sie auf, oder speichern Sie sie als CSV",
  };
  return new AppError("invalid", message);
}

async function readMerges(
  parts: OfficeParts,
  part: string,
): Promise<{ merges: MergedCells[]; links: number }> {
  const merges: MergedCells[] = [];
  let links = 0;
  await readWholePart(parts, part, {
    onOpen(name, { ref = "" }) {
      if (name === "hyperlink") links += 1;
      const found = name === "mergeCell" ? /^([A-Z]+)(\d+):([A-Z]+)(\d+)$/.exec(ref) : null;
      if (found === null) return;
      if (merges.length >= MERGES_MAX) {
        const message = {
          en: `Cannot read the workbook: it has more than ${MERGES_MAX} merged cells; undo them in the spreadsheet`,
          de: `Die Tabellendatei hat mehr als ${MERGES_MAX} verbundene Zellen: Heben Sie die Verbindungen in der Tabelle auf`,
        };
        throw new AppError("invalid", message);
      }
      const [, fromColumn = "", fromRow, toColumn = "", toRow] = found;
      merges.push({
        fromRow: Number(fromRow) - 1,
        toRow: Number(toRow) - 1,
        fromColumn: columnIndexOf(fromColumn),
        toColumn: columnIndexOf(toColumn),
      });
    },
  });
  merges.sort((one, other) => one.fromRow - other.fromRow);
  return { merges, links };
}

function partEnding(parts: OfficeParts, end: string): string {
  return parts.names.find((name) => name === `xl/${end}` || name.endsWith(`/${end}`)) ?? end;
}
