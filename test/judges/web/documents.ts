import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { Verdict } from "../verdict.ts";

const SCHEMAS = join(import.meta.dirname, "..", "..", "schemas");

/** The published schema for each JSON document. */
const EXPECTED: readonly { path: string; schema: string; part?: string }[] = [
  { path: "/.well-known/ai-catalog.json", schema: "ai-catalog-head.derived.schema.json" },
  { path: "/.well-known/ai-catalog.json", schema: "ard-0.9-ai-catalog.schema.json" },
  {
    path: "/.well-known/agent-skills/index.json",
    schema: "agent-skills-index-0.2.0.derived.schema.json",
  },
  {
    path: "/.well-known/mcp/server-card.json",
    schema: "mcp-server-card-v1.schema.json",
    part: "#/$defs/ServerCard",
  },
  { path: "/?mode=agent", schema: "agent-view.proposed.schema.json" },
];

/** Fetches each document and checks it against its schema. */
export async function judgeDocuments(origin: string): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
  for (const { path, schema, part } of EXPECTED) {
    const document: unknown = await (await fetch(`${origin}${path}`)).json();
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    addFormats.default(ajv);
    ajv.addSchema(JSON.parse(readFileSync(join(SCHEMAS, schema), "utf8")), "schema");
    const valid = ajv.validate(`schema${part ?? ""}`, document);
    const detail = valid ? path : ajv.errorsText();
    verdicts.push({ what: schema.replace(".schema.json", ""), passed: valid, detail });
  }
  return verdicts;
}
