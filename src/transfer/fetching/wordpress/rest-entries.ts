import { z } from "zod";

/**
 * The schemas in this file describe public content in the REST interface of WordPress
 * (https://developer.wordpress.org/rest-api/reference/). Fields that a type may lack have defaults.
 */
const rendered = z.object({ rendered: z.string() }).default({ rendered: "" });
const id = z.int().nonnegative();

const common = {
  id,
  slug: z.string().default(""),
  link: z.string().default(""),
  date: z.string().nullish(),
  date_gmt: z.string().nullish(),
  modified: z.string().nullish(),
  modified_gmt: z.string().nullish(),
  title: rendered,
  author: id.default(0),
};

export const postSchema = z.object({
  ...common,
  content: z
    .object({ rendered: z.string(), protected: z.boolean().default(false) })
    .default({ rendered: "", protected: false }),
  excerpt: rendered,
  parent: id.default(0),
  categories: z.array(id).default([]),
  tags: z.array(id).default([]),
  featured_media: id.default(0),
});
export type RestPost = z.infer<typeof postSchema>;

/** PHP writes an empty map as a list, which this schema refuses. The medium then has no sizes. */
const sizesSchema = z.object({ sizes: z.record(z.string(), z.object({ file: z.string() })) });

export const mediaFileSchema = z.object({
  ...common,
  source_url: z.string().default(""),
  alt_text: z.string().default(""),
  post: id.nullish(),
  media_details: z
    .unknown()
    .transform((details) =>
      Object.values(sizesSchema.safeParse(details).data?.sizes ?? {}).map(({ file }) => file),
    ),
});
export type RestMediaFile = z.infer<typeof mediaFileSchema>;

export const termSchema = z.object({
  id,
  slug: z.string(),
  name: z.string(),
  description: z.string().default(""),
  parent: id.default(0),
});
export type RestTerm = z.infer<typeof termSchema>;

export const userSchema = z.object({ id, slug: z.string(), name: z.string() });
export type RestUser = z.infer<typeof userSchema>;

export const restTypesSchema = z.record(
  z.string(),
  z.object({
    slug: z.string(),
    rest_base: z.string(),
    rest_namespace: z.string().default("wp/v2"),
  }),
);

export const restSiteSchema = z.object({ name: z.string().default(""), home: z.string() });
