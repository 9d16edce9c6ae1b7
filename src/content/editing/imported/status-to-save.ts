import { AppError } from "../../../errors.ts";
import type { ItemInput } from "../../items/item.ts";
import type { ContentReader } from "../../record.ts";
import { isStarterPage } from "../../site/starter-site.ts";
import { findItemToReplace } from "../batch-references.ts";
import { quoteItemName } from "../item-to-change.ts";

/**
 * Returns the input with the status to save: the status set for the load, otherwise the input's status,
 * otherwise the status of the existing item.
 *
 * @throws {AppError} `conflict` if an imported draft would withdraw an unrelated page at its address.
 */
export async function withStatusToSave(
  record: ContentReader,
  input: ItemInput,
  {
    hasStatus,
    isNotPublic = false,
    status,
    movedId,
  }: {
    /** Whether the input specifies a status. */
    hasStatus: boolean;
    isNotPublic?: boolean | undefined;
    status: ItemInput["status"] | undefined;
    /** The id of the item, if it has moved away from the address in the input. */
    movedId: string | null;
  },
): Promise<ItemInput> {
  if (isNotPublic) {
    await requireNoPublicPage(record, input);
    return input;
  }
  if (status !== undefined) {
    const { publishAt: _overruled, ...rest } = input;
    return { ...rest, status };
  }
  if (hasStatus) return input;
  const before = await (movedId === null ? findItemToReplace(record, input) : record.item(movedId));
  if (before === null || before.status === "deleted") return input;
  const { publishAt } = before;
  return { ...input, status: before.status, ...(publishAt === null ? {} : { publishAt }) };
}

/** An imported draft must not withdraw an unrelated item that merely has the same address. */
async function requireNoPublicPage(record: ContentReader, input: ItemInput): Promise<void> {
  const before = await findItemToReplace(record, input);
  if (before?.status !== "published" || before.sourceKey !== null) return;
  const { language } = (await record.site()) ?? {};
  if (language !== undefined && isStarterPage(before, language)) return;
  const reason = {
    en: `a page is published at "${before.path}", which the draft would withdraw; give one of them another address`,
    de: `unter „${before.path}“ steht eine öffentliche Seite, die der Entwurf zurückziehen würde; geben Sie einem der beiden eine andere Adresse`,
  };
  const message = {
    en: `Cannot take in the draft ${quoteItemName(input)}: ${reason.en}`,
    de: `Der Entwurf ${quoteItemName(input)} lässt sich nicht übernehmen: ${reason.de}`,
  };
  throw new AppError("conflict", message, { problems: [{ where: "path", message: reason }] });
}
