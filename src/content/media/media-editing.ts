import { z } from "zod";
import { type Actor, actorName, requireScope } from "../../access/actor.ts";
import type { ChangeContext } from "../../access/audit.ts";
import { AppError, englishOnlyWording } from "../../errors.ts";
import { decodeCursor, toCursorPage } from "../lists/cursor.ts";
import type {
  DraftUsingFile,
  ItemUsingFile,
  MediaFile,
  MediaQuery,
  MediaReader,
  MediaStore,
  ReceivedFile,
  RedirectUsingFile,
} from "./media.ts";
import { creditSchema, type MediaFileInput } from "./media-file-input.ts";
import { ACCEPTED_FILE_EXTENSIONS, MEDIA_KINDS, mediaFilePath } from "./media-kinds.ts";

const EDITABLE_KEYS = ["name", "alt", "isDecorative", "credit", "alwaysPublic"] as const;
const USES_NAMED_MAX = 10;
/**
 * Adds a received file, which stays private until something public shows it. If the same bytes exist
 * already, returns the existing file unchanged.
 *
 * @throws {AppError} `forbidden`; `invalid` for a decorative picture with an alternative text.
 */
export async function addMediaFile(
  store: MediaStore,
  actor: Actor,
  file: ReceivedFile,
  input: MediaFileInput,
  { now, requestId }: ChangeContext,
): Promise<{ medium: MediaFile; isNew: boolean }> {
  requireScope(actor, "media:write");
  return await store.write(async (transaction) => {
    const existing = await transaction.medium(file.id);
    // Must run within the transaction, whose lock stops `trashUnknownFiles` from moving the file to
    // the trash.
    await file.keep();
    if (existing !== null) return { medium: existing, isNew: false };
    const { id, type, bytes, width, height } = file;
    const at = now.toISOString();
    const { name = id, credit = creditFromMetadata(file), alwaysPublic = false } = input;
    const description = requireAltOrDecorative({ alt: "", isDecorative: false }, input);
    const medium: MediaFile = {
      ...{ id, type, bytes, width, height, name, credit, alwaysPublic, ...description },
      addedBy: actorName(actor),
      addedAt: at,
      updatedAt: at,
      revision: 1,
    };
    await transaction.put(medium, {
      ...{ at, actor: actorName(actor), action: "media.add", target: mediaFilePath(medium) },
      ...{ revisionBefore: null, revisionAfter: 1, requestId: requestId ?? null },
    });
    return { medium, isNew: true };
  });
}

/**
 * The properties after a change. Adding an alternative text makes a picture no longer decorative, and making
 * it decorative removes the text.
 *
 * @throws {AppError} `invalid` if the input does both at once.
 */
function requireAltOrDecorative(
  before: Pick<MediaFile, "alt" | "isDecorative">,
  { alt, isDecorative }: MediaFileInput,
): Pick<MediaFile, "alt" | "isDecorative"> {
  if (alt !== undefined && alt !== "" && isDecorative === true) {
    throw new AppError(
      "invalid",
      {
        en: "A decorative picture has no alternative text; leave one of the two out",
        de: "Ein schmückendes Bild hat keinen Alternativtext: Lassen Sie eins von beiden weg",
      },
      {
        problems: [
          {
            where: "alt",
            message: {
              en: "is empty for a decorative picture",
              de: "bleibt bei einem schmückenden Bild leer",
            },
          },
        ],
      },
    );
  }
  if (isDecorative === true) return { alt: "", isDecorative };
  if (alt !== undefined && alt !== "") return { alt, isDecorative: false };
  return { alt: alt ?? before.alt, isDecorative: isDecorative ?? before.isDecorative };
}

/** The credit from the file's copyright note; empty if the note is not a valid credit. */
function creditFromMetadata({ credit }: ReceivedFile): string {
  return creditSchema.safeParse(credit).data ?? "";
}

/** @throws {AppError} `not_found`; `forbidden`. */
export async function readMediaFile(
  store: MediaReader,
  actor: Actor,
  id: string,
): Promise<{
  medium: MediaFile;
  usedBy: ItemUsingFile[];
  drafts: DraftUsingFile[];
  redirects: RedirectUsingFile[];
  isUsedBySiteProfile: boolean;
  isPublic: boolean;
}> {
  requireScope(actor, "content:read");
  const medium = await requireMediaFile(store, id);
  return {
    medium,
    usedBy: await store.uses(id),
    drafts: await store.draftUses(id),
    redirects: await store.redirectUses(id),
    isUsedBySiteProfile: await store.isUsedBySiteProfile(id),
    isPublic: (await store.publicMedia([id])).has(id),
  };
}

export interface MediaList {
  media: MediaFile[];
  nextCursor: string | null;
}

/** @throws {AppError} `invalid` for an unknown type or a malformed cursor. */
export async function listMedia(
  store: MediaReader,
  actor: Actor,
  { cursor, limit, ...filter }: Omit<MediaQuery, "after"> & { cursor?: string },
): Promise<MediaList> {
  requireScope(actor, "content:read");
  requireKnownType(filter.type);
  const positionSchema = z.object({ addedAt: z.string(), id: z.string() });
  const after = cursor === undefined ? undefined : decodeCursor(cursor, filter, positionSchema);
  const query = { ...filter, limit: limit + 1, ...(after === undefined ? {} : { after }) };
  const positionOf = ({ addedAt, id }: MediaFile) => ({ addedAt, id });
  const page = toCursorPage(await store.media(query), { limit, query: filter, positionOf });
  return { media: page.items, nextCursor: page.nextCursor };
}

/** @throws {AppError} `not_found`; `forbidden`. */
export async function changeMediaFile(
  store: MediaStore,
  actor: Actor,
  id: string,
  input: MediaFileInput,
  { now, requestId }: ChangeContext,
): Promise<MediaFile> {
  requireScope(actor, "media:write");
  return await store.write(async (transaction) => {
    const before = await requireMediaFile(transaction, id);
    const after = { ...before, ...input, ...requireAltOrDecorative(before, input) };
    const isSame = EDITABLE_KEYS.every((key) => before[key] === after[key]);
    if (isSame) return before;
    const at = now.toISOString();
    const medium = { ...after, updatedAt: at, revision: before.revision + 1 };
    await transaction.put(medium, {
      ...{ at, actor: actorName(actor), action: "media.update", target: mediaFilePath(medium) },
      revisionBefore: before.revision,
      revisionAfter: medium.revision,
      requestId: requestId ?? null,
    });
    return medium;
  });
}

/**
 * Withdraws an unused file. A scheduled task moves the file to the trash, from which it can be restored for
 * 30 days.
 * @throws {AppError} `conflict`, naming what uses the file; `not_found`; `forbidden`.
 */
export async function removeMediaFile(
  store: MediaStore,
  actor: Actor,
  id: string,
  { now, requestId }: ChangeContext,
): Promise<void> {
  requireScope(actor, "media:write");
  await store.write(async (transaction) => {
    const medium = await requireMediaFile(transaction, id);
    const uses = await transaction.uses(id);
    const places = [
      ...((await transaction.isUsedBySiteProfile(id)) ? ["the profile of the site"] : []),
      ...uses.map(({ path }) => path),
      ...(await transaction.draftUses(id)).map(({ title }) => `the draft "${title ?? ""}"`),
      ...(await transaction.redirectUses(id)).map(({ from }) => `the redirect ${from}`),
    ];
    if (places.length > 0) throw stillUsedError(medium, places);
    await transaction.remove(medium, {
      ...{ at: now.toISOString(), actor: actorName(actor) },
      ...{ action: "media.remove", target: mediaFilePath(medium) },
      ...{ revisionBefore: medium.revision, revisionAfter: null, requestId: requestId ?? null },
    });
  });
}

/** @throws {AppError} `not_found`. */
export async function requireMediaFile(store: MediaReader, id: string): Promise<MediaFile> {
  const medium = await store.medium(id);
  if (medium !== null) return medium;
  throw new AppError("not_found", {
    en: "There is no file with this id; an id is the 32 characters after /media/ in its address",
    de: "Diese Datei gibt es nicht mehr: Suchen Sie sie unter „Bilder und Dateien“",
  });
}

function requireKnownType(type: string | undefined): void {
  if (type === undefined) return;
  if (MEDIA_KINDS.some((kind) => kind.type === type || kind.type.startsWith(`${type}/`))) return;
  const known = [...new Set(MEDIA_KINDS.map((kind) => kind.type))].join(", ");
  throw new AppError(
    "invalid",
    englishOnlyWording(`No file has the type "${type}"; use image, audio, video, ${known}`),
    {
      problems: [
        {
          where: "type",
          message: englishOnlyWording(`use one of the types of ${ACCEPTED_FILE_EXTENSIONS} files`),
        },
      ],
    },
  );
}

function stillUsedError(medium: MediaFile, places: readonly string[]): AppError {
  const namedPlaces = places.slice(0, USES_NAMED_MAX);
  const count = places.length - namedPlaces.length;
  const more =
    count > 0 ? { en: ` and ${count} more`, de: ` und ${count} weiteren` } : { en: "", de: "" };
  return new AppError("conflict", {
    en: `Cannot remove "${medium.name}": it is used by ${namedPlaces.join(", ")}${more.en}. Take ${mediaFilePath(medium)} out of them first`,
    de: `„${medium.name}“ lässt sich nicht entfernen: Die Datei wird verwendet in ${namedPlaces.join(", ")}${more.de}. Nehmen Sie dort zuerst ${mediaFilePath(medium)} heraus`,
  });
}
