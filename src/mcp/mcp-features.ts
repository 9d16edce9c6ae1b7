import type { ReadingCopy } from "../content/library.ts";
import type { ContentTypes } from "../content/types/content-type.ts";
import type { JsonObject } from "./protocol/json.ts";

/** Dependencies of a tool, resource or prompt while it answers one request. */
export interface CallContext {
  reading: ReadingCopy;
  /** The reading copy's types, looked up once: each lookup costs as much as reading an item. */
  types: ContentTypes;
  /** Public origin without a trailing slash. */
  origin: string;
  now: Date;
  /** The `_meta` of the request; empty when it has none. */
  meta: JsonObject;
}

export interface ToolDefinition {
  name: string;
  title: string;
  description: string;
  inputSchema: JsonObject;
  outputSchema?: JsonObject;
  annotations: {
    readOnlyHint: boolean;
    destructiveHint: boolean;
    idempotentHint: boolean;
    openWorldHint: boolean;
  };
}

export interface Tool {
  definition: ToolDefinition;
  /** Whether the result stays valid until something is published. */
  isCacheable: boolean;
  /**
   * Returns the result as JSON in a binary string, see `tool-result.ts`.
   *
   * @throws {AppError} for invalid arguments, with a message for the caller.
   */
  call(args: JsonObject, context: CallContext): Promise<string>;
}

/** Returns completions of a typed value, best first. */
export type Completer = (typed: string, context: CallContext) => readonly string[];

export interface Prompt {
  definition: {
    name: string;
    title: string;
    description: string;
    arguments: readonly { name: string; description: string; required: boolean }[];
  };
  messages(args: Readonly<Record<string, string>>, context: CallContext): readonly JsonObject[];
  completers: Readonly<Record<string, Completer>>;
}

export interface ResourcePage {
  resources: readonly JsonObject[];
  nextCursor: string | null;
}

export interface ResourceTemplate {
  definition: JsonObject & { uriTemplate: string };
  completers: Readonly<Record<string, Completer>>;
}

export interface ResourceProvider {
  /** @throws {AppError} `invalid` for a cursor this list did not return. */
  list(cursor: string | undefined, context: CallContext): ResourcePage;
  templates(context: CallContext): readonly ResourceTemplate[];
  /** Returns null if there is no resource with this URI. */
  read(uri: string, context: CallContext): readonly JsonObject[] | null;
}

/** Everything the service offers to MCP clients. */
export interface McpFeatures {
  tools: readonly Tool[];
  resources: ResourceProvider;
  prompts: readonly Prompt[];
}
