import { isCollection, isMap, isNode, isScalar, isSeq, type YAMLMap } from "yaml";
import type { Wording } from "../../../errors.ts";

const NOT_PLAIN: Wording = {
  en: "A key must be plain text, not a list or a mapping",
  de: "Der Name einer Angabe muss einfacher Text sein, keine Liste und keine Gruppe",
};
const NOT_UNIQUE: Wording = {
  en: "Map keys must be unique",
  de: "Dieselbe Angabe steht zweimal da",
};

interface KeyFault {
  message: Wording;
  /** Offset of the key in the text. */
  at: number;
}

type Keys = ReadonlyMap<string, { key: unknown; value: unknown }>;

/**
 * Indexes the keys of all mappings in one pass.
 *
 * @returns `keyAt` returns the node of the value at a path of several keys. If the path has only
 * one key or leads to no value, it returns the node of the first key. `faults` are keys that are
 * not plain text; `repeated` are keys that occur twice.
 */
export function indexYamlKeys(contents: unknown): {
  keyAt(path: readonly string[]): unknown;
  faults: KeyFault[];
  repeated: KeyFault[];
} {
  const indexes = new Map<unknown, Keys>();
  const faults: KeyFault[] = [];
  const repeated: KeyFault[] = [];
  const pending: unknown[] = [contents];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (isMap(node)) {
      indexes.set(node, keysOf(node, { faults, repeated }));
    }
    for (const child of childrenOf(node)) if (isNode(child)) pending.push(child);
  }
  for (const found of [faults, repeated]) found.sort((one, other) => one.at - other.at);
  const childNamed = (node: unknown, name: string): unknown =>
    isSeq(node) ? node.items[Number(name)] : indexes.get(node)?.get(name)?.value;
  const keyAt = (path: readonly string[]): unknown => {
    const value = path.length > 1 ? path.reduce(childNamed, contents) : undefined;
    return isNode(value) ? value : indexes.get(contents)?.get(path[0] ?? "")?.key;
  };
  return { keyAt, faults, repeated };
}

function childrenOf(node: unknown): unknown[] {
  if (isMap(node)) return node.items.map(({ value }) => value);
  return isSeq(node) ? node.items : [];
}

/** Indexes the keys of one mapping. Adds faulty and repeated keys to `faults` and `repeated`. */
function keysOf(
  map: YAMLMap,
  { faults, repeated }: { faults: KeyFault[]; repeated: KeyFault[] },
): Keys {
  const keys = new Map<string, { key: unknown; value: unknown }>();
  for (const { key, value } of map.items) {
    const at = isNode(key) ? (key.range?.[0] ?? 0) : 0;
    if (isCollection(key)) {
      faults.push({ message: NOT_PLAIN, at });
      continue;
    }
    const name = String(isScalar(key) ? key.value : key);
    if (keys.has(name)) repeated.push({ message: NOT_UNIQUE, at });
    else keys.set(name, { key, value });
  }
  return keys;
}
