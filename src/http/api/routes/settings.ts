import { z } from "zod";
import {
  changeDeclaredTypes,
  changeSettings,
  readDeclaredTypes,
  readSettings,
} from "../../../content/site/settings.ts";
import { siteProfileSchema } from "../../../content/site/site.ts";
import { contentTypeSchema } from "../../../content/types/content-type.ts";
import {
  type ApiCall,
  type ApiResponse,
  defineRoute,
  NO_BODY,
  NO_QUERY,
  type Route,
} from "../route.ts";
import { outlineResponseSchema, outlineWithUrl } from "./content-shapes.ts";

const TYPES_MAX = 100;

const settingsResponseSchema = z
  .object({
    ...siteProfileSchema.shape,
    navigation: z.array(outlineResponseSchema).meta({
      description:
        "Paths of the main navigation, in order; only those in the site's language are shown",
    }),
  })
  .meta({ id: "Settings" });

const typesBody = z.strictObject({ types: z.array(contentTypeSchema).max(TYPES_MAX) });

const read = defineRoute({
  method: "GET",
  path: "/settings",
  scope: "settings:write",
  summary: "The association's profile and the site's navigation",
  query: NO_QUERY,
  body: NO_BODY,
  response: settingsResponseSchema,
  answer: settingsResponse,
});

const change = defineRoute({
  method: "PATCH",
  path: "/settings",
  scope: "settings:write",
  summary:
    "Apply a JSON Merge Patch; the navigation is a list of pages, which is replaced as a whole",
  query: NO_QUERY,
  body: z.record(z.string(), z.unknown()),
  response: settingsResponseSchema,
  stateToMatch: settingsState,
  async answer(call) {
    const { stores, actor, body, now, requestId } = call;
    await changeSettings(stores.content, actor, body, { now, requestId });
    return await settingsResponse(call);
  },
});

const readTypes = defineRoute({
  method: "GET",
  path: "/settings/types",
  scope: "settings:write",
  summary: "The content types the site declares in addition to the built-in ones",
  query: NO_QUERY,
  body: NO_BODY,
  response: typesBody,
  answer: typesResponse,
});

const replaceTypes = defineRoute({
  method: "PUT",
  path: "/settings/types",
  scope: "settings:write",
  summary: "Declare exactly these content types; one that has items cannot be left out",
  query: NO_QUERY,
  body: typesBody,
  response: typesBody,
  stateToMatch: async ({ stores, actor }) => await readDeclaredTypes(stores.content, actor),
  async answer(call) {
    const { stores, actor, body, now, requestId } = call;
    await changeDeclaredTypes(stores.content, actor, body.types, { now, requestId });
    return await typesResponse(call);
  },
});

export const settingsRoutes: readonly Route[] = [read, change, readTypes, replaceTypes];

async function settingsResponse(call: ApiCall): Promise<ApiResponse> {
  const { profile, navigation } = await readSettings(call.stores.content, call.actor);
  const { origin } = call.parts;
  return {
    body: { ...profile, navigation: navigation.map((page) => outlineWithUrl(page, origin)) },
    state: await settingsState(call),
  };
}

async function settingsState({ stores, actor }: ApiCall): Promise<unknown> {
  const { profile, navigation } = await readSettings(stores.content, actor);
  return { profile, navigation: navigation.map(({ id }) => id) };
}

async function typesResponse({ stores, actor }: ApiCall): Promise<ApiResponse> {
  const types = await readDeclaredTypes(stores.content, actor);
  return { body: { types }, state: types };
}
