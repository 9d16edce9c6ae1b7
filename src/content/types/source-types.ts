/** The schema.org types of people and organisations that create works. */
export const CREATOR_SCHEMA_ORG_TYPES: ReadonlySet<string> = new Set(["Person", "Organization"]);

/** The schema.org types of works. */
export const WORK_SCHEMA_ORG_TYPES: ReadonlySet<string> = new Set(["CreativeWork", "Book"]);

/** The schema.org types of the sources of quotations: creators and works. */
export const SOURCE_SCHEMA_ORG_TYPES: ReadonlySet<string> = new Set([
  ...CREATOR_SCHEMA_ORG_TYPES,
  ...WORK_SCHEMA_ORG_TYPES,
]);
