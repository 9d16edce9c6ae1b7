import { isTransient } from "../../errors.ts";
import {
  type CodeReaders,
  draftOfCode,
  noteCodeUse,
  type SharingStores,
} from "../drafts/preview-codes.ts";
import { type Preview, type Show, showDraft } from "./preview.ts";

export interface SharedPreviews extends CodeReaders {
  atomically<T>(change: (stores: SharingStores) => Promise<T>): Promise<T>;
  preview: Preview;
}

/**
 * Shows the page of a draft, as if published now, to anyone with a preview code for it. The first use of a
 * code must be in the audit log before the page is shown. After that, the page is shown even if the use of
 * the code cannot be recorded.
 *
 * @throws {AppError} `not_found` for an invalid code; for an incomplete draft, the errors of publishing it.
 */
export async function openSharedPreview<T>(
  { atomically, preview, drafts, previewCodes }: SharedPreviews,
  enteredCode: string,
  { now, requestId, show }: { now: Date; requestId: string; show: Show<T> },
): Promise<T> {
  const { code, draft } = await draftOfCode({ drafts, previewCodes }, enteredCode, { now });
  const recording = atomically((stores) => noteCodeUse(stores, enteredCode, { now, requestId }));
  await (code.usedAt === null ? recording : recording.catch(ignoreTransient));
  return await showDraft(preview, draft.id, { now, show });
}

function ignoreTransient(error: unknown): void {
  if (!isTransient(error)) throw error;
}
