import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

const SCHEMAS = join(import.meta.dirname, "../schemas");

/** The result of each method, by its name in the published schemas. */
const RESULTS: Readonly<Record<string, string>> = {
  "server/discover": "DiscoverResult",
  initialize: "InitializeResult",
  ping: "EmptyResult",
  "tools/list": "ListToolsResult",
  "tools/call": "CallToolResult",
  "resources/list": "ListResourcesResult",
  "resources/templates/list": "ListResourceTemplatesResult",
  "resources/read": "ReadResourceResult",
  "prompts/list": "ListPromptsResult",
  "prompts/get": "GetPromptResult",
  "completion/complete": "CompleteResult",
};

/** @throws with the faults if a response does not match the published schema of a revision. */
export type ResponseCheck = (method: string, response: unknown) => void;

export function responseCheck(version: string): ResponseCheck {
  const text = readFileSync(join(SCHEMAS, `mcp-${version}.schema.json`), "utf8");
  const schema: { $schema: string; $defs?: object } = JSON.parse(text);
  const options = { strict: false, allErrors: true };
  const ajv = schema.$schema.includes("2020-12") ? new Ajv2020(options) : new Ajv(options);
  addFormats.default(ajv);
  ajv.addFormat("uri-template", /^[^\s<>"\\^`|]*$/);
  ajv.addFormat("byte", true);
  ajv.addSchema(schema, "mcp");
  const definitions = schema.$defs === undefined ? "definitions" : "$defs";
  const isValid = (name: string, value: unknown) => {
    if (ajv.validate(`mcp#/${definitions}/${name}`, value)) return;
    throw new Error(`no ${name} of ${version}: ${ajv.errorsText()}\n${JSON.stringify(value)}`);
  };
  return (method, response) => {
    if (typeof response !== "object" || response === null) throw new Error("no object");
    if ("error" in response) {
      // Revisions before 2025-11-25 have no form for an error in answer to an unreadable message.
      const isAnonymous = !("id" in response) && definitions === "definitions";
      if (!isAnonymous) isValid("JSONRPCMessage", response);
      return;
    }
    isValid("JSONRPCMessage", response);
    if (!("result" in response)) throw new Error("neither result nor error");
    isValid(RESULTS[method] ?? "Result", response.result);
  };
}
