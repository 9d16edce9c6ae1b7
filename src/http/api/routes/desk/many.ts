import { z } from "zod";
import { changeLinks } from "../../../../content/editing/many/linking.ts";
import { mergeItems } from "../../../../content/editing/many/merging-items.ts";
import {
  findReplacementCandidates,
  replaceTextInItems,
} from "../../../../content/editing/many/replacing.ts";
import { applyReplacementToExcerpt } from "../../../../content/editing/many/rewriting.ts";
import { changeStatuses } from "../../../../content/editing/many/statuses.ts";
import { findReferencesToEach, type References } from "../../../../content/editing/references.ts";
import { findDocument } from "../../../../discovery/documents.ts";
import { defineRoute, NO_QUERY, type Route } from "../../route.ts";
import { readCurrentRevisionNumber } from "../content.ts";

/** Maximum number of items that one request changes, so that other writers wait only briefly. */
const ITEMS_MAX = 200;
const TARGETS_MAX = 50;

const id = z.string().min(1).max(100);
const dryRun = z
  .boolean()
  .default(true)
  .meta({ description: "Without false, only reports what would change" });

const links = defineRoute({
  method: "POST",
  path: "/content/links",
  scope: "content:write",
  summary: "Link, unlink or set a relation of many items, all or nothing",
  query: NO_QUERY,
  body: z.strictObject({
    action: z.enum(["link", "unlink", "set"]),
    relation: z.string().min(1).max(100),
    items: z.array(id).min(1).max(ITEMS_MAX).meta({ description: "Ids that state the relation" }),
    targets: z.array(z.string().min(1).max(1000)).max(TARGETS_MAX),
  }),
  response: z.object({ changed: z.array(z.string()) }),
  async answer({ stores, actor, body, now, requestId }) {
    return {
      body: { changed: await changeLinks(stores.content, actor, body, { now, requestId }) },
    };
  },
});

const statuses = defineRoute({
  method: "POST",
  path: "/content/statuses",
  scope: "content:write",
  summary: "Publish, withdraw or delete many items, with a report on each",
  query: NO_QUERY,
  body: z.strictObject({
    action: z.enum(["publish", "draft", "gone", "delete"]),
    items: z.array(id).min(1).max(ITEMS_MAX),
    references: z.enum(["keep"]).exactOptional(),
  }),
  response: z.object({
    items: z.array(
      z.object({
        id: z.string(),
        outcome: z.enum(["changed", "unchanged", "failed"]),
        message: z.string().exactOptional(),
      }),
    ),
  }),
  async preload({
    stores,
    parts,
    actor,
    body: { action, items, references },
  }): Promise<ReadonlyMap<string, References>> {
    if (action === "publish" || references === "keep") return new Map();
    return await findReferencesToEach({ ...stores, ...parts }, actor, items);
  },
  async answer({ stores, actor, body, now, requestId, preloaded = new Map() }) {
    const selection = { how: body.action, ids: body.items };
    const options = { now, requestId, references: preloaded };
    const reports = await changeStatuses(stores.content, actor, selection, options);
    const items = reports.map(({ message, ...report }) => ({ ...report, message: message?.en }));
    return { body: { items } };
  },
});

const replacements = defineRoute({
  method: "POST",
  path: "/content/replacements",
  scope: "content:write",
  summary: "Find and replace a text in titles, summaries, texts and fields; a dry run by default",
  query: NO_QUERY,
  body: z.strictObject({
    find: z
      .string()
      .min(2)
      .max(300)
      .meta({ description: "Whole words, as they stand in the texts" }),
    replace: z.string().max(300),
    types: z.array(z.string().max(100)).max(20).default([]),
    dryRun,
  }),
  response: z.object({
    items: z.array(
      z.object({
        id: z.string(),
        path: z.string(),
        title: z.string(),
        places: z.int(),
        excerpt: z.string(),
      }),
    ),
    hasMore: z.boolean().meta({ description: "true: repeat the request for the rest" }),
    dryRun: z.boolean(),
  }),
  preload: async ({ parts, body }) => await findReplacementCandidates(parts.deskIndex, body),
  async answer({ stores, actor, body, now, requestId, preloaded }) {
    const { ids = [], hasMore = false } = preloaded ?? {};
    const options = { isDryRun: body.dryRun, now, requestId };
    const replaced = await replaceTextInItems(stores.content, actor, { ...body, ids }, options);
    const items = replaced.map((item) => ({
      ...item,
      excerpt: applyReplacementToExcerpt(item.excerpt),
    }));
    return { body: { items, hasMore, dryRun: body.dryRun } };
  },
});

const merge = defineRoute({
  method: "POST",
  path: "/content/{id}/merge",
  scope: "content:publish",
  summary:
    "Merge an item into another of its type: links, names and addresses move, and it is deleted; a dry run by default",
  query: NO_QUERY,
  body: z.strictObject({ into: id, dryRun }),
  response: z.object({
    moved: z.int().meta({ description: "Items whose links lead to the other item" }),
    addresses: z.array(z.string()),
    aliases: z.array(z.string()),
    dryRun: z.boolean(),
  }),
  stateToMatch: readCurrentRevisionNumber,
  async answer({ stores, actor, pathParameter, body, now, requestId, parts }) {
    const merged = await mergeItems(
      stores,
      actor,
      { from: pathParameter("id"), into: body.into },
      {
        isDryRun: body.dryRun,
        now,
        requestId,
        origin: parts.origin,
        isDocument: (path) => findDocument(path) !== null,
      },
    );
    return { body: { ...merged, dryRun: body.dryRun } };
  },
});

export const bulkEditingRoutes: readonly Route[] = [links, statuses, replacements, merge];
