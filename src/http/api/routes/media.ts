import { z } from "zod";
import { STATUSES } from "../../../content/items/item.ts";
import {
  type MediaFile,
  type MediaReader,
  withMediaFileLinks,
} from "../../../content/media/media.ts";
import {
  addMediaFile,
  changeMediaFile,
  listMedia,
  readMediaFile,
  removeMediaFile,
  requireMediaFile,
} from "../../../content/media/media-editing.ts";
import {
  mediaFileChangeSchema,
  mediaFileInputSchema,
} from "../../../content/media/media-file-input.ts";
import { MEDIA_KINDS, mediaFilePath } from "../../../content/media/media-kinds.ts";
import { replaceMediaFile } from "../../../content/media/media-replacing.ts";
import { listRemovedMedia, restoreMediaFile } from "../../../content/media/media-restoring.ts";
import { responseWithContentLength } from "../../exchange.ts";
import { pageQueryShape } from "../page-query.ts";
import { ANY_MEDIA_TYPE } from "../request-body.ts";
import {
  type ApiCall,
  defineRoute,
  defineStreamRoute,
  NO_BODY,
  NO_QUERY,
  type Route,
} from "../route.ts";
import { API_PATH } from "../route-table.ts";
import { withUpload } from "../upload.ts";

const REMOVED_SHOWN_MAX = 100;

const responseSchema = z
  .object({
    id: z.string(),
    path: z.string(),
    url: z.string(),
    markdown: z.string().meta({ description: "The Markdown that embeds it in a text" }),
    type: z.enum(MEDIA_KINDS.map(({ type }) => type)),
    bytes: z.int(),
    width: z.int().nullable(),
    height: z.int().nullable(),
    name: z.string(),
    alt: z.string(),
    isDecorative: z.boolean().meta({ description: "Screen readers skip it; alt is empty then" }),
    credit: z.string(),
    alwaysPublic: z
      .boolean()
      .meta({ description: "Public even if nothing public shows it, as for links in mails" }),
    isPublic: z.boolean().meta({
      description: "Served to everybody: a published item, the site or a redirect shows it",
    }),
    addedBy: z.string(),
    addedAt: z.string(),
    updatedAt: z.string(),
    revision: z.int(),
  })
  .meta({ id: "File" });

const upload = defineStreamRoute({
  method: "POST",
  path: "/media",
  scope: "media:write",
  summary:
    "Add a file, private until something public shows it: the raw body, named by ?name= or Content-Disposition, or one file in a multipart/form-data form",
  query: mediaFileInputSchema,
  accepts: [ANY_MEDIA_TYPE],
  produces: ["application/json"],
  answer: async ({ request, query, actor, parts, now, requestId }) =>
    await withUpload(request, async ({ bytes, details, clientType }) => {
      await using file = await parts.mediaFiles.receive(bytes);
      const input = { ...details, ...query };
      const { medium, isNew } = await parts.atomically(({ media }) =>
        addMediaFile(media, actor, file, input, { now, requestId }),
      );
      const notices = [
        ...file.notices.map(({ en }) => en),
        ...typeNotice(medium, clientType),
        ...(isNew ? [] : ["The site has had this file before; what was said of it stays as it is"]),
      ];
      const response = await mediumResponse(medium, parts.stores.media, parts.origin);
      const body = JSON.stringify({ ...response, notices });
      const headers = {
        "Content-Type": "application/json",
        Location: `${API_PATH}/media/${medium.id}`,
        ETag: `"${medium.revision}"`,
      };
      return responseWithContentLength(isNew ? 201 : 200, headers, body);
    }),
});

const list = defineRoute({
  method: "GET",
  path: "/media",
  scope: "content:read",
  summary: "List files, latest first",
  query: z.strictObject({
    type: z
      .string()
      .max(100)
      .exactOptional()
      .meta({ description: "Such as image/png, or image for all images" }),
    text: z.string().trim().min(1).max(200).exactOptional(),
    unused: z
      .literal("true")
      .transform(() => true)
      .exactOptional()
      .meta({ description: "Only files that no item refers to" }),
    undescribed: z
      .literal("true")
      .transform(() => true)
      .exactOptional()
      .meta({ description: "Only pictures without an alternative text that are not decorative" }),
    ...pageQueryShape,
  }),
  body: NO_BODY,
  response: z.object({ items: z.array(responseSchema), nextCursor: z.string().nullable() }),
  async answer({ actor, stores, query, parts }) {
    const { media, nextCursor } = await listMedia(stores.media, actor, query);
    const publicIds = await stores.media.publicMedia(media.map(({ id }) => id));
    const items = media.map((each) => responseOf(each, { origin: parts.origin, publicIds }));
    return { body: { items, nextCursor } };
  },
});

const read = defineRoute({
  method: "GET",
  path: "/media/{id}",
  scope: "content:read",
  summary: "Get a file and the items that refer to it",
  query: NO_QUERY,
  body: NO_BODY,
  response: responseSchema.extend({
    usedBy: z.array(
      z.object({
        id: z.string(),
        type: z.string(),
        path: z.string(),
        title: z.string(),
        status: z.enum(STATUSES),
      }),
    ),
  }),
  async answer({ actor, stores, pathParameter, parts }) {
    const { medium, usedBy } = await readMediaFile(stores.media, actor, pathParameter("id"));
    return {
      body: { ...(await mediumResponse(medium, stores.media, parts.origin)), usedBy },
      state: medium.revision,
    };
  },
});

const change = defineRoute({
  method: "PATCH",
  path: "/media/{id}",
  scope: "media:write",
  summary:
    "Change what is said of a file, and whether it is public by itself; pages that show it are updated",
  query: NO_QUERY,
  body: mediaFileChangeSchema,
  response: responseSchema,
  stateToMatch: revisionOf,
  async answer({ actor, stores, pathParameter, body, parts, now, requestId }) {
    const context = { now, requestId };
    const medium = await changeMediaFile(stores.media, actor, pathParameter("id"), body, context);
    const response = await mediumResponse(medium, stores.media, parts.origin);
    return { body: response, state: medium.revision };
  },
});

const remove = defineRoute({
  method: "DELETE",
  path: "/media/{id}",
  scope: "media:write",
  summary: "Withdraw a file that nothing uses",
  query: NO_QUERY,
  body: NO_BODY,
  response: z.null(),
  stateToMatch: revisionOf,
  async answer({ actor, stores, pathParameter, now, requestId }) {
    await removeMediaFile(stores.media, actor, pathParameter("id"), { now, requestId });
    return { status: 204, body: null };
  },
});

const replace = defineRoute({
  method: "POST",
  path: "/media/{id}/replace",
  scope: "media:write",
  summary:
    "Show another file wherever this one is used: texts and fields of items and drafts, the site's settings, redirects",
  query: NO_QUERY,
  body: z.strictObject({
    with: z.string().max(100).meta({ description: "The id of the other file" }),
    removesOld: z
      .boolean()
      .default(true)
      .meta({ description: "Withdraws this file, which can be restored for 30 days" }),
  }),
  response: responseSchema,
  stateToMatch: revisionOf,
  async answer({ actor, stores, pathParameter, body, parts, now, requestId }) {
    const files = { from: pathParameter("id"), to: body.with };
    const { removesOld } = body;
    const options = { removesOld, origin: parts.origin, now, requestId };
    const medium = await replaceMediaFile(stores, actor, files, options);
    return { body: await mediumResponse(medium, stores.media, parts.origin) };
  },
});

const listRemoved = defineRoute({
  method: "GET",
  path: "/removed-media",
  scope: "content:read",
  summary: "List withdrawn files that can be restored, latest first",
  query: NO_QUERY,
  body: NO_BODY,
  response: z.object({
    items: z.array(
      z.object({ id: z.string(), path: z.string(), name: z.string(), removedAt: z.string() }),
    ),
    hasMore: z.boolean(),
  }),
  async answer({ actor, stores, now }) {
    const limit = REMOVED_SHOWN_MAX;
    const { removed, hasMore } = await listRemovedMedia(stores.media, actor, { limit, now });
    const items = removed.map(({ medium, removedAt }) => {
      const { id, name } = medium;
      return { id, path: mediaFilePath(medium), name, removedAt };
    });
    return { body: { items, hasMore } };
  },
});

const restore = defineRoute({
  method: "POST",
  path: "/removed-media/{id}/restore",
  scope: "media:write",
  summary: "Restore a withdrawn file",
  query: NO_QUERY,
  body: NO_BODY,
  response: responseSchema,
  async answer({ actor, stores, pathParameter, parts, now, requestId }) {
    const stored = { media: stores.media, files: parts.mediaFiles };
    const medium = await restoreMediaFile(stored, actor, pathParameter("id"), { now, requestId });
    return { body: await mediumResponse(medium, stores.media, parts.origin) };
  },
});

export const mediaRoutes: readonly Route[] = [
  ...[list, upload, read, change, remove],
  ...[replace, listRemoved, restore],
];

async function mediumResponse(medium: MediaFile, media: MediaReader, origin: string) {
  return responseOf(medium, { origin, publicIds: await media.publicMedia([medium.id]) });
}

function responseOf(
  medium: MediaFile,
  { origin, publicIds }: { origin: string; publicIds: ReadonlySet<string> },
) {
  return { ...withMediaFileLinks(medium, origin), isPublic: publicIds.has(medium.id) };
}

async function revisionOf({
  stores,
  pathParameter,
}: Pick<ApiCall, "stores" | "pathParameter">): Promise<number> {
  return (await requireMediaFile(stores.media, pathParameter("id"))).revision;
}

/** Returns a notice if the media type in the request differs from the type detected in the bytes. */
function typeNotice({ type }: MediaFile, declaredType: string | null): string[] {
  if (declaredType === null || declaredType === type) return [];
  return [`The file is kept as ${type}, as its bytes say, not as ${declaredType}`];
}
