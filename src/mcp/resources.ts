import { z } from "zod";
import { pageUrl } from "../content/addresses/addresses.ts";
import type { PublishedIndexEntry } from "../content/library.ts";
import { decodeCursor, encodeCursor } from "../content/lists/cursor.ts";
import { titleWithWarning } from "../content/pages/quotations/seals.ts";
import { warningValuesBySealField } from "../content/types/content-type.ts";
import { AppError } from "../errors.ts";
import { pageMarkdown } from "../render/page-markdown.ts";
import type { CallContext, ResourceProvider, ResourceTemplate } from "./mcp-features.ts";
import { createSlugCompleter } from "./name-completers.ts";
import type { JsonObject } from "./protocol/json.ts";
import { readPageAtAddress } from "./results/read-page.ts";

/**
 * The page size is large, because some clients fetch the whole list and every page counts against their rate
 * limit.
 */
const RESOURCES_PER_PAGE = 500;
const CURSOR_QUERY = "resources";
const positionSchema = z.string().regex(/^[a-z][a-z0-9_]*:\d{1,15}$/);

/** Every published item as a resource: the URI is its public address, the content its Markdown. */
export const SITE_RESOURCES: ResourceProvider = {
  list(cursor, context) {
    const after =
      cursor === undefined || cursor === ""
        ? {}
        : { after: decodeCursor(cursor, CURSOR_QUERY, positionSchema) };
    const entries = [...context.reading.index({ ...after, limit: RESOURCES_PER_PAGE + 1 })];
    const page = entries.slice(0, RESOURCES_PER_PAGE);
    const last = page.at(-1);
    return {
      resources: page.map((entry) => resourceOf(entry, context)),
      nextCursor:
        entries.length > RESOURCES_PER_PAGE && last !== undefined
          ? encodeCursor(CURSOR_QUERY, last.cursor)
          : null,
    };
  },

  templates({ types, origin }) {
    const typeTemplates = [...types.values()].flatMap(({ name, label, description, listPath }) =>
      listPath === null
        ? []
        : [
            template(
              { name, title: label, description, uriTemplate: `${origin}${listPath}/{slug}` },
              { slug: createSlugCompleter(name, listPath) },
            ),
          ],
    );
    const any = {
      name: "any",
      title: "Any page",
      description: "Any published item by the path of its address.",
      uriTemplate: `${origin}/{+path}`,
    };
    return [...typeTemplates, template(any, {})];
  },

  read(uri, context) {
    try {
      const { view } = readPageAtAddress(uri, context);
      const address = pageUrl(context.origin, view.path) + view.query;
      return [{ uri: address, mimeType: "text/markdown", text: pageMarkdown(view, context) }];
    } catch (error) {
      if (error instanceof AppError) return null;
      throw error;
    }
  },
};

function resourceOf(entry: PublishedIndexEntry, context: CallContext): JsonObject {
  const { path, summary, updatedAt } = entry;
  return {
    uri: pageUrl(context.origin, path),
    name: path,
    title: titleOf(entry, context),
    ...(summary === "" ? {} : { description: summary }),
    mimeType: "text/markdown",
    annotations: { lastModified: updatedAt },
  };
}

/** The title, with a warning if the item has one. Reads the item only if its type can have warnings. */
function titleOf(entry: PublishedIndexEntry, { reading, types }: CallContext): string {
  const hasWarnings = warningValuesBySealField(types.get(entry.type)).length > 0;
  const item = hasWarnings ? reading.itemOf(entry) : null;
  return item === null ? entry.title : titleWithWarning(item, types);
}

function template(
  definition: ResourceTemplate["definition"],
  completers: ResourceTemplate["completers"],
): ResourceTemplate {
  return { definition: { ...definition, mimeType: "text/markdown" }, completers };
}
