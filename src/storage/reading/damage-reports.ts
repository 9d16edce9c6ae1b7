import type { ReadingCopy } from "../../content/library.ts";
import type { DamageError } from "../sqlite/damage.ts";
import { asDamageError, translateSqliteReadError } from "../sqlite/sqlite-errors.ts";

/**
 * Wraps a reading copy. If a read finds damage, calls `note` and throws a `DamageError`, which the HTTP doors
 * answer with status 503.
 */
export function withDamageReports(
  copy: ReadingCopy & Disposable,
  note: (damage: DamageError) => void,
): ReadingCopy & Disposable {
  const translateFault = (error: unknown): unknown => {
    const damage = asDamageError(error, "reading copy");
    if (damage !== null) note(damage);
    return damage ?? translateSqliteReadError(error);
  };
  const guard =
    <A extends readonly unknown[], R>(read: (...args: A) => R) =>
    (...args: A): R => {
      try {
        return read(...args);
      } catch (error) {
        throw translateFault(error);
      }
    };
  return {
    site: guard(() => copy.site()),
    types: guard(() => copy.types()),
    resolve: guard((path) => copy.resolve(path)),
    medium: guard((id) => copy.medium(id)),
    list: guard((query) => copy.list(query)),
    items: guard((query) => copy.items(query)),
    adjacentItems: guard((path, query) => copy.adjacentItems(path, query)),
    creators: guard((query) => copy.creators(query)),
    *index(options) {
      try {
        yield* copy.index(options);
      } catch (error) {
        throw translateFault(error);
      }
    },
    itemOf: guard((entry) => copy.itemOf(entry)),
    counts: guard(() => copy.counts()),
    ranges: guard((type) => copy.ranges(type)),
    updatedAt: guard(() => copy.updatedAt()),
    version: guard(() => copy.version()),
    async search(query) {
      try {
        return await copy.search(query);
      } catch (error) {
        throw translateFault(error);
      }
    },
    similar: guard((text, options) => copy.similar(text, options)),
    itemsByName: guard((text, options) => copy.itemsByName(text, options)),
    hasUniqueName: guard((name) => copy.hasUniqueName(name)),
    [Symbol.dispose]: () => copy[Symbol.dispose](),
  };
}
