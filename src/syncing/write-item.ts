import { AppError } from "../errors.ts";
import { formatItemFileText, type ItemWithPaths } from "./item-text.ts";
import { reportRejectedFile, type SyncPass } from "./pass-parts.ts";
import { extractYamlComments } from "./yaml-comments.ts";

export interface ItemWriteResult {
  file: string;
  /**
   * False if the file has changed since it was read, or if its folder cannot be created. The next
   * pass handles a changed file.
   */
  isWritten: boolean;
}

interface TargetFile {
  file: string;
  /** The text that the file must still have; null: the file does not exist yet. */
  text: string | null;
  preferredFile: string;
}

/**
 * Writes an item to its file and updates the base, so that folder and site are in sync. First moves the file
 * to its preferred name, unless that is taken.
 */
export async function writeItem(
  pass: SyncPass,
  shown: ItemWithPaths,
  target: TargetFile,
): Promise<ItemWriteResult> {
  try {
    return await moveAndWrite(pass, shown, target);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    reportRejectedFile(pass, target.file, error.message);
    return { file: target.file, isWritten: false };
  }
}

async function moveAndWrite(
  { folder, base, types, report }: SyncPass,
  shown: ItemWithPaths,
  { file, text, preferredFile }: TargetFile,
): Promise<ItemWriteResult> {
  const isMoved =
    preferredFile !== file && text !== null && (await folder.move(file, preferredFile));
  const newFile = isMoved ? preferredFile : file;
  const newText = formatItemFileText(shown, newFile, types);
  if (newText !== text && !(await folder.write(newFile, newText, text))) {
    return { file: newFile, isWritten: false };
  }
  for (const comment of frontMatterComments(text ?? ""))
    report.dropped.push({ file: newFile, comment });
  const { id, path } = shown.item;
  base.put({ id, file: newFile, path, text: newText, conflict: null });
  return { file: newFile, isWritten: true };
}

function frontMatterComments(text: string): string[] {
  const [, front = ""] = /^---[ \t]*\n(.*?)^---[ \t]*$/ms.exec(text) ?? [];
  return extractYamlComments(front);
}
