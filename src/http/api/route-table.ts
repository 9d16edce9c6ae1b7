import type { Route } from "./route.ts";

/** Base path of the admin API. */
export const API_PATH = "/api/v1";

/**
 * The admin API allows this multiple of a key's rate limit: its requests are many and small, whereas
 * the limit is sized for the large ones of agents.
 */
export const REQUESTS_PER_MINUTE_FACTOR = 10;

/** A path with its routes by method. */
interface PathRoutes {
  segments: readonly string[];
  routes: Map<string, Route>;
}

export type Match =
  | { kind: "found"; route: Route; parts: ReadonlyMap<string, string> }
  /** The path has routes, but not for this method. */
  | { kind: "other_methods"; allowed: readonly string[] }
  | { kind: "none" };

/** Finds routes by method and path; of two matching paths the one with more literal segments wins. */
export class RouteTable {
  readonly #byLength = new Map<number, PathRoutes[]>();
  /** Paths without parameters. */
  readonly #byPath = new Map<string, PathRoutes>();

  constructor(routes: readonly Route[]) {
    const places = new Map<string, PathRoutes>();
    for (const route of routes) {
      const place = places.get(route.path) ?? createPathRoutes(route.path);
      places.set(route.path, place);
      place.routes.set(route.method, route);
      if (!place.segments.some(isPart)) this.#byPath.set(`${API_PATH}${route.path}`, place);
    }
    for (const place of [...places.values()].sort(moreLiteralFirst)) {
      const alike = this.#byLength.get(place.segments.length) ?? [];
      this.#byLength.set(place.segments.length, [...alike, place]);
    }
  }

  /** Matches a whole path if its route has no parameters; null: call `match`. */
  matchNamed(method: string, pathname: string): Match | null {
    const place = this.#byPath.get(pathname);
    return place === undefined ? null : matchAt(place, method, []);
  }

  /** Matches decoded path segments below `/api/v1`. HEAD matches GET. */
  match(method: string, segments: readonly string[]): Match {
    const candidates = this.#byLength.get(segments.length) ?? [];
    const place = candidates.find((candidate) => fits(candidate, segments));
    return place === undefined ? { kind: "none" } : matchAt(place, method, segments);
  }
}

function matchAt(place: PathRoutes, method: string, segments: readonly string[]): Match {
  const route = place.routes.get(method === "HEAD" ? "GET" : method);
  if (route !== undefined) return { kind: "found", route, parts: pathParameters(place, segments) };
  const methods = [...place.routes.keys()];
  return {
    kind: "other_methods",
    allowed: methods.flatMap((known) => (known === "GET" ? ["GET", "HEAD"] : [known])),
  };
}

function createPathRoutes(path: string): PathRoutes {
  return { segments: path === "/" ? [] : path.slice(1).split("/"), routes: new Map() };
}

function moreLiteralFirst(one: PathRoutes, other: PathRoutes): number {
  return one.segments.filter(isPart).length - other.segments.filter(isPart).length;
}

function fits({ segments }: PathRoutes, given: readonly string[]): boolean {
  return segments.every((segment, at) =>
    isPart(segment) ? given[at] !== "" : segment === given[at],
  );
}

function pathParameters({ segments }: PathRoutes, given: readonly string[]): Map<string, string> {
  return new Map(
    segments.flatMap((segment, at) =>
      isPart(segment) ? [[segment.slice(1, -1), given[at] ?? ""] as const] : [],
    ),
  );
}

function isPart(segment: string): boolean {
  return segment.startsWith("{");
}
