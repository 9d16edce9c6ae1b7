import { z } from "zod";
import { type Actor, actorName, requireScope } from "../../access/actor.ts";
import { SECRET_FAULT } from "../../access/credentials.ts";
import { containsKey } from "../../access/keys/key-format.ts";
import { AppError } from "../../errors.ts";
import { describeIssue } from "../items/issue-messages.ts";
import { cleanText } from "../items/validation.ts";
import { decodeCursor, encodeCursor } from "../lists/cursor.ts";
import type {
  MediaQuery,
  MediaReader,
  MediaStore,
  Medium,
  MediumUse,
  ReceivedFile,
} from "./media.ts";
import { KNOWN_EXTENSIONS, MEDIA_KINDS, mediumPath } from "./media-kinds.ts";

const USES_NAMED_MAX = 10;
const ALT_CHARACTERS_MAX = 500;
const CREDIT_CHARACTERS_MAX = 300;

const line = (charactersMax: number) =>
  z
    .string()
    .trim()
    .max(charactersMax)
    .refine((text) => cleanText(text) !== null, "contains control characters")
    .refine((text) => !containsKey(text), SECRET_FAULT)
    .transform((text) => (cleanText(text) ?? "").replaceAll(/\s+/g, " "));

/** The editable properties of a file. */
export const mediumInputSchema = z.strictObject({
  name: line(200).pipe(z.string().min(1, "is empty; leave it out instead")).exactOptional(),
  alt: line(ALT_CHARACTERS_MAX).exactOptional(),
  credit: line(CREDIT_CHARACTERS_MAX).exactOptional(),
});

const changedLine = (charactersMax: number) =>
  line(charactersMax)
    .nullable()
    .transform((stated) => stated ?? "")
    .exactOptional();

/** Changes to the properties; null clears one. */
export const mediumChangeSchema = mediumInputSchema.extend({
  alt: changedLine(ALT_CHARACTERS_MAX),
  credit: changedLine(CREDIT_CHARACTERS_MAX),
});

export type MediumInput = z.output<typeof mediumInputSchema>;

/** @throws {AppError} `invalid`, with a problem for each fault. */
export function mediumInputOf(said: Readonly<Record<string, unknown>>): MediumInput {
  const parsed = mediumInputSchema.safeParse(said, { error: describeIssue });
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path, message }) => ({
    where: path.join("."),
    message,
  }));
  const messages = problems.map(({ where, message }) => (where ? `${where}: ${message}` : message));
  throw new AppError(
    "invalid",
    `Something is wrong with what is said of the file: ${messages.join("; ")}`,
    {
      problems,
    },
  );
}

interface Moment {
  now: Date;
  requestId?: string;
}

/**
 * Publishes a received file. If the same bytes are published already, the existing file is returned
 * unchanged.
 *
 * @throws {AppError} `forbidden`.
 */
export async function addMedium(
  store: MediaStore,
  actor: Actor,
  file: ReceivedFile,
  input: MediumInput,
  { now, requestId }: Moment,
): Promise<{ medium: Medium; isNew: boolean }> {
  requireScope(actor, "media:write");
  return await store.write(async (transaction) => {
    const known = await transaction.medium(file.id);
    // Within the transaction, whose lock keeps `quarantineUnknown` from moving the file to the trash.
    await file.keep();
    if (known !== null) return { medium: known, isNew: false };
    const { id, type, bytes, width, height } = file;
    const at = now.toISOString();
    const { name = id, alt = "", credit = "" } = input;
    const medium: Medium = {
      ...{ id, type, bytes, width, height, name, alt, credit },
      addedBy: actorName(actor),
      addedAt: at,
      updatedAt: at,
      revision: 1,
    };
    await transaction.put(medium, {
      ...{ at, actor: actorName(actor), action: "media.add", target: mediumPath(medium) },
      ...{ revisionBefore: null, revisionAfter: 1, requestId: requestId ?? null },
    });
    return { medium, isNew: true };
  });
}

/** @throws {AppError} `not_found`; `forbidden`. */
export async function readMedium(
  store: MediaReader,
  actor: Actor,
  id: string,
): Promise<{ medium: Medium; usedBy: MediumUse[] }> {
  requireScope(actor, "content:read");
  const medium = await mediumOf(store, id);
  return { medium, usedBy: await store.uses(id) };
}

export interface MediaList {
  media: Medium[];
  nextCursor: string | null;
}

/** @throws {AppError} `invalid` for an unknown type or a malformed cursor. */
export async function listMedia(
  store: MediaReader,
  actor: Actor,
  { cursor, limit, ...asked }: Omit<MediaQuery, "after"> & { cursor?: string },
): Promise<MediaList> {
  requireScope(actor, "content:read");
  requireKnownType(asked.type);
  const place = z.object({ addedAt: z.string(), id: z.string() });
  const after = cursor === undefined ? undefined : decodeCursor(cursor, asked, place);
  const query = { ...asked, limit: limit + 1, ...(after === undefined ? {} : { after }) };
  const found = await store.media(query);
  const media = found.slice(0, limit);
  const last = found.length > limit ? media.at(-1) : undefined;
  const nextCursor =
    last === undefined ? null : encodeCursor(asked, { addedAt: last.addedAt, id: last.id });
  return { media, nextCursor };
}

/** @throws {AppError} `not_found`; `forbidden`. */
export async function changeMedium(
  store: MediaStore,
  actor: Actor,
  id: string,
  input: MediumInput,
  { now, requestId }: Moment,
): Promise<Medium> {
  requireScope(actor, "media:write");
  return await store.write(async (transaction) => {
    const before = await mediumOf(transaction, id);
    const after = { ...before, ...input };
    const isSame = (["name", "alt", "credit"] as const).every((key) => before[key] === after[key]);
    if (isSame) return before;
    const at = now.toISOString();
    const medium = { ...after, updatedAt: at, revision: before.revision + 1 };
    await transaction.put(medium, {
      ...{ at, actor: actorName(actor), action: "media.update", target: mediumPath(medium) },
      revisionBefore: before.revision,
      revisionAfter: medium.revision,
      requestId: requestId ?? null,
    });
    return medium;
  });
}

/**
 * Withdraws an unused file; a clock task deletes it from the folder.
 *
 * @throws {AppError} `conflict`, naming what uses it; `not_found`; `forbidden`.
 */
export async function removeMedium(
  store: MediaStore,
  actor: Actor,
  id: string,
  { now, requestId }: Moment,
): Promise<void> {
  requireScope(actor, "media:write");
  await store.write(async (transaction) => {
    const medium = await mediumOf(transaction, id);
    const uses = await transaction.uses(id);
    const places = [
      ...((await transaction.isOfSite(id)) ? ["the profile of the site"] : []),
      ...uses.map(({ path }) => path),
    ];
    if (places.length > 0) throw stillUsed(medium, places);
    await transaction.remove(medium, {
      ...{ at: now.toISOString(), actor: actorName(actor) },
      ...{ action: "media.remove", target: mediumPath(medium) },
      ...{ revisionBefore: medium.revision, revisionAfter: null, requestId: requestId ?? null },
    });
  });
}

/** @throws {AppError} `not_found`. */
export async function mediumOf(store: MediaReader, id: string): Promise<Medium> {
  const medium = await store.medium(id);
  if (medium !== null) return medium;
  throw new AppError(
    "not_found",
    "There is no file with this id; an id is the 32 characters after /media/ in its address",
  );
}

function requireKnownType(type: string | undefined): void {
  if (type === undefined) return;
  if (MEDIA_KINDS.some((kind) => kind.type === type || kind.type.startsWith(`${type}/`))) return;
  const known = [...new Set(MEDIA_KINDS.map((kind) => kind.type))].join(", ");
  throw new AppError(
    "invalid",
    `No file has the type "${type}"; use image, audio, video, ${known}`,
    {
      problems: [{ where: "type", message: `use one of the types of ${KNOWN_EXTENSIONS} files` }],
    },
  );
}

function stillUsed(medium: Medium, places: readonly string[]): AppError {
  const named = places.slice(0, USES_NAMED_MAX);
  const more = places.length > named.length ? ` and ${places.length - named.length} more` : "";
  return new AppError(
    "conflict",
    `Cannot remove "${medium.name}": it is used by ${named.join(", ")}${more}. Take ${mediumPath(medium)} out of them first`,
  );
}
