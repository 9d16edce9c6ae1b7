import { extname } from "node:path";

/** File extensions of import files by media type; the first is appended to names that have none of them. */
const EXTENSIONS_BY_KIND: Readonly<Record<string, readonly string[]>> = {
  "text/csv": [".csv", ".txt"],
  "text/tab-separated-values": [".tsv", ".tab", ".txt"],
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": [".xlsx", ".xlsm"],
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document": [".docx"],
  "application/zip": [".zip"],
  "application/xml": [".xml"],
  "text/xml": [".xml"],
  "application/x-bibtex": [".bib", ".bibtex"],
  "application/x-research-info-systems": [".ris"],
  "application/vnd.citationstyles.csl+json": [".json"],
  "text/markdown": [".md", ".markdown"],
  "text/html": [".html", ".htm"],
};

/** Generic media types, for which the kind follows from the file's name alone. */
const GENERIC_TYPES = ["application/octet-stream", "text/plain"];

export const FILE_TYPES: readonly string[] = [...Object.keys(EXTENSIONS_BY_KIND), ...GENERIC_TYPES];

/** The file name of an import, with an extension that matches its media type. */
export function importName(named: string, mediaType: string): string {
  const endings = EXTENSIONS_BY_KIND[mediaType] ?? [];
  const [usual] = endings;
  const isSaid = usual === undefined || endings.includes(extname(named).toLowerCase());
  return isSaid && named !== "" ? named : `${named || "file"}${usual ?? ""}`;
}
