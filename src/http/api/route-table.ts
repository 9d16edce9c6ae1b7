import type { Route } from "./route.ts";

/** Where the administrative interface begins, below the origin. */
export const API_PATH = "/api/v1";

/** Requests here are many and small; those of agents, which the rate of a key counts, few and large. */
export const REQUESTS_PER_MINUTE_FACTOR = 10;

/** A path of the table with what it answers to. */
interface Place {
  segments: readonly string[];
  routes: Map<string, Route>;
}

export type Match =
  | { kind: "found"; route: Route; parts: ReadonlyMap<string, string> }
  /** There is such a path, but not with this method. */
  | { kind: "other_methods"; allowed: readonly string[] }
  | { kind: "none" };

/** Finds routes by method and path; of two paths that fit, the one that names more is meant. */
export class RouteTable {
  readonly #byLength = new Map<number, Place[]>();
  /** Those without parts. */
  readonly #byPath = new Map<string, Place>();

  constructor(routes: readonly Route[]) {
    const places = new Map<string, Place>();
    for (const route of routes) {
      const place = places.get(route.path) ?? placeOf(route.path);
      places.set(route.path, place);
      place.routes.set(route.method, route);
      if (!place.segments.some(isPart)) this.#byPath.set(`${API_PATH}${route.path}`, place);
    }
    for (const place of [...places.values()].sort(moreNamedFirst)) {
      const alike = this.#byLength.get(place.segments.length) ?? [];
      this.#byLength.set(place.segments.length, [...alike, place]);
    }
  }

  /** For a whole path as it stands; null: it has to be taken apart. */
  matchNamed(method: string, pathname: string): Match | null {
    const place = this.#byPath.get(pathname);
    return place === undefined ? null : matchAt(place, method, []);
  }

  /** Segments are below `/api/v1`, decoded. HEAD finds what GET does. */
  match(method: string, segments: readonly string[]): Match {
    const candidates = this.#byLength.get(segments.length) ?? [];
    const place = candidates.find((candidate) => fits(candidate, segments));
    return place === undefined ? { kind: "none" } : matchAt(place, method, segments);
  }
}

function matchAt(place: Place, method: string, segments: readonly string[]): Match {
  const route = place.routes.get(method === "HEAD" ? "GET" : method);
  if (route !== undefined) return { kind: "found", route, parts: partsOf(place, segments) };
  const methods = [...place.routes.keys()];
  return {
    kind: "other_methods",
    allowed: methods.flatMap((known) => (known === "GET" ? ["GET", "HEAD"] : [known])),
  };
}

function placeOf(path: string): Place {
  return { segments: path === "/" ? [] : path.slice(1).split("/"), routes: new Map() };
}

function moreNamedFirst(one: Place, other: Place): number {
  return one.segments.filter(isPart).length - other.segments.filter(isPart).length;
}

function fits({ segments }: Place, given: readonly string[]): boolean {
  return segments.every((segment, at) =>
    isPart(segment) ? given[at] !== "" : segment === given[at],
  );
}

function partsOf({ segments }: Place, given: readonly string[]): Map<string, string> {
  return new Map(
    segments.flatMap((segment, at) =>
      isPart(segment) ? [[segment.slice(1, -1), given[at] ?? ""] as const] : [],
    ),
  );
}

function isPart(segment: string): boolean {
  return segment.startsWith("{");
}
