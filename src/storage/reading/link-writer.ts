import { type ContentTypes, type RelationView, relationViews } from "../../content/content-type.ts";
import type { Item } from "../../content/item.ts";
import { numberOf, textOf, textOrNull } from "./columns.ts";
import type { Statements } from "./statements.ts";

interface StoredLink {
  relation: string;
  target: number;
  note: string | null;
}

/**
 * Links and the counts that follow from them. A count belongs to a view others state of an item
 * (`quotations` of an author) and is kept as a negative number, so that the usual order, most first,
 * is ascending and ties stay in the order of `added`.
 */
export class LinkWriter {
  readonly #sql: Statements;

  constructor(sql: Statements) {
    this.#sql = sql;
  }

  /** The number that stands for an item for ever. */
  rowOf(itemId: string): number {
    const known = this.#sql.of("SELECT row FROM reading_row WHERE item_id = ?").get(itemId);
    if (known !== undefined) return numberOf(known, "row");
    const { lastInsertRowid } = this.#sql
      .of("INSERT INTO reading_row (item_id) VALUES (?)")
      .run(itemId);
    return Number(lastInsertRowid);
  }

  /** Call after the item itself was put. */
  put(row: number, item: Item, types: ContentTypes): void {
    const before = this.#stated(row);
    const after = this.#statedBy(item, types);
    if (!sameLinks(before, after)) this.#replace(row, item.type, { before, after, types });
    if (!this.#hasCounts(row, item.type, types)) this.#startCounts(row, item.type, types);
  }

  /** Call after the item itself and its values were removed. */
  remove(row: number, type: string, types: ContentTypes): void {
    this.#replace(row, type, { before: this.#stated(row), after: [], types });
    for (const relation of symmetricRelations(types, type)) {
      const others = this.#sql
        .of("SELECT source AS other FROM reading_link WHERE target = ? AND relation = ?")
        .all(row, relation);
      for (const other of others) this.#recount(numberOf(other, "other"), type, relation, types);
    }
  }

  #stated(row: number): StoredLink[] {
    return this.#sql
      .of(
        "SELECT relation, target, note FROM reading_link WHERE source = ? ORDER BY relation, position",
      )
      .all(row)
      .map((link) => ({
        relation: textOf(link, "relation"),
        target: numberOf(link, "target"),
        note: textOrNull(link, "note"),
      }));
  }

  #statedBy(item: Item, types: ContentTypes): StoredLink[] {
    return Object.keys(types.get(item.type)?.relations ?? {})
      .sort()
      .flatMap((relation) => {
        const byTarget = new Map<number, StoredLink>();
        for (const { to, note } of item.relations[relation] ?? []) {
          const target = this.rowOf(to);
          if (!byTarget.has(target)) byTarget.set(target, { relation, target, note });
        }
        return [...byTarget.values()];
      });
  }

  #replace(
    row: number,
    type: string,
    { before, after, types }: { before: StoredLink[]; after: StoredLink[]; types: ContentTypes },
  ): void {
    this.#sql.of("DELETE FROM reading_link WHERE source = ?").run(row);
    const insert = this.#sql.of("INSERT INTO reading_link VALUES (?, ?, ?, ?, ?, ?)");
    after.forEach(({ relation, target, note }, position) => {
      insert.run(row, relation, position, target, type, note);
    });
    for (const link of without(before, after))
      this.#changed(row, type, { link, change: -1, types });
    for (const link of without(after, before)) this.#changed(row, type, { link, change: 1, types });
  }

  #changed(
    row: number,
    type: string,
    { link, change, types }: { link: StoredLink; change: 1 | -1; types: ContentTypes },
  ): void {
    const { relation, target } = link;
    const declared = types.get(type)?.relations[relation];
    if (declared?.symmetric === true) {
      this.#recount(target, declared.target, relation, types);
      this.#recount(row, type, relation, types);
    }
    if (declared?.inverse === undefined) return;
    this.#sql
      // Without OR FAIL, which the transaction allows for, the search index writes its buffer each time.
      .of("UPDATE OR FAIL reading_value SET value = value - ? WHERE row = ? AND name = ?")
      .run(change, target, `count:${declared.inverse.name}`);
  }

  #hasCounts(row: number, type: string, types: ContentTypes): boolean {
    const name = countedViews(types, type)[0]?.name;
    if (name === undefined) return true;
    const found = this.#sql
      .of("SELECT 1 FROM reading_value WHERE row = ? AND name = ?")
      .get(row, `count:${name}`);
    return found !== undefined;
  }

  /** Others may have pointed at the item before it was published. */
  #startCounts(row: number, type: string, types: ContentTypes): void {
    for (const name of new Set(countedViews(types, type).map((view) => view.name))) {
      this.#sql.of("INSERT INTO reading_value VALUES (?, ?, 0, ?)").run(type, `count:${name}`, row);
    }
    for (const { name, relation, direction, otherType } of countedViews(types, type)) {
      if (direction === "out") {
        this.#recount(row, type, relation, types);
        for (const other of this.#symmetricOthers(row, relation)) {
          this.#recount(other, otherType, relation, types);
        }
        continue;
      }
      this.#sql
        .of(
          `UPDATE reading_value SET value = value - (
             SELECT count(*) FROM reading_link WHERE target = ?1 AND relation = ?2 AND source_type = ?3
           ) WHERE row = ?1 AND name = ?4`,
        )
        .run(row, relation, otherType, `count:${name}`);
    }
  }

  /** Symmetric relations may be stated from both ends, which counts once: so they are counted whole. */
  #recount(row: number, type: string, relation: string, types: ContentTypes): void {
    const view = countedViews(types, type).find(
      (candidate) => candidate.direction === "out" && candidate.relation === relation,
    );
    if (view === undefined) return;
    const items = this.#symmetricOthers(row, relation).length;
    this.#sql
      .of("UPDATE reading_value SET value = ? WHERE row = ? AND name = ?")
      .run(-items, row, `count:${view.name}`);
  }

  /** Rows of the published items at the other end. */
  #symmetricOthers(row: number, relation: string): number[] {
    return this.#sql
      .of(
        `SELECT row FROM reading_item WHERE row IN (
           SELECT target FROM reading_link WHERE source = ?1 AND relation = ?2
           UNION SELECT source FROM reading_link WHERE target = ?1 AND relation = ?2)`,
      )
      .all(row, relation)
      .map((found) => numberOf(found, "row"));
  }
}

/** The views of a type whose counts cannot be read off the item's own links. */
export function countedViews(types: ContentTypes, type: string): RelationView[] {
  const symmetric = symmetricRelations(types, type);
  return relationViews(types, type).filter(
    (view) => view.direction === "in" || symmetric.includes(view.relation),
  );
}

function symmetricRelations(types: ContentTypes, type: string): string[] {
  return Object.entries(types.get(type)?.relations ?? {})
    .filter(([, relation]) => relation.symmetric === true)
    .map(([name]) => name);
}

function sameLinks(before: StoredLink[], after: StoredLink[]): boolean {
  return JSON.stringify(before) === JSON.stringify(after);
}

function without(links: StoredLink[], others: StoredLink[]): StoredLink[] {
  return links.filter(
    ({ relation, target }) =>
      !others.some((other) => other.relation === relation && other.target === target),
  );
}
