import { readYaml } from "../../front-matter.ts";
import type { Program, ReadSettings } from "../program.ts";

/** The settings file of MkDocs; null if there is none. */
export function mkdocsFile(read: ReadSettings): { file: string; text: string } | null {
  for (const file of ["mkdocs.yml", "mkdocs.yaml"]) {
    const text = read(file);
    if (text !== null) return { file, text };
  }
  return null;
}

/** Where MkDocs keeps its texts, from `docs_dir`. */
export function mkdocsFolder(raw: unknown): string {
  const folder = typeof raw === "string" ? raw.replace(/^\.?\/|\/+$/g, "") : "";
  return folder === "" ? "docs" : folder;
}

export function mkdocsSettings(read: ReadSettings): Partial<Program> {
  const { values } = readYaml(mkdocsFile(read)?.text ?? "", 0);
  return { contentFolders: { [mkdocsFolder(values["docs_dir"])]: "" } };
}
