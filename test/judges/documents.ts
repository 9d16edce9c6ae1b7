import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openRecordForCommand } from "../../src/app/store.ts";
import { readConfig } from "../../src/config.ts";
import { renderBody } from "../../src/render/body/body.ts";
import { openSiteLine } from "../support/command-line.ts";
import { contentsOf } from "./documents/contents.ts";
import { numbersIn } from "./documents/numbers.ts";
import {
  missingPackages,
  shownText,
  type WrittenDocument,
  writeDocuments,
} from "./documents/write-documents.ts";
import { announce, type Verdict } from "./verdict.ts";

/**
 * Judges imports of Word documents that programs write: their words, notes, lists and tables, counted by pandoc
 * in the document and in the page, and the numbers that LibreOffice shows: `npm run judge:documents`.
 */
const DOCUMENTS_MIN = 10;

async function judge({ what, path }: WrittenDocument): Promise<Verdict> {
  using line = await openSiteLine();
  const bytes = readFileSync(path);
  const { code, out, err } = await line.run("import", "--json", line.file("document.docx", bytes));
  if (code !== 0) return { what, passed: false, detail: out || err };
  await using store = await openRecordForCommand(readConfig(line.environment));
  const page = await store.content.itemAt("/document");
  const put = contentsOf("docx", bytes);
  const got = contentsOf("gfm", Buffer.from(`# ${page?.title}\n\n${page?.body}`));
  const missing = wordsWithout(put.words, got.words);
  const seen = shownText(path);
  const shown = numbersIn(seen ?? "");
  const { text } = renderBody(page?.body ?? "", { origin: "https://society.example" });
  const numbers = wordsWithout(shown, numbersIn(`${page?.title}\n${text}`));
  const faults = [
    ...(missing.length === 0 ? [] : [`missing words: ${missing.slice(0, 10).join(" ")}`]),
    ...(numbers.length === 0 ? [] : [`missing numbers: ${numbers.slice(0, 10).join(", ")}`]),
    ...(["notes", "headings", "entries", "tables", "cells"] as const).flatMap((name) =>
      // Of some documents, pandoc reads less.
      got[name] >= put[name] ? [] : [`${name}: ${got[name]} of ${put[name]}`],
    ),
  ];
  const figures = `${put.words.length} words, ${put.notes} notes, ${put.headings} headings, ${put.entries} entries of lists, ${seen === null ? "numbers not judged (LibreOffice cannot open it)" : `${shown.length} numbers`}, ${put.tables} tables`;
  return { what, passed: faults.length === 0, detail: [figures, ...faults].join("; ") };
}

function wordsWithout(words: readonly string[], present: readonly string[]): string[] {
  const left = Map.groupBy(present, (word) => word);
  return words.filter((word) => left.get(word)?.pop() === undefined);
}

const folder = mkdtempSync(join(tmpdir(), "documents-"));
try {
  const missing = missingPackages();
  if (missing.length > 0) console.log(`Not installed: ${missing.join(", ")}`);
  const verdicts: Verdict[] = [];
  if (!missing.includes("pandoc")) {
    for (const document of writeDocuments(folder)) verdicts.push(await judge(document));
  }
  const detail = `${verdicts.length}, at least ${DOCUMENTS_MIN}`;
  const isEnough = verdicts.length >= DOCUMENTS_MIN;
  verdicts.push({ what: "documents judged", passed: isEnough, detail });
  process.exitCode = announce(verdicts);
} finally {
  rmSync(folder, { recursive: true });
}
