import { AppError } from "../../../../errors.ts";
import type { SentForm } from "../../../site/sent-form.ts";
import { nonEmptyLines } from "../frame/non-empty-lines.ts";
import type { ScreenVisit } from "../frame/screen.ts";
import { findLinkTargetsByName } from "./link-names.ts";

/**
 * The id of the item chosen in an `itemPickerField`; null if none was chosen.
 *
 * @param type the type of the item; empty: any type.
 * @throws {AppError} `invalid` if the typed name matches no item, or more than one.
 */
export async function findChosenItemId(
  { parts, signedIn }: ScreenVisit,
  form: SentForm,
  { name, type }: { name: string; type: string },
): Promise<string | null> {
  const [picked] = form.values(`r.${name}`);
  const [typed] = nonEmptyLines(form.value(`a.${name}`));
  if (picked !== undefined) return picked;
  if (typed === undefined) return null;
  const namedLinks = await findLinkTargetsByName(
    { ...parts.stores, deskIndex: parts.deskIndex },
    signedIn.actor,
    {
      targets: { [name]: type },
      added: { [name]: [typed] },
    },
  );
  if (namedLinks.fault !== null) throw new AppError("invalid", namedLinks.fault);
  return namedLinks.linkedIds[name]?.[0] ?? null;
}
