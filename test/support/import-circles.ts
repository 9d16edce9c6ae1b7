import { dirname, join } from "node:path/posix";

export interface SourceFile {
  file: string;
  source: string;
}

/** Groups of files that import each other, including type imports. Each group is sorted by name. */
export function importCircles(files: readonly SourceFile[]): string[][] {
  const imports = new Map(files.map(({ file, source }) => [file, importedBy(file, source)]));
  const reachable = new Map([...imports.keys()].map((file) => [file, reachedFrom(file, imports)]));
  const circles = new Set<string>();
  for (const [file, reached] of reachable) {
    if (!reached.has(file)) continue;
    const group = [...reached].filter((other) => reachable.get(other)?.has(file));
    circles.add(group.sort().join(" "));
  }
  return [...circles].sort().map((group) => group.split(" "));
}

function importedBy(file: string, source: string): string[] {
  const found = source.matchAll(/(?:\bfrom|^import|\bimport\()\s*["'](\.[^"']+)["']/gm);
  return [...found].map(([, target = ""]) => join(dirname(file), target));
}

function reachedFrom(start: string, imports: ReadonlyMap<string, string[]>): Set<string> {
  const reached = new Set<string>();
  const next = [...(imports.get(start) ?? [])];
  for (let file = next.pop(); file !== undefined; file = next.pop()) {
    if (reached.has(file)) continue;
    reached.add(file);
    next.push(...(imports.get(file) ?? []));
  }
  return reached;
}
