import type { Route } from "./route.ts";

/** Base path of the admin API. */
export const API_PATH = "/api/v1";

/**
 * Factor by which the admin API raises a key's rate limit. The limit is meant for agents' large
 * requests, whereas requests to the admin API are small and many.
 */
export const API_RATE_LIMIT_FACTOR = 10;

/** A path with its routes, keyed by method. */
interface PathRoutes {
  segments: readonly string[];
  routes: Map<string, Route>;
}

export type RouteMatch =
  | { kind: "found"; route: Route; parameters: ReadonlyMap<string, string> }
  /** The path has routes, but not for this method. */
  | { kind: "other_methods"; allowed: readonly string[] }
  | { kind: "none" };

/** Finds routes by method and path. If two paths match, the path with more literal segments wins. */
export class RouteTable {
  readonly #byLength = new Map<number, PathRoutes[]>();
  /** Paths without parameters. */
  readonly #byPath = new Map<string, PathRoutes>();

  constructor(routes: readonly Route[]) {
    const routesByPath = new Map<string, PathRoutes>();
    for (const route of routes) {
      const pathRoutes = routesByPath.get(route.path) ?? createPathRoutes(route.path);
      routesByPath.set(route.path, pathRoutes);
      pathRoutes.routes.set(route.method, route);
      if (!pathRoutes.segments.some(isParameter))
        this.#byPath.set(`${API_PATH}${route.path}`, pathRoutes);
    }
    for (const pathRoutes of [...routesByPath.values()].sort(moreLiteralFirst)) {
      const sameLength = this.#byLength.get(pathRoutes.segments.length) ?? [];
      this.#byLength.set(pathRoutes.segments.length, [...sameLength, pathRoutes]);
    }
  }

  /** Matches a path without parameters. Null: no such path; call `match` instead. */
  matchLiteral(method: string, pathname: string): RouteMatch | null {
    const pathRoutes = this.#byPath.get(pathname);
    return pathRoutes === undefined ? null : matchAt(pathRoutes, method, []);
  }

  /** Matches decoded path segments below `/api/v1`. HEAD matches GET. */
  match(method: string, segments: readonly string[]): RouteMatch {
    const candidates = this.#byLength.get(segments.length) ?? [];
    const pathRoutes = candidates.find((candidate) => fits(candidate, segments));
    return pathRoutes === undefined ? { kind: "none" } : matchAt(pathRoutes, method, segments);
  }
}

function matchAt(pathRoutes: PathRoutes, method: string, segments: readonly string[]): RouteMatch {
  const route = pathRoutes.routes.get(method === "HEAD" ? "GET" : method);
  if (route !== undefined)
    return { kind: "found", route, parameters: pathParameters(pathRoutes, segments) };
  const methods = [...pathRoutes.routes.keys()];
  return {
    kind: "other_methods",
    allowed: methods.flatMap((known) => (known === "GET" ? ["GET", "HEAD"] : [known])),
  };
}

function createPathRoutes(path: string): PathRoutes {
  return { segments: path === "/" ? [] : path.slice(1).split("/"), routes: new Map() };
}

function moreLiteralFirst(one: PathRoutes, other: PathRoutes): number {
  return one.segments.filter(isParameter).length - other.segments.filter(isParameter).length;
}

function fits({ segments }: PathRoutes, given: readonly string[]): boolean {
  return segments.every((segment, at) =>
    isParameter(segment) ? given[at] !== "" : segment === given[at],
  );
}

function pathParameters({ segments }: PathRoutes, given: readonly string[]): Map<string, string> {
  return new Map(
    segments.flatMap((segment, at) =>
      isParameter(segment) ? [[segment.slice(1, -1), given[at] ?? ""] as const] : [],
    ),
  );
}

function isParameter(segment: string): boolean {
  return segment.startsWith("{");
}
