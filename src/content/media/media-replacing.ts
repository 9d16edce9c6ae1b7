import { type Actor, actorName, requireScope } from "../../access/actor.ts";
import { AppError } from "../../errors.ts";
import { addRedirect, removeRedirect } from "../addresses/redirects.ts";
import { type DraftStore, readDraftChanges } from "../drafts/draft.ts";
import { readDraft } from "../drafts/listing-drafts.ts";
import { patchOfParts } from "../drafts/parts.ts";
import { saveDraft } from "../drafts/saving.ts";
import { replaceInTexts } from "../editing/many/replacing.ts";
import { literal } from "../editing/many/rewriting.ts";
import type { ContentRecord } from "../record.ts";
import { rewriteSettings } from "../site/settings-rewriting.ts";
import { isPictureType, type MediaStore, type Medium } from "./media.ts";
import { mediumOf, removeMedium } from "./media-editing.ts";
import { mediumPath } from "./media-kinds.ts";

/** Most items, drafts and redirects that one replacement may change. */
const REFERRERS_MAX = 500;

/** Stores, all bound to one transaction. */
export interface ReplacingStores {
  content: ContentRecord;
  drafts: DraftStore;
  media: MediaStore;
}

interface ReplaceOptions {
  now: Date;
  requestId?: string;
  origin: string;
  /** Withdraws the old file afterwards. */
  removesOld: boolean;
}

/**
 * Replaces one file with another wherever it is used: in texts and fields of items and drafts, the
 * site's settings, and redirects. If the other file has no alternative text or credit, it gets
 * those of the old one. Call in one transaction.
 *
 * @throws {AppError} `invalid` for the same file, or for a picture and a file that is not one;
 * `conflict` if the file is used too often; `forbidden` if the actor may not change one of the
 * uses; `not_found`.
 */
export async function replaceMedium(
  stores: ReplacingStores,
  actor: Actor,
  { from, to }: { from: string; to: string },
  { removesOld, origin, ...moment }: ReplaceOptions,
): Promise<Medium> {
  requireScope(actor, "media:write");
  requireScope(actor, "content:write");
  const [old, other] = [await mediumOf(stores.media, from), await mediumOf(stores.media, to)];
  requireSameUse(old, other);
  const paths = { find: mediumPath(old), replace: mediumPath(other) };
  const items = await stores.media.uses(from);
  const drafts = await stores.media.draftUses(from);
  const redirects = await stores.media.redirectUses(from);
  requireFew(old, items.length + drafts.length + redirects.length);
  const ids = items.map(({ id }) => id);
  const inTexts = { ...paths, types: [], ids, alsoIn: ["url"] as const };
  await replaceInTexts(stores.content, actor, inTexts, { isDryRun: false, ...moment });
  for (const { id } of drafts) await replaceInDraft(stores, actor, { id, paths, moment });
  if (await stores.media.isOfSite(from)) {
    const inSettings = { find: new RegExp(literal(paths.find), "g"), replace: paths.replace };
    await rewriteSettings(stores.content, actor, inSettings, { isDryRun: false, ...moment });
  }
  for (const { id, from: address } of redirects) {
    await removeRedirect(stores.content, actor, id, moment);
    const options = { ...moment, origin, isDocument: () => false };
    const redirect = { from: address, to: paths.replace };
    await addRedirect(stores.content, actor, redirect, options);
  }
  const described = await describeAs(stores.media, actor, { old, other, moment });
  if (removesOld) await removeMedium(stores.media, actor, from, moment);
  return described;
}

interface Moment {
  now: Date;
  requestId?: string;
}

interface Paths {
  find: string;
  replace: string;
}

async function replaceInDraft(
  { content, drafts }: ReplacingStores,
  actor: Actor,
  { id, paths, moment }: { id: string; paths: Paths; moment: Moment },
): Promise<void> {
  const draft = await readDraft(drafts, actor, id);
  const changed = Object.entries(draft.parts).flatMap(([part, value]) =>
    typeof value === "string" && value.includes(paths.find)
      ? [[part, value.replaceAll(paths.find, paths.replace)] as const]
      : [],
  );
  const changes = readDraftChanges(patchOfParts(Object.fromEntries(changed)));
  const from = { version: draft.version };
  await saveDraft({ content, drafts }, actor, id, { from, changes, ...moment });
}

/** Copies the description, and writes the audit entry of the replacement. */
async function describeAs(
  media: MediaStore,
  actor: Actor,
  { old, other, moment }: { old: Medium; other: Medium; moment: Moment },
): Promise<Medium> {
  const isDescribed = other.alt !== "" || other.isDecorative;
  const words = isDescribed ? other : old;
  const described: Medium = {
    ...other,
    alt: words.alt,
    isDecorative: words.isDecorative,
    credit: other.credit === "" ? old.credit : other.credit,
    alwaysPublic: other.alwaysPublic || old.alwaysPublic,
    updatedAt: moment.now.toISOString(),
    revision: other.revision + 1,
  };
  await media.write((transaction) =>
    transaction.put(described, {
      ...{ at: described.updatedAt, actor: actorName(actor), action: "media.replace" },
      ...{ target: mediumPath(old), requestId: moment.requestId ?? null },
      ...{ revisionBefore: other.revision, revisionAfter: described.revision },
    }),
  );
  return described;
}

/** Refuses to replace a picture with another kind of file, or vice versa: texts embed only pictures. */
function requireSameUse(old: Medium, other: Medium): void {
  const fault =
    old.id === other.id
      ? { en: "is the same file, byte for byte", de: "ist genau dieselbe Datei" }
      : isPictureType(old.type) !== isPictureType(other.type)
        ? {
            en: "cannot take its place: one is a picture, the other is not",
            de: "kann sie nicht ersetzen: Nur eine von beiden ist ein Bild",
          }
        : null;
  if (fault === null) return;
  throw new AppError(
    "invalid",
    {
      en: `Cannot replace "${old.name}": "${other.name}" ${fault.en}`,
      de: `„${old.name}“ lässt sich nicht ersetzen: „${other.name}“ ${fault.de}`,
    },
    {
      problems: [{ where: "with", message: fault }],
    },
  );
}

function requireFew(old: Medium, places: number): void {
  if (places <= REFERRERS_MAX) return;
  throw new AppError("conflict", {
    en: `Cannot replace "${old.name}" at once: ${places} places use it, and one replacement changes ${REFERRERS_MAX}. Use find and replace for ${mediumPath(old)} first`,
    de: `„${old.name}“ lässt sich nicht auf einmal ersetzen: ${places} Stellen verwenden die Datei, und auf einmal gehen höchstens ${REFERRERS_MAX}. Ersetzen Sie ${mediumPath(old)} zuerst mit „Suchen und ersetzen“`,
  });
}
