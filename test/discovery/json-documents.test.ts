import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { after, describe, it } from "node:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { parse } from "yaml";
import { withOverriddenMethods } from "../../src/content/reading-overrides.ts";
import { buildServiceIdentity } from "../../src/content/site/service-identity.ts";
import { renderAgentHomePageJson } from "../../src/discovery/agent-view.ts";
import { openFixtureSite, textOf } from "./fixture-site.ts";

const site = openFixtureSite();
after(() => site[Symbol.dispose]());
const { context } = site;

const CATALOG = "/.well-known/ai-catalog.json";
const CARD = "/.well-known/mcp/server-card.json";
const SKILLS = "/.well-known/agent-skills/index.json";

function faults(schema: string, document: unknown, definition = ""): unknown {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  const file = new URL(`../schemas/${schema}`, import.meta.url);
  ajv.addSchema(JSON.parse(readFileSync(file, "utf8")), schema);
  ajv.validate(`${schema}${definition}`, document);
  return ajv.errors ?? [];
}

function json(path: string) {
  return JSON.parse(textOf(context, path));
}

describe("AI catalog", () => {
  for (const schema of ["ai-catalog-head.derived.schema.json", "ard-0.9-ai-catalog.schema.json"]) {
    it(`follows ${schema}`, () => {
      assert.deepEqual(faults(schema, json(CATALOG)), []);
      assert.notDeepEqual(faults(schema, { ...json(CATALOG), specVersion: 2 }), []);
    });
  }

  it("names the card and the skills as they name themselves", () => {
    const [mcp, ...skills] = json(CATALOG).entries;
    assert.equal(mcp.displayName, json(CARD).title);
    assert.equal(mcp.url, `${context.origin}${CARD}`);
    for (const skill of skills) {
      const text = textOf(context, skill.url.slice(context.origin.length));
      assert.equal(skill.digest, `sha256:${createHash("sha256").update(text).digest("hex")}`);
      assert.equal(skill.description, parse(text.split("---")[1] ?? "").description);
    }
    assert.equal(skills.length, json(SKILLS).skills.length);
  });

  it("asks two to five questions an entry", () => {
    for (const { representativeQueries } of json(CATALOG).entries) {
      assert(representativeQueries.length >= 2 && representativeQueries.length <= 5);
    }
  });

  it("claims no domain where there is none", () => {
    const origins = ["http://127.0.0.1:8080", "http://localhost:8080", "http://[::1]:8080"];
    for (const origin of origins) {
      const catalog = JSON.parse(textOf({ ...context, origin }, CATALOG));
      assert.deepEqual(faults("ard-0.9-ai-catalog.schema.json", catalog), []);
      assert.match(catalog.host.identifier, /^(localhost|127\.0\.0\.1)$/);
    }
  });
});

describe("MCP server card", () => {
  const schema = "mcp-server-card-v1.schema.json";

  it("follows the published schema", () => {
    assert.deepEqual(faults(schema, json(CARD), "#/$defs/ServerCard"), []);
    const wrong = { ...json(CARD), name: "no slash" };
    assert.notDeepEqual(faults(schema, wrong, "#/$defs/ServerCard"), []);
  });

  it("is the same at both addresses", () => {
    assert.equal(textOf(context, "/mcp/server-card"), textOf(context, CARD));
  });

  it("names the service as the service names itself", () => {
    const { name, title, version } = buildServiceIdentity(context.reading, context);
    assert.deepEqual(json(CARD).serverInfo, { name, title, version });
  });

  it("keeps to the schema on hosts without a domain and under the longest name", () => {
    const profile = { ...context.reading.site(), name: "N".repeat(100) };
    const reading = withOverriddenMethods(context.reading, { site: () => profile });
    for (const origin of ["http://127.0.0.1:8080", "http://[::1]:8080", "http://localhost"]) {
      const { name, title, version, description } = buildServiceIdentity(reading, {
        ...context,
        origin,
      });
      const card = { ...json(CARD), name, title, version, description };
      assert.deepEqual(faults(schema, card, "#/$defs/ServerCard"), []);
    }
  });
});

describe("agent skills", () => {
  it("are indexed by the discovery format, with digests of the very bytes", () => {
    const index = json(SKILLS);
    assert.deepEqual(faults("agent-skills-index-0.2.0.derived.schema.json", index), []);
    assert(index.skills.length >= 2);
    for (const { url, digest } of index.skills) {
      const text = textOf(context, url.slice(context.origin.length));
      assert.equal(digest, `sha256:${createHash("sha256").update(text).digest("hex")}`);
    }
  });

  it("do not change with content or time", () => {
    const path = "/.well-known/agent-skills/research-a-topic/SKILL.md";
    const later = { ...context, now: new Date("2030-01-01"), version: "9.9.9" };
    const before = textOf(context, path);
    using other = openFixtureSite();
    other.put("topic", "/topics/brand-new", { title: "Brand new" });
    assert.equal(textOf(later, path), before);
    assert.equal(textOf({ ...other.context }, path), before);
  });

  it("have front matter of the known fields and a name like their folder", () => {
    for (const { name, url, description } of json(SKILLS).skills) {
      const [, head = "", body = ""] = textOf(context, new URL(url).pathname).split(/^---\n/m);
      const fields = parse(head);
      const known = ["name", "description", "license", "compatibility", "metadata"];
      assert.deepEqual(Object.keys(fields), known);
      assert.equal(fields.name, name);
      assert.equal(url, `${context.origin}/.well-known/agent-skills/${name}/SKILL.md`);
      assert.equal(fields.description, description);
      assert(fields.description.length <= 1024 && fields.compatibility.length <= 500);
      assert(Object.values(fields.metadata).every((value) => typeof value === "string"));
      assert.match(body, /^\n# /);
      assert(body.split("\n").length < 500);
    }
  });

  it("answer no other name", () => {
    assert.throws(() => textOf(context, "/.well-known/agent-skills/nope/SKILL.md"));
  });
});

describe("agent view", () => {
  it("follows the proposed schema", () => {
    const view = JSON.parse(renderAgentHomePageJson(context));
    assert.deepEqual(faults("agent-view.proposed.schema.json", view), []);
    assert.notDeepEqual(faults("agent-view.proposed.schema.json", { ...view, kind: "" }), []);
  });

  it("counts what is published and names the card's address of the service", () => {
    const view = JSON.parse(renderAgentHomePageJson(context));
    const counts = Object.values(context.reading.counts()).reduce((sum, count) => sum + count, 0);
    const listed = view.sections.reduce(
      (sum: number, { count }: { count: number }) => sum + count,
      0,
    );
    assert.equal(listed, counts - (context.reading.counts()["page"] ?? 0));
    assert.equal(view.endpoints.mcp.url, json(CARD).remotes[0].url);
    assert.equal(view.discovery.mcpServerCard, `${context.origin}${CARD}`);
  });
});

describe("api-catalog", () => {
  it("is a linkset that leads to the MCP service and its card", () => {
    const { linkset } = json("/.well-known/api-catalog");
    assert.equal(linkset[0].anchor, `${context.origin}/.well-known/api-catalog`);
    assert.equal(linkset[0].item[0].href, json(CARD).remotes[0].url);
    assert.equal(linkset[1].anchor, linkset[0].item[0].href);
    assert.equal(linkset[1]["service-desc"][0].href, `${context.origin}${CARD}`);
  });
});
