import { isTransientError } from "../../errors.ts";
import {
  findDraftByPreviewCode,
  type PreviewCodeLookupStores,
  type PreviewSharingStores,
  recordPreviewCodeUse,
} from "../drafts/preview-codes.ts";
import { previewDraftUnchecked, type RenderPreview, type RunPreview } from "./preview.ts";

export interface SharedPreviewContext extends PreviewCodeLookupStores {
  atomically<T>(change: (stores: PreviewSharingStores) => Promise<T>): Promise<T>;
  preview: RunPreview;
}

/**
 * Shows the page of a draft, as if the draft were published now, to anyone with a preview code for the draft.
 * The first use of a code must be recorded in the audit log before the page is shown. Later uses show the
 * page even if they cannot be recorded.
 *
 * @throws {AppError} `not_found` for an invalid code; for an incomplete draft, the errors of publishing it.
 */
export async function showSharedPreview<T>(
  { atomically, preview, drafts, previewCodes }: SharedPreviewContext,
  enteredCode: string,
  { now, requestId, show }: { now: Date; requestId: string; show: RenderPreview<T> },
): Promise<T> {
  const { code, draft } = await findDraftByPreviewCode({ drafts, previewCodes }, enteredCode, {
    now,
  });
  const recording = atomically((stores) =>
    recordPreviewCodeUse(stores, enteredCode, { now, requestId }),
  );
  await (code.usedAt === null ? recording : recording.catch(ignoreTransient));
  return await previewDraftUnchecked(preview, draft.id, { now, show });
}

function ignoreTransient(error: unknown): void {
  if (!isTransientError(error)) throw error;
}
