import type { ListPage, ListQuery, SearchPage, SearchQuery } from "../../content/library.ts";

/** A search for names. `types` has type names of the index, as from `deskTypeNames`. */
export interface DeskNameQuery {
  text: string;
  types: readonly string[];
  limit: number;
}

/** The queries that the threads of the editors' index answer. */
export type DeskQuery =
  | { kind: "search"; query: SearchQuery }
  | { kind: "list"; query: ListQuery }
  | { kind: "names"; query: DeskNameQuery };

export type DeskQueryResult =
  | { kind: "search"; page: SearchPage }
  | { kind: "list"; page: ListPage }
  | { kind: "names"; ids: string[] };
