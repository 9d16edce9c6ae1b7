import { SITE_FEATURES } from "../../../src/mcp/handler.ts";
import type {
  CallContext,
  McpFeatures,
  Prompt,
  Tool,
  ToolDefinition,
} from "../../../src/mcp/mcp-features.ts";
import { isJsonObject, type JsonObject, toJsonByteString } from "../../../src/mcp/protocol/json.ts";
import { ERROR_CODES, ProtocolError } from "../../../src/mcp/protocol/protocol-error.ts";
import everyKeyword from "./every-keyword.schema.json" with { type: "json" };

/** A red pixel, and a fifth of a second of silence. */
const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
const WAV = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";

const text = (value: string): JsonObject => ({ type: "text", text: value });
const image: JsonObject = { type: "image", data: PNG, mimeType: "image/png" };
const audio: JsonObject = { type: "audio", data: WAV, mimeType: "audio/wav" };
const embedded = (uri: string): JsonObject => ({
  type: "resource",
  resource: { uri, mimeType: "text/plain", text: "This is an embedded resource content." },
});

/**
 * Tools, resources and prompts with the fixed names that the conformance suite calls, in addition to those of
 * the site. They are offered only to the suite.
 */
export const CONFORMANCE_OFFERING: McpFeatures = {
  tools: [
    ...SITE_FEATURES.tools,
    tool("test_simple_text", () => [text("This is a simple text response for testing.")]),
    tool("test_image_content", () => [image]),
    tool("test_audio_content", () => [audio]),
    tool("test_embedded_resource", () => [embedded("test://embedded-resource")]),
    tool("test_multiple_content_types", () => [
      text("Multiple content types test:"),
      image,
      embedded("test://mixed-content-resource"),
    ]),
    tool("test_tool_with_progress", () => [text("Done without progress notifications")]),
    tool("test_logging_tool", () => [text("Done without log messages")]),
    tool("test_streaming_elicitation", () => [text("Done without asking")]),
    {
      ...tool("test_error_handling", () => []),
      call: async () =>
        toJsonByteString({
          content: [text("This tool intentionally returns an error for testing")],
          isError: true,
        }),
    },
    { ...tool("test_missing_capability", () => []), call: needSampling },
    tool("json_schema_2020_12_tool", () => [text("Done")], everyKeyword),
  ],
  prompts: [
    ...SITE_FEATURES.prompts,
    prompt("test_simple_prompt", [], () => [text("This is a simple prompt for testing.")]),
    prompt("test_prompt_with_arguments", ["arg1", "arg2"], ({ arg1, arg2 }) => [
      text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`),
    ]),
    prompt("test_prompt_with_embedded_resource", ["resourceUri"], ({ resourceUri = "" }) => [
      embedded(resourceUri),
      text("Please process the embedded resource above."),
    ]),
    prompt("test_prompt_with_image", [], () => [image, text("Please analyze the image above.")]),
  ],
  resources: {
    list(cursor, context) {
      const page = SITE_FEATURES.resources.list(cursor, context);
      return cursor === undefined
        ? { ...page, resources: [...STATIC_RESOURCES, ...page.resources] }
        : page;
    },
    templates: (context) => [
      ...SITE_FEATURES.resources.templates(context),
      {
        definition: { name: "test", uriTemplate: "test://template/{id}/data" },
        completers: { id: () => ["123"] },
      },
    ],
    read: (uri, context) => testResource(uri) ?? SITE_FEATURES.resources.read(uri, context),
  },
};

const STATIC_RESOURCES: readonly JsonObject[] = [
  { uri: "test://static-text", name: "static-text", mimeType: "text/plain" },
  { uri: "test://static-binary", name: "static-binary", mimeType: "image/png" },
];

function testResource(uri: string): JsonObject[] | null {
  if (uri === "test://static-text") {
    const content = "This is the content of the static text resource.";
    return [{ uri, mimeType: "text/plain", text: content }];
  }
  if (uri === "test://static-binary") return [{ uri, mimeType: "image/png", blob: PNG }];
  const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1];
  if (id === undefined) return null;
  const data = { id, templateTest: true, data: `Data for ID: ${id}` };
  return [{ uri, mimeType: "application/json", text: JSON.stringify(data) }];
}

function tool(
  name: string,
  content: () => readonly JsonObject[],
  inputSchema: JsonObject = { type: "object", properties: {} },
): Tool {
  const definition: ToolDefinition = {
    name,
    title: name,
    description: "For the conformance suite",
    inputSchema,
    annotations: {
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
  };
  return {
    isCacheable: false,
    definition,
    call: async () => toJsonByteString({ content: content() }),
  };
}

async function needSampling(_: JsonObject, { meta }: CallContext): Promise<string> {
  const capabilities = meta["io.modelcontextprotocol/clientCapabilities"];
  if (isJsonObject(capabilities) && "sampling" in capabilities) {
    return toJsonByteString({ content: [text("The client can sample")] });
  }
  throw new ProtocolError(
    ERROR_CODES.missingClientCapability,
    "This tool needs a client that can sample",
    { status: 400, data: { requiredCapabilities: { sampling: {} } } },
  );
}

function prompt(
  name: string,
  args: readonly string[],
  content: (args: Readonly<Record<string, string>>) => readonly JsonObject[],
): Prompt {
  return {
    definition: {
      name,
      title: name,
      description: "For the conformance suite",
      arguments: args.map((each) => ({ name: each, description: each, required: true })),
    },
    messages: (given) => content(given).map((each) => ({ role: "user", content: each })),
    completers: Object.fromEntries(args.map((each) => [each, () => ["test"]])),
  };
}
