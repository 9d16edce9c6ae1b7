import {
  creatorRelation,
  hasRankedLists,
  INTERLEAVED_PER_AUTHOR_MAX,
  rankInList,
} from "../../../content/lists/best-first.ts";
import type { ContentTypes } from "../../../content/types/content-type.ts";
import { numberOf, textOf } from "../../sqlite/columns.ts";
import type { StatementCache } from "../../sqlite/statements.ts";
import type { ComputationSteps } from "../../sqlite/yield-between.ts";
import { readRowBatchesOfType } from "./rows-of-type.ts";

/** Number of `AuthorGroup`s or authors ranked per step. The event loop may run between steps. */
const STEP_GROUPS = 50;
const UPDATE_LINK_RANK = `UPDATE reading_link SET rank = ?1,
  hash = row_hash(source, relation, position, target, source_type, language, note, author, score, ?1)
  WHERE source = ?2 AND relation = ?3 AND position = ?4 AND rank <> ?1`;
const UPDATE_ITEM_RANK = `UPDATE reading_value SET value = ?1, hash = row_hash(type, name, ?1, row)
  WHERE row = ?2 AND name = 'best' AND value <> ?1`;

/**
 * The items of one author in one ranked list: the list of the items of `type` that link to `target`
 * by `relation`.
 */
export interface AuthorGroup {
  target: number;
  relation: string;
  type: string;
  author: number;
}

/**
 * Receives what must be ranked again: the items of an {@link AuthorGroup}, or all items of a type
 * by an author.
 */
export interface RankChangeCollector {
  changedGroup(group: AuthorGroup): void;
  changedAuthor(type: string, author: number): void;
}

/**
 * Ignores changes. For filling a copy from scratch, because {@link BestFirstRankWriter.finishAll} then ranks
 * all items.
 */
export const NO_OP_RANK_CHANGE_COLLECTOR: RankChangeCollector = {
  changedGroup() {},
  changedAuthor() {},
};

interface Changed<What> {
  what: What;
  /**
   * Number of reports of this change. A report can mean that an item was added, which can displace a ranked
   * item. Therefore, this many items are ranked again in addition to {@link INTERLEAVED_PER_AUTHOR_MAX}.
   */
  changeCount: number;
}

/**
 * Writes the ranks by which ranked lists mix the items of different authors. Gives new ranks to the
 * first {@link INTERLEAVED_PER_AUTHOR_MAX} items of each author. All other items keep the rank that
 * they were written with.
 */
export class BestFirstRankWriter implements RankChangeCollector {
  readonly #sql: StatementCache;
  readonly #groups = new Map<string, Changed<AuthorGroup>>();
  readonly #authors = new Map<string, Changed<{ type: string; author: number }>>();

  constructor(sql: StatementCache) {
    this.#sql = sql;
  }

  changedGroup(group: AuthorGroup): void {
    const key = `${group.target} ${group.relation} ${group.type} ${group.author}`;
    count(this.#groups, key, group);
  }

  changedAuthor(type: string, author: number): void {
    count(this.#authors, `${type} ${author}`, { type, author });
  }

  /** Ranks the items of all changed groups and authors again; call last. */
  *finish(types: ContentTypes): ComputationSteps {
    let done = 0;
    for (const { what, changeCount } of this.#groups.values()) {
      this.#rankGroup(what, INTERLEAVED_PER_AUTHOR_MAX + changeCount);
      if (++done % STEP_GROUPS === 0) yield;
    }
    for (const { what, changeCount } of this.#authors.values()) {
      this.#rankAuthor(what, { types, limit: INTERLEAVED_PER_AUTHOR_MAX + changeCount });
      if (++done % STEP_GROUPS === 0) yield;
    }
    this.discard();
  }

  /** Ranks the items of every author, in a copy that has just been filled. */
  *finishAll(types: ContentTypes): ComputationSteps {
    yield* this.#rankAllGroups();
    for (const type of types.values()) {
      const relation = hasRankedLists(type) ? creatorRelation(type, types) : null;
      if (relation === null) continue;
      const target = type.relations[relation]?.target ?? "";
      for (const authors of readRowBatchesOfType(this.#sql, target, STEP_GROUPS)) {
        for (const author of authors) {
          this.#rankAuthor(
            { type: type.name, author },
            { types, limit: INTERLEAVED_PER_AUTHOR_MAX },
          );
        }
        yield;
      }
    }
  }

  discard(): void {
    this.#groups.clear();
    this.#authors.clear();
  }

  #rankGroup({ target, relation, type, author }: AuthorGroup, limit: number): void {
    const rows = this.#sql
      .of(
        `SELECT source, position, score FROM reading_link
         WHERE target = ? AND relation = ? AND source_type = ? AND author = ?
         ORDER BY score, source LIMIT +?`,
      )
      .all(target, relation, type, author, limit);
    const update = this.#sql.of(UPDATE_LINK_RANK);
    const of = Math.min(rows.length, INTERLEAVED_PER_AUTHOR_MAX);
    for (const [at, row] of rows.entries()) {
      const rank = rankInList(numberOf(row, "score"), { at, of });
      update.run(rank, numberOf(row, "source"), relation, numberOf(row, "position"));
    }
  }

  /**
   * Ranks an author's items in the list of all items of their type. The new rank is the sum of two:
   * the rank of the item's link to the author, and a rank for its position among the author's
   * items.
   */
  #rankAuthor(
    { type, author }: { type: string; author: number },
    { types, limit }: { types: ContentTypes; limit: number },
  ): void {
    const declared = types.get(type);
    const relation = declared === undefined ? null : creatorRelation(declared, types);
    if (relation === null) return;
    const rows = this.#sql
      .of(
        `SELECT source, rank FROM reading_link
         WHERE target = ? AND relation = ? AND source_type = ? AND rank IS NOT NULL AND position = 0
         ORDER BY rank, source LIMIT +?`,
      )
      .all(author, relation, type, limit);
    const update = this.#sql.of(UPDATE_ITEM_RANK);
    const of = Math.min(rows.length, INTERLEAVED_PER_AUTHOR_MAX);
    for (const [at, row] of rows.entries()) {
      update.run(numberOf(row, "rank") + rankInList(0, { at, of }), numberOf(row, "source"));
    }
  }

  *#rankAllGroups(): ComputationSteps {
    const next = this.#sql.of(
      `SELECT DISTINCT target, relation, source_type, author FROM reading_link
       WHERE author IS NOT NULL AND (target, relation, source_type, author) > (?, ?, ?, ?)
       ORDER BY target, relation, source_type, author LIMIT ${STEP_GROUPS}`,
    );
    let last: AuthorGroup = { target: 0, relation: "", type: "", author: 0 };
    for (;;) {
      const found = next.all(last.target, last.relation, last.type, last.author).map((row) => ({
        target: numberOf(row, "target"),
        relation: textOf(row, "relation"),
        type: textOf(row, "source_type"),
        author: numberOf(row, "author"),
      }));
      for (const group of found) this.#rankGroup(group, INTERLEAVED_PER_AUTHOR_MAX);
      const end = found.at(-1);
      if (end === undefined) return;
      last = end;
      yield;
    }
  }
}

function count<What>(changes: Map<string, Changed<What>>, key: string, what: What): void {
  changes.set(key, { what, changeCount: (changes.get(key)?.changeCount ?? 0) + 1 });
}
