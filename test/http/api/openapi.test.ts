import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { DISCOVERY_DOCUMENTS } from "../../../src/discovery/documents.ts";
import { ROUTES } from "../../../src/http/api/routes.ts";
import { type Loose, openApiClient } from "../../support/api-client.ts";

const api = await openApiClient();
after(() => api[Symbol.asyncDispose]());
const { body: document, headers } = await api.request("GET", "/openapi.json");

describe("the OpenAPI document", () => {
  it("has every route of the table, and no other", () => {
    const described = operations().map(([method, path]) => `${method} ${path}`);
    const served = ROUTES.map(({ method, path }) => `${method} ${path}`);
    assert.deepEqual(described.sort(), served.sort());
    const ids = operations().map(([, , { operationId }]) => operationId);
    assert.equal(new Set(ids).size, ids.length);
  });

  it("names each part of a path", () => {
    for (const [path, item] of Object.entries<Loose>(document.paths)) {
      const named = (item.parameters ?? []).map(({ name }: Loose) => `{${name}}`);
      assert.deepEqual(named, path.match(/\{\w+\}/g) ?? [], path);
    }
  });

  it("has schemas that can be used, and references that lead somewhere", () => {
    for (const [where, schema] of schemasIn(document, "")) {
      const ajv = new Ajv2020({ strict: false });
      addFormats.default(ajv);
      const whole = { ...schema, components: document.components };
      assert.doesNotThrow(() => ajv.compile(whole), where);
    }
    for (const reference of JSON.stringify(document).matchAll(/"\$ref":"(#[^"]*)"/g)) {
      assert(target(reference[1] ?? "") !== undefined, `${reference[1]} leads nowhere`);
    }
  });

  it("describes keys, states and retries", () => {
    assert.equal(document.openapi, "3.1.1");
    assert.deepEqual(document.security, [{ key: [] }]);
    assert.equal(document.components.securitySchemes.key.scheme, "bearer");
    for (const [method, path, operation] of operations()) {
      assert(operation.summary.length > 5 && !operation.summary.endsWith("."), `${method} ${path}`);
      for (const status of ["400", "401", "403", "429", "500", "default"]) {
        assert(operation.responses[status], `${method} ${path} has no ${status}`);
      }
    }
  });

  it("declares 304 wherever If-None-Match is accepted", () => {
    for (const [, path, { parameters = [], responses }] of operations()) {
      const asks = parameters.some(({ $ref = "" }: Loose) => $ref.endsWith("/IfNoneMatch"));
      assert.equal("304" in responses, asks, path);
    }
  });

  it("is sent again only when it has changed", async () => {
    assert.equal(headers.get("cache-control"), "private, no-cache");
    const held = { "If-None-Match": headers.get("etag") ?? "" };
    const again = await api.request("GET", "/openapi.json", { headers: held });
    assert.deepEqual([again.status, again.text], [304, ""]);
  });
});

it("no public document tells that there is an administrative interface", async () => {
  const paths = DISCOVERY_DOCUMENTS.flatMap(({ paths }) => paths).filter(
    (path) => !path.includes(":"),
  );
  assert(paths.length > 10);
  const sitemap = await (await api.app.get("/sitemap.xml")).text();
  const pages = [...sitemap.matchAll(/<loc>https:\/\/[^/]+([^<]*)/g)].map(
    (match) => match[1] ?? "",
  );
  assert(pages.length > 10);
  for (const path of [...paths, ...pages, "/?mode=agent", "/no/such/page"]) {
    for (const accept of ["text/html", "text/markdown", "*/*"]) {
      const response = await api.app.get(path, { accept });
      const told = `${await response.text()} ${JSON.stringify([...response.headers])}`;
      assert.doesNotMatch(told, /api\/v1|openapi/i, path);
    }
  }
});

function operations(): [method: string, path: string, operation: Loose][] {
  return Object.entries<Loose>(document.paths).flatMap(([path, item]) =>
    Object.entries<Loose>(item)
      .filter(([name]) => name !== "parameters")
      .map(([name, operation]): [string, string, Loose] => [name.toUpperCase(), path, operation]),
  );
}

/** Every schema, each with where it stands. */
function schemasIn(value: Loose, where: string): [where: string, schema: Loose][] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries<Loose>(value).flatMap(([name, below]): [string, Loose][] =>
    name === "schema" ? [[where, below]] : schemasIn(below, `${where}/${name}`),
  );
}

function target(reference: string): Loose {
  return reference
    .slice(2)
    .split("/")
    .reduce((value, name) => value?.[name.replaceAll("~1", "/").replaceAll("~0", "~")], document);
}
