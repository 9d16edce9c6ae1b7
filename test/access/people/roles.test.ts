import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import type { PersonActor } from "../../../src/access/actor.ts";
import { ROLE_SCOPES, ROLES, type Role } from "../../../src/access/people/roles.ts";
import { AppError } from "../../../src/errors.ts";
import { ADMIN_ROUTES } from "../../../src/http/admin/routes.ts";
import { answerRequest } from "../../../src/http/api/answer.ts";
import { HttpError } from "../../../src/http/api/api-problem.ts";
import type { Route } from "../../../src/http/api/route.ts";
import { API_PATH, RouteTable } from "../../../src/http/api/route-table.ts";
import { ROUTES } from "../../../src/http/api/routes.ts";
import { createInProcessRequest } from "../../../src/http/in-process.ts";
import { openPeopleSite } from "../../support/people.ts";

/** Which roles may do what, and for what the password has to be recent. */
const REVIEWED = join(import.meta.dirname, "../../golden/role-access.txt");
const UNKNOWN_ID = "01930000-0000-7000-8000-000000000000";

const site = await openPeopleSite();
after(() => site[Symbol.asyncDispose]());
const table = new RouteTable(ROUTES);

describe("what each role may do", () => {
  it("is as it was reviewed, for every route of the interface and every page", async () => {
    const lines = ["# use cases, by the routes of /api/v1"];
    for (const route of ROUTES) lines.push(await lineOf(route));
    lines.push("# pages");
    for (const { method, path, needs } of ADMIN_ROUTES) lines.push(line(method, path, needs));
    const text = `${lines.join("\n")}\n`;
    if (process.env["UPDATE_GOLDEN"] === "1") writeFileSync(REVIEWED, text);
    assert.equal(text, readFileSync(REVIEWED, "utf8"));
  });

  it("grows from role to role", () => {
    for (const [at, role] of ROLES.slice(1).entries()) {
      const above = new Set<string>(ROLE_SCOPES[ROLES[at] ?? "owner"]);
      for (const scope of ROLE_SCOPES[role]) assert(above.has(scope), `${role}: ${scope}`);
    }
  });

  it("is told to somebody whose role lacks it", async () => {
    const [route] = ROUTES.filter(({ scope }) => scope === "content:publish");
    assert(route !== undefined);
    const told = await ask(route, personOf("contributor", true));
    assert.deepEqual(told, {
      code: "403",
      message: "Your role lacks the scope content:publish",
    });
  });
});

describe("pages", () => {
  it("answer everybody who is signed in, whatever the role", async () => {
    for (const role of ROLES) {
      const person = await site.person(`${role}@example.org`, role);
      for (const path of pathsThat("session", "GET")) {
        assert.equal((await person.get(path)).status, 200, `${role}: ${path}`);
      }
    }
  });

  it("answer nobody else", async () => {
    for (const path of [...pathsThat("session", "GET"), ...pathsThat("password", "GET")]) {
      assert.equal((await site.browser().get(path)).location, "/admin/sign-in", path);
    }
    for (const path of [...pathsThat("session", "POST"), ...pathsThat("password", "POST")]) {
      const { status, location } = await site.browser().send(path);
      // After a double click, the second request comes without a session.
      if (path === "/admin/sign-out") assert.equal(location, "/admin/sign-in");
      else assert.equal(status, 401, path);
    }
  });

  it("are not opened by a key, and a session opens nothing else", async () => {
    const owner = await site.person("cookie@example.org", "owner");
    assert.equal((await owner.get("/api/v1/admins")).status, 401);
    const mcp = { "Content-Type": "application/json", Host: "quotations.example" };
    assert.equal((await owner.send("/mcp", {}, mcp)).status, 401);
    const [token = ""] = owner.cookies.values();
    const bearer = { Authorization: `Bearer ${token}` };
    assert.equal((await owner.get("/api/v1/admins", bearer)).status, 401);
    const stranger = site.browser();
    assert.equal((await stranger.get("/admin/account", bearer)).location, "/admin/sign-in");
  });
});

function pathsThat(needs: string, method: string): string[] {
  return ADMIN_ROUTES.filter((route) => route.needs === needs && route.method === method).map(
    ({ path }) => path,
  );
}

async function lineOf(route: Route): Promise<string> {
  const roles: string[] = [];
  let needsPassword = false;
  for (const role of ROLES) {
    const { code } = await ask(route, personOf(role, true));
    if (code === "403") continue;
    assert.notEqual(code, "unconfirmed");
    roles.push(role);
    if ((await ask(route, personOf(role, false))).code === "unconfirmed") needsPassword = true;
  }
  const again = needsPassword ? " (password again)" : "";
  return line(route.method, route.path, `${roles.join(" ")}${again}`);
}

function line(method: string, path: string, rest: string): string {
  return `${method.padEnd(6)} ${path.padEnd(40)} ${rest}`;
}

/** Asks as the screens will: with a person as the actor, without a key. */
async function ask(
  { method, path }: Route,
  actor: PersonActor,
): Promise<{ code: string; message: string }> {
  const target = `${API_PATH}${path.replaceAll(/\{\w+\}/g, UNKNOWN_ID)}`;
  const headers = new Headers({ "If-Match": "*", "Content-Type": "application/json" });
  const request = createInProcessRequest(target, { method, headers, body: null });
  try {
    const { status } = await answerRequest(request, { parts: site.app.apiParts, table, actor });
    return { code: String(status), message: "" };
  } catch (error) {
    if (error instanceof HttpError) return { code: String(error.status), message: error.message };
    if (error instanceof AppError) return { code: error.code, message: error.message };
    throw error;
  }
}

function personOf(role: Role, isConfirmed: boolean): PersonActor {
  const scopes = ROLE_SCOPES[role];
  return { kind: "person", adminId: UNKNOWN_ID, name: "Ada", scopes, isConfirmed };
}
