import { Lexer } from "yaml";
import { AppError } from "../errors.ts";
import { itemText, type ShownItem } from "./item-text.ts";
import { reportRefusal, type SyncPass } from "./pass-parts.ts";

export interface WrittenItem {
  file: string;
  /**
   * False if the file was changed meanwhile, which the next pass handles, or its folder cannot be
   * created.
   */
  isWritten: boolean;
}

interface TargetFile {
  file: string;
  /** Null: the file does not exist yet. */
  text: string | null;
  /** The preferred path of the file. */
  wanted: string;
}

/**
 * Writes an item into its file, at the preferred path unless that is taken, and updates the base:
 * folder and site are then in sync.
 */
export async function writeItem(
  pass: SyncPass,
  shown: ShownItem,
  place: TargetFile,
): Promise<WrittenItem> {
  try {
    return await moveAndWrite(pass, shown, place);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    reportRefusal(pass, place.file, error.message);
    return { file: place.file, isWritten: false };
  }
}

async function moveAndWrite(
  { folder, base, types, report }: SyncPass,
  shown: ShownItem,
  { file, text, wanted }: TargetFile,
): Promise<WrittenItem> {
  const isMoved = wanted !== file && text !== null && (await folder.move(file, wanted));
  const place = isMoved ? wanted : file;
  const next = itemText(shown, place, types);
  if (next !== text && !(await folder.write(place, next, text))) {
    return { file: place, isWritten: false };
  }
  for (const comment of frontMatterComments(text ?? ""))
    report.dropped.push({ file: place, comment });
  const { id, path } = shown.item;
  base.put({ id, file: place, path, text: next, conflict: null });
  return { file: place, isWritten: true };
}

/** Comments in front matter, which an item cannot store. */
function frontMatterComments(text: string): string[] {
  const [, front = ""] = /^---[ \t]*\n(.*?)^---[ \t]*$/ms.exec(text) ?? [];
  return front.includes("#")
    ? [...new Lexer().lex(front)].filter((token) => token.startsWith("#"))
    : [];
}
