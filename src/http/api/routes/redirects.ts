import { z } from "zod";
import { pageUrl } from "../../../content/addresses/addresses.ts";
import {
  attachItemsToRedirects,
  listRedirects,
  type RedirectWithItem,
} from "../../../content/addresses/redirect-listing.ts";
import {
  addRedirect,
  inspectRedirect,
  removeRedirect,
  requireExistingRedirect,
} from "../../../content/addresses/redirects.ts";
import { STATUSES } from "../../../content/items/item.ts";
import type { Redirect } from "../../../content/record.ts";
import { findDocument } from "../../../discovery/documents.ts";
import { pageQueryShape } from "../page-query.ts";
import {
  type ApiCall,
  type ApiResponse,
  defineRoute,
  NO_BODY,
  NO_QUERY,
  type Route,
} from "../route.ts";

const address = z.string().min(1).max(2000);

const redirectResponseSchema = z
  .object({
    id: z.string(),
    from: z.string(),
    to: z
      .object({
        id: z
          .string()
          .nullable()
          .meta({ description: "The item; null for a page that is not an item" }),
        path: z.string().nullable().meta({ description: "Null for another site" }),
        title: z.string().nullable(),
        status: z.enum(STATUSES).nullable(),
        url: z.string(),
      })
      .nullable()
      .meta({ description: "Null: the address is gone and answers 410" }),
    createdAt: z.iso.datetime(),
    createdBy: z.string(),
  })
  .meta({ id: "Redirect" });

const list = defineRoute({
  method: "GET",
  path: "/redirects",
  scope: "content:read",
  summary: "List redirects from addresses of a former site to pages of this one",
  query: z.strictObject({ from: address.exactOptional(), ...pageQueryShape }),
  body: NO_BODY,
  response: z.object({ items: z.array(redirectResponseSchema), nextCursor: z.string().nullable() }),
  async answer({ stores, actor, query, parts }) {
    const { redirects, nextCursor } = await listRedirects(stores.desk, actor, query);
    return {
      body: { items: redirects.map((redirect) => toResponse(redirect, parts.origin)), nextCursor },
    };
  },
});

const add = defineRoute({
  method: "POST",
  path: "/redirects",
  scope: "content:publish",
  summary:
    "Redirect addresses of a former site to an item, another page of this site, or elsewhere; or keep them as gone",
  query: NO_QUERY,
  body: z.strictObject({
    from: address.meta({
      description:
        "A path or an absolute address on this site, also with a query; /blog/* for all below /blog",
    }),
    to: address.nullable().meta({
      description:
        "A path, an absolute address, or an item's id or source key; :splat is what * stands for. Null: the address is gone for good and answers 410",
    }),
  }),
  response: redirectResponseSchema,
  async answer(call) {
    const { stores, actor, body, parts, now, requestId } = call;
    const redirect = await addRedirect(stores.content, actor, body, {
      now,
      requestId,
      origin: parts.origin,
      isDocument: (path) => findDocument(path) !== null,
    });
    return {
      ...(await redirectAnswer(call, redirect)),
      status: 201,
      headers: { Location: `/api/v1/redirects/${redirect.id}` },
    };
  },
});

const read = defineRoute({
  method: "GET",
  path: "/redirects/{id}",
  scope: "content:read",
  summary: "Get the redirect of an address of a former site",
  query: NO_QUERY,
  body: NO_BODY,
  response: redirectResponseSchema,
  async answer(call) {
    const redirect = await inspectRedirect(
      call.stores.content,
      call.actor,
      call.pathParameter("id"),
    );
    return await redirectAnswer(call, redirect);
  },
});

const remove = defineRoute({
  method: "DELETE",
  path: "/redirects/{id}",
  scope: "content:publish",
  summary: "Delete a redirect; its address then answers 404, or 410 if a deleted item was there",
  query: NO_QUERY,
  body: NO_BODY,
  response: z.null(),
  stateToMatch: async ({ stores, pathParameter }) =>
    await requireExistingRedirect(stores.content, pathParameter("id")),
  async answer({ stores, actor, pathParameter, now, requestId }) {
    await removeRedirect(stores.content, actor, pathParameter("id"), { now, requestId });
    return { status: 204, body: null };
  },
});

export const redirectRoutes: readonly Route[] = [list, add, read, remove];

async function redirectAnswer(
  { stores, parts }: Pick<ApiCall, "stores" | "parts">,
  redirect: Redirect,
): Promise<ApiResponse> {
  const [found = { ...redirect, item: null }] = await attachItemsToRedirects(stores.desk, [
    redirect,
  ]);
  return { body: toResponse(found, parts.origin), state: redirect };
}

function toResponse(
  { id, from, to, item, createdAt, createdBy }: RedirectWithItem,
  origin: string,
): z.input<typeof redirectResponseSchema> {
  if (to === null) return { id, from, to, createdAt, createdBy };
  const path = "url" in to ? null : "path" in to ? to.path : (item?.path ?? "/");
  const target = {
    id: item?.id ?? null,
    path,
    title: item?.title ?? null,
    status: item?.status ?? null,
    url: "url" in to ? to.url : pageUrl(origin, path ?? "/"),
  };
  return { id, from, to: target, createdAt, createdBy };
}
