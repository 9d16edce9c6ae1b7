import type { ContentTypes } from "../../../content/types/content-type.ts";
import type { RelationView } from "../../../content/types/relation-views.ts";
import { numberOf } from "../../sqlite/columns.ts";
import type { StatementCache } from "../../sqlite/statements.ts";
import type { ComputationSteps } from "../../sqlite/yield-between.ts";
import type { RowNumbers } from "../row-numbers.ts";
import { INSERT_VALUE_SQL, valueRowParameters } from "../values.ts";
import { countedRelationViews, symmetricRelations } from "./counted-views.ts";

interface CountedRelation {
  row: number;
  type: string;
  relation: string;
}

/**
 * Keeps the counts of links to each item. Each count belongs to a relation view, such as
 * `quotations` of an author. Counts are stored negated: ascending order then starts with the
 * highest count, and equal counts stay in the order of `added`. Changes are summed and written once
 * per batch.
 */
export class LinkCounts {
  readonly #sql: StatementCache;
  readonly #rows: RowNumbers;
  /** How much each count has changed, by the row number of the item and the name of the relation view. */
  readonly #changes = new Map<number, Map<string, number>>();
  readonly #newlyPublished = new Map<number, string>();
  readonly #symmetric = new Map<string, CountedRelation>();

  constructor(sql: StatementCache, rows: RowNumbers) {
    this.#sql = sql;
    this.#rows = rows;
  }

  /** Notes that a published item gained (+1) or lost (-1) a link. */
  changed(
    source: { row: number; type: string },
    { relation, target }: { relation: string; target: number },
    { change, types }: { change: 1 | -1; types: ContentTypes },
  ): void {
    const declared = types.get(source.type)?.relations[relation];
    if (declared?.symmetric === true) {
      this.#recountLater({ row: target, type: declared.target, relation });
      this.#recountLater({ ...source, relation });
    }
    if (declared?.inverse === undefined) return;
    const name = declared.inverse.name;
    const changes = this.#changes.get(target) ?? new Map<string, number>();
    changes.set(name, (changes.get(name) ?? 0) + change);
    this.#changes.set(target, changes);
  }

  /**
   * Notes an item as newly published. The links to it are counted again, because other items possibly
   * linked to it while it was unpublished.
   */
  start(row: number, type: string): void {
    this.#newlyPublished.set(row, type);
  }

  /** Notes an item as no longer published. Items in a symmetric relation with it are recounted. */
  end(row: number, type: string, types: ContentTypes): void {
    for (const relation of symmetricRelations(types, type)) {
      for (const other of this.#sourcesOf(row, relation)) {
        this.#recountLater({ row: other, type, relation });
      }
    }
  }

  /** Call after writing all items and links of the batch. */
  *flush(types: ContentTypes): ComputationSteps {
    for (const [row, type] of this.#newlyPublished) {
      this.#start(row, type, types);
      yield;
    }
    const add = this.#sql.of(
      `UPDATE reading_value SET value = value - ?1, hash = row_hash(type, name, value - ?1, row)
       WHERE row = ?2 AND name = ?3`,
    );
    for (const [row, names] of this.#changes) {
      if (this.#newlyPublished.has(row)) continue;
      for (const [name, change] of names) if (change !== 0) add.run(change, row, `count:${name}`);
      yield;
    }
    for (const counted of this.#symmetric.values()) {
      this.#recount(counted, types);
      yield;
    }
    this.discard();
  }

  discard(): void {
    this.#changes.clear();
    this.#newlyPublished.clear();
    this.#symmetric.clear();
  }

  #start(row: number, type: string, types: ContentTypes): void {
    const counts = new Map<string, number>();
    for (const view of countedRelationViews(types, type)) {
      const items = view.direction === "in" ? this.#countSources(row, view) : 0;
      counts.set(view.name, (counts.get(view.name) ?? 0) + items);
      if (view.direction === "in" || this.#rows.isNew(row)) continue;
      this.#recountLater({ row, type, relation: view.relation });
      for (const other of this.#itemsAtOtherEnd(row, view.relation)) {
        this.#recountLater({ row: other, type: view.otherType, relation: view.relation });
      }
    }
    const insert = this.#sql.of(INSERT_VALUE_SQL);
    for (const [name, items] of counts)
      insert.get(...valueRowParameters(type, { name: `count:${name}`, value: 0 - items, row }));
  }

  /**
   * Counts the published items that link to this item by the relation. Skips the query for a new
   * item without reported links, because nothing can link to it yet.
   */
  #countSources(row: number, { relation, otherType }: RelationView): number {
    if (this.#rows.isNew(row) && !this.#changes.has(row)) return 0;
    const found = this.#sql
      .of(
        `SELECT count(*) AS n FROM reading_link
         WHERE target = ? AND relation = ? AND source_type = ?`,
      )
      .get(row, relation, otherType);
    return numberOf(found ?? {}, "n");
  }

  #recountLater(counted: CountedRelation): void {
    this.#symmetric.set(`${counted.row}:${counted.relation}`, counted);
  }

  /**
   * Counts the links of a symmetric relation again. A link that both items state counts only once.
   */
  #recount({ row, type, relation }: CountedRelation, types: ContentTypes): void {
    const view = countedRelationViews(types, type).find(
      (candidate) => candidate.direction === "out" && candidate.relation === relation,
    );
    if (view === undefined) return;
    const items = this.#itemsAtOtherEnd(row, relation).length;
    this.#sql
      .of(
        `UPDATE reading_value SET value = ?1, hash = row_hash(type, name, ?1, row)
         WHERE row = ?2 AND name = ?3`,
      )
      .run(0 - items, row, `count:${view.name}`);
  }

  /**
   * Rows of the published items that are related to this item, whichever of the two items states
   * the relation.
   */
  #itemsAtOtherEnd(row: number, relation: string): number[] {
    return this.#sql
      .of(
        `SELECT row FROM reading_item WHERE row IN (
           SELECT target FROM reading_link WHERE source = ?1 AND relation = ?2
           UNION SELECT source FROM reading_link WHERE target = ?1 AND relation = ?2)`,
      )
      .all(row, relation)
      .map((found) => numberOf(found, "row"));
  }

  #sourcesOf(row: number, relation: string): number[] {
    return this.#sql
      .of("SELECT source AS row FROM reading_link WHERE target = ? AND relation = ?")
      .all(row, relation)
      .map((found) => numberOf(found, "row"));
  }
}
