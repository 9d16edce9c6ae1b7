import { z } from "zod";

const PAGE_ITEMS_DEFAULT = 50;
const PAGE_ITEMS_MAX = 100;

/** Query parameters of every list: page size and cursor. */
export const pageQueryShape = {
  limit: z.coerce.number().pipe(z.int().min(1).max(PAGE_ITEMS_MAX)).default(PAGE_ITEMS_DEFAULT),
  cursor: z.string().exactOptional(),
};
