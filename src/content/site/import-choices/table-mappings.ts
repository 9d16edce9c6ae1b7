import { z } from "zod";

const COLUMN_CHARACTERS_MAX = 100;
const TARGET_CHARACTERS_MAX = 60;
const COLUMNS_MAX = 500;

const columnNameSchema = z.string().min(1).max(COLUMN_CHARACTERS_MAX);

/** Maps the columns of a table to parts of an item, such as its title or a field. */
export const tableMappingSchema = z.strictObject({
  /** The content type of the rows. */
  type: z.string().min(1).max(TARGET_CHARACTERS_MAX),
  /**
   * How an import uses each column, keyed by column name: the part of an item that the column fills, such
   * as `title`, or `-` for a column that is left out on purpose.
   */
  columns: z.record(columnNameSchema, z.string().min(1).max(TARGET_CHARACTERS_MAX)),
  /** Columns that identify a row in a repeated import; empty: not yet chosen. */
  knownBy: z.array(columnNameSchema).max(COLUMNS_MAX).default([]),
});

export type TableMapping = z.output<typeof tableMappingSchema>;

/** Mappings, keyed by the name of the table. */
export const tableMappingsSchema = z.record(z.string().min(1).max(100), tableMappingSchema);
