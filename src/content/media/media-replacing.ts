import { type Actor, actorName, requireScope } from "../../access/actor.ts";
import type { ChangeContext } from "../../access/audit.ts";
import { AppError } from "../../errors.ts";
import { addRedirect, removeRedirect } from "../addresses/redirects.ts";
import { type DraftStore, parseDraftChanges } from "../drafts/draft.ts";
import { readDraft } from "../drafts/listing-drafts.ts";
import { patchFromParts } from "../drafts/parts.ts";
import { saveDraft } from "../drafts/saving.ts";
import { replaceTextInItems } from "../editing/many/replacing.ts";
import type { ContentRecord } from "../record.ts";
import { replaceInSettings } from "../site/settings-rewriting.ts";
import { isPictureType, type MediaFile, type MediaStore } from "./media.ts";
import { removeMediaFile, requireMediaFile } from "./media-editing.ts";
import { mediaFilePath } from "./media-kinds.ts";

/** Maximum number of items, drafts and redirects that one replacement of a file can change. */
const REFERRERS_MAX = 500;

/** The stores that a replacement uses, all bound to one transaction. */
export interface MediaReplacementStores {
  content: ContentRecord;
  drafts: DraftStore;
  media: MediaStore;
}

interface ReplaceOptions extends ChangeContext {
  origin: string;
  /** Whether to withdraw the old file afterwards. */
  removesOld: boolean;
}

/**
 * Replaces one file with another wherever it is used: in texts and fields of items and drafts, the
 * site's settings, and redirects. If the new file has no alternative text or credit, it gets those of
 * the old one. Call in one transaction.
 *
 * @throws {AppError} `invalid` if the two files are the same or only one of them is a picture;
 * `conflict` if the file has too many uses; `forbidden` if the actor may not change one of the uses;
 * `not_found`.
 */
export async function replaceMediaFile(
  stores: MediaReplacementStores,
  actor: Actor,
  { from, to }: { from: string; to: string },
  { removesOld, origin, ...context }: ReplaceOptions,
): Promise<MediaFile> {
  requireScope(actor, "media:write");
  requireScope(actor, "content:write");
  const oldFile = await requireMediaFile(stores.media, from);
  const newFile = await requireMediaFile(stores.media, to);
  requireSameUse(oldFile, newFile);
  const paths = { find: mediaFilePath(oldFile), replace: mediaFilePath(newFile) };
  const items = await stores.media.uses(from);
  const drafts = await stores.media.draftUses(from);
  const redirects = await stores.media.redirectUses(from);
  requireFew(oldFile, items.length + drafts.length + redirects.length);
  const ids = items.map(({ id }) => id);
  const textReplacement = { ...paths, types: [], ids, alsoIn: ["url"] as const };
  await replaceTextInItems(stores.content, actor, textReplacement, { isDryRun: false, ...context });
  for (const { id } of drafts) await replaceInDraft(stores, actor, { id, paths, context });
  if (await stores.media.isUsedBySiteProfile(from)) {
    const settingsRewriting = {
      find: new RegExp(RegExp.escape(paths.find), "g"),
      replace: paths.replace,
    };
    await replaceInSettings(stores.content, actor, settingsRewriting, {
      isDryRun: false,
      ...context,
    });
  }
  for (const { id, from: address } of redirects) {
    await removeRedirect(stores.content, actor, id, context);
    const options = { ...context, origin, isDocument: () => false };
    const redirect = { from: address, to: paths.replace };
    await addRedirect(stores.content, actor, redirect, options);
  }
  const described = await describeAs(stores.media, actor, { oldFile, newFile, context });
  if (removesOld) await removeMediaFile(stores.media, actor, from, context);
  return described;
}

interface Paths {
  find: string;
  replace: string;
}

async function replaceInDraft(
  { content, drafts }: MediaReplacementStores,
  actor: Actor,
  { id, paths, context }: { id: string; paths: Paths; context: ChangeContext },
): Promise<void> {
  const draft = await readDraft(drafts, actor, id);
  const changedParts = Object.entries(draft.parts).flatMap(([part, value]) =>
    typeof value === "string" && value.includes(paths.find)
      ? [[part, value.replaceAll(paths.find, paths.replace)] as const]
      : [],
  );
  const changes = parseDraftChanges(patchFromParts(Object.fromEntries(changedParts)));
  const from = { version: draft.version };
  await saveDraft({ content, drafts }, actor, id, { from, changes, ...context });
}

/**
 * Copies the alternative text and the credit of the old file to the new file, except where the new
 * file has its own. Writes the audit entry for the replacement.
 */
async function describeAs(
  media: MediaStore,
  actor: Actor,
  { oldFile, newFile, context }: { oldFile: MediaFile; newFile: MediaFile; context: ChangeContext },
): Promise<MediaFile> {
  const isDescribed = newFile.alt !== "" || newFile.isDecorative;
  const { alt, isDecorative } = isDescribed ? newFile : oldFile;
  const describedFile: MediaFile = {
    ...newFile,
    alt,
    isDecorative,
    credit: newFile.credit === "" ? oldFile.credit : newFile.credit,
    alwaysPublic: newFile.alwaysPublic || oldFile.alwaysPublic,
    updatedAt: context.now.toISOString(),
    revision: newFile.revision + 1,
  };
  await media.write((transaction) =>
    transaction.put(describedFile, {
      ...{ at: describedFile.updatedAt, actor: actorName(actor), action: "media.replace" },
      ...{ target: mediaFilePath(oldFile), requestId: context.requestId ?? null },
      ...{ revisionBefore: newFile.revision, revisionAfter: describedFile.revision },
    }),
  );
  return describedFile;
}

/**
 * Refuses to replace a picture with another kind of file, or vice versa, because texts embed only pictures.
 */
function requireSameUse(oldFile: MediaFile, newFile: MediaFile): void {
  const fault =
    oldFile.id === newFile.id
      ? { en: "is the same file, byte for byte", de: "ist genau dieselbe Datei" }
      : isPictureType(oldFile.type) !== isPictureType(newFile.type)
        ? {
            en: "cannot take its place: one is a picture, the other is not",
            de: "kann sie nicht ersetzen: Nur eine von beiden ist ein Bild",
          }
        : null;
  if (fault === null) return;
  throw new AppError(
    "invalid",
    {
      en: `Cannot replace "${oldFile.name}": "${newFile.name}" ${fault.en}`,
      de: `„${oldFile.name}“ lässt sich nicht ersetzen: „${newFile.name}“ ${fault.de}`,
    },
    {
      problems: [{ where: "with", message: fault }],
    },
  );
}

function requireFew(file: MediaFile, places: number): void {
  if (places <= REFERRERS_MAX) return;
  throw new AppError("conflict", {
    en: `Cannot replace "${file.name}" at once: ${places} places use it, and one replacement changes ${REFERRERS_MAX}. Use find and replace for ${mediaFilePath(file)} first`,
    de: `„${file.name}“ lässt sich nicht auf einmal ersetzen: ${places} Stellen verwenden die Datei, und auf einmal gehen höchstens ${REFERRERS_MAX}. Ersetzen Sie ${mediaFilePath(file)} zuerst mit „Suchen und ersetzen“`,
  });
}
