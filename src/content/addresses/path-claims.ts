import { AppError, type Wording } from "../../errors.ts";
import type { Item, ItemInput } from "../items/item.ts";
import type { ContentTransaction } from "../record.ts";
import type { ContentType, ContentTypes } from "../types/content-type.ts";
import { requireValidItemPath, slugOf } from "./paths.ts";
import { formatRedirectTarget } from "./redirect-addresses.ts";

/** The path requested by an input; null if the input gives neither path nor slug. */
export function parseRequestedPath(
  input: ItemInput,
  type: ContentType,
  types: ContentTypes,
): string | null {
  if (input.path !== undefined) return requireValidItemPath(input.path, type, types);
  if (input.slug !== undefined)
    return requireValidItemPath(`${type.listPath ?? ""}/${input.slug}`, type, types);
  return null;
}

/**
 * The path that an input will probably get, for look-ups before a save. The path is not validated. Null if
 * the type is unknown.
 */
export function predictItemPath(input: ItemInput, types: ContentTypes): string | null {
  const type = types.get(input.type);
  if (type === undefined) return null;
  if (input.path !== undefined) return input.path.normalize("NFC");
  if (input.slug !== undefined) return `${type.listPath ?? ""}/${input.slug}`.normalize("NFC");
  return startOfPath(input.title, type);
}

function startOfPath(title: string, type: ContentType): string {
  return `${type.listPath ?? ""}/${slugOf(title) || type.name}`;
}

/**
 * The path for an item. If the input requests none, an existing item keeps its path, and a new item gets a
 * free path made from its title.
 *
 * @throws {AppError} `invalid` or `conflict` if the requested path cannot be used.
 */
export async function chooseAvailablePath(
  transaction: ContentTransaction,
  before: Item | null,
  { input, type, types }: { input: ItemInput; type: ContentType; types: ContentTypes },
): Promise<string> {
  const requested = parseRequestedPath(input, type, types);
  if (requested === null) {
    return before?.path ?? (await freePath(transaction, input.title, { type, types }));
  }
  if (requested !== before?.path) await requireFreePath(transaction, requested, before?.id ?? null);
  return requested;
}

/**
 * Refuses a path that belongs or belonged to another item, or that redirects elsewhere.
 *
 * @throws {AppError} `conflict`, naming the owner of the path.
 */
export async function requireFreePath(
  transaction: ContentTransaction,
  path: string,
  ownId: string | null,
): Promise<void> {
  const claim = await transaction.claim(path);
  if (claim?.itemId === ownId) return;
  const holder = claim === null ? null : await transaction.item(claim.itemId);
  if (claim?.isCurrent !== true) await requireNoRedirect(transaction, path, holder);
  if (claim === null) return;
  const title = holder?.title ?? claim.itemId;
  const reason: Wording = claim.isCurrent
    ? holder?.status === "deleted"
      ? {
          en: `it belonged to "${title}", which was deleted`,
          de: `Sie gehörte zu „${title}“, das gelöscht wurde`,
        }
      : { en: `it belongs to "${title}"`, de: `Sie gehört zu „${title}“` }
    : {
        en: `it leads to "${title}", which moved to ${holder?.path}`,
        de: `Sie führt zu „${title}“, das jetzt unter ${holder?.path} steht`,
      };
  throw new AppError(
    "conflict",
    {
      en: `Cannot use the path "${path}": ${reason.en}. Choose another path`,
      de: `Die Adresse „${path}“ ist vergeben: ${reason.de}. Wählen Sie eine andere`,
    },
    {
      problems: [{ where: "path", message: reason }],
    },
  );
}

/** Refuses a path that is gone for good, or that redirects elsewhere. `holder`: the item it leads to. */
async function requireNoRedirect(
  transaction: ContentTransaction,
  path: string,
  holder: Item | null,
): Promise<void> {
  const redirect = await transaction.redirectAt(path);
  if (redirect === null) return;
  const to = formatRedirectTarget(redirect.to) ?? holder?.path ?? null;
  const reason =
    to === null
      ? { en: "it is kept as gone for good", de: "Sie ist als endgültig entfernt vermerkt" }
      : { en: `it is redirected to ${to}`, de: `Sie wird nach ${to} weitergeleitet` };
  throw new AppError(
    "conflict",
    {
      en: `Cannot use the path "${path}": ${reason.en}. Remove the redirect, or choose another path`,
      de: `Die Adresse „${path}“ ist vergeben: ${reason.de}. Entfernen Sie die Weiterleitung, oder wählen Sie eine andere Adresse`,
    },
    { problems: [{ where: "path", message: reason }] },
  );
}

/** A path from the title, with a number appended if the path is taken. */
async function freePath(
  transaction: ContentTransaction,
  title: string,
  { type, types }: { type: ContentType; types: ContentTypes },
): Promise<string> {
  const start = requireValidItemPath(startOfPath(title, type), type, types);
  const isFree = async (path: string) =>
    (await transaction.claim(path)) === null && (await transaction.redirectAt(path)) === null;
  if (await isFree(start)) return start;
  // Doubles the number, then bisects: about twenty look-ups for a thousand items with the same title.
  let takenNumber = 1;
  let freeNumber = 2;
  while (!(await isFree(`${start}-${freeNumber}`))) {
    takenNumber = freeNumber;
    freeNumber *= 2;
  }
  while (freeNumber - takenNumber > 1) {
    const middle = Math.floor((takenNumber + freeNumber) / 2);
    if (await isFree(`${start}-${middle}`)) freeNumber = middle;
    else takenNumber = middle;
  }
  return `${start}-${freeNumber}`;
}
