import assert from "node:assert/strict";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { z } from "zod";
import type { Route } from "../../src/http/api/route.ts";
import { RouteTable } from "../../src/http/api/route-table.ts";

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);

/** Compiled once for all clients of a process. */
const checks = new WeakMap<Route, ValidateFunction>();

/** Checks that answers have exactly the members that their routes describe. */
export function replyCheck(routes: readonly Route[]) {
  const table = new RouteTable(routes);
  return (method: string, path: string, body: unknown): void => {
    const { pathname } = new URL(path, "http://localhost");
    const match = table.match(method, pathname === "/" ? [] : pathname.slice(1).split("/"));
    if (match.kind !== "found" || match.route.kind !== "json") return;
    const { route } = match;
    const check = checks.get(route) ?? ajv.compile(z.toJSONSchema(match.route.response));
    checks.set(route, check);
    if (check(body)) return;
    assert.fail(`${method} ${path}: ${ajv.errorsText(check.errors)}: ${JSON.stringify(body)}`);
  };
}
