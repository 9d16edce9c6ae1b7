import { z } from "zod";
import { AppError, englishOnlyWording } from "../errors.ts";
import { toByteString } from "../render/byte-string.ts";
import type { CallContext, Tool, ToolDefinition } from "./mcp-features.ts";
import { parseToolArguments } from "./parse-tool-arguments.ts";
import { isJsonObject, type JsonObject, toJsonByteString } from "./protocol/json.ts";
import { ANSWER_TOKENS_MAX, estimateTokens } from "./results/token-estimate.ts";
import { structuredResult, textResult } from "./results/tool-result.ts";

interface Declaration<Input extends z.ZodObject> {
  name: string;
  title: string;
  /** Says what the tool does, when to call it, and what it returns. */
  description: string;
  input: Input;
  /** False for tools with effects, such as logging a search: their results must not be cached. */
  isCacheable?: false;
}

interface StructuredDeclaration<Input extends z.ZodObject, Output extends z.ZodObject>
  extends Declaration<Input> {
  output: Output;
  answer(
    input: z.output<Input>,
    context: CallContext,
  ): z.output<Output> | Promise<z.output<Output>>;
}

interface TextDeclaration<Input extends z.ZodObject> extends Declaration<Input> {
  /** `tokensMax`: the limit of the text in estimated tokens. */
  answer(input: z.output<Input>, context: CallContext, tokensMax: number): string;
}

const READ_ONLY: ToolDefinition["annotations"] = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** Token limit of an answer. The rest of {@link ANSWER_TOKENS_MAX} is reserved for notes. */
const OUTPUT_TOKENS_MAX = ANSWER_TOKENS_MAX - 200;

/**
 * Defines a tool that returns an object. The answer has the object twice, as structured content and as
 * text, because each client shows only one of them. If the answer exceeds the token limit, the tool is
 * called again with a smaller `limit`.
 */
export function defineTool<Input extends z.ZodObject, Output extends z.ZodObject>(
  declaration: StructuredDeclaration<Input, Output>,
): Tool {
  const definition = definitionOf(declaration);
  const outputSchema = schemaOf(declaration.output, "output");
  return {
    isCacheable: declaration.isCacheable ?? true,
    definition: { ...definition, outputSchema },
    async call(args, context) {
      const { name, input: shape } = declaration;
      const { input, notes } = parseToolArguments(
        { name, input: shape, schema: definition.inputSchema },
        args,
      );
      const output: object = await declaration.answer(input, context);
      const json = toJsonByteString(notes.length === 0 ? output : { notes, ...output });
      if (isWithinTokenLimit(json)) return structuredResult(json);
      return structuredResult(
        await shortenedResponse(declaration, { input, notes, json }, context),
      );
    },
  };
}

/**
 * Shortens an answer. Calls the tool again with a lower `limit` until its answer fits, and adds a note
 * about this. Returns JSON as a binary string.
 */
async function shortenedResponse<Input extends z.ZodObject, Output extends z.ZodObject>(
  declaration: StructuredDeclaration<Input, Output>,
  { input, notes, json }: { input: z.output<Input>; notes: readonly string[]; json: string },
  context: CallContext,
): Promise<string> {
  let shorter = json;
  let limit = longestListLength(JSON.parse(json));
  while (!isWithinTokenLimit(shorter) && limit > 1) {
    const share = OUTPUT_TOKENS_MAX / estimateJsonTokens(shorter);
    limit = Math.max(1, Math.min(limit - 1, Math.floor(limit * share)));
    const smaller = declaration.input.parse({ ...input, limit });
    const cut = `cut to ${limit} rows a list, which is what fits into one answer: go on with next_cursor and limit ${limit}`;
    const output: object = await declaration.answer(smaller, context);
    shorter = toJsonByteString({ notes: [...notes, cut], ...output });
  }
  if (isWithinTokenLimit(shorter)) return shorter;
  throw new AppError(
    "invalid",
    englishOnlyWording(
      `This answer of ${declaration.name} does not fit into ${ANSWER_TOKENS_MAX} tokens: ask for less, or read items with get_content_by_url`,
    ),
  );
}

/**
 * The length of the longest list in an answer. Only a `limit` below this length shortens the
 * answer.
 */
function longestListLength(output: unknown): number {
  if (Array.isArray(output)) return Math.max(output.length, ...output.map(longestListLength));
  return isJsonObject(output) ? Math.max(0, ...Object.values(output).map(longestListLength)) : 0;
}

/**
 * Whether the JSON of an answer is within the token limit. If the number of bytes is within the limit, no
 * estimate is needed, because each token has at least one byte.
 */
function isWithinTokenLimit(json: string): boolean {
  return json.length <= OUTPUT_TOKENS_MAX || estimateJsonTokens(json) <= OUTPUT_TOKENS_MAX;
}

function estimateJsonTokens(json: string): number {
  return estimateTokens(Buffer.from(json, "latin1").toString());
}

/** A tool that returns Markdown text only, for content meant to be read. */
export function defineTextTool<Input extends z.ZodObject>(
  declaration: TextDeclaration<Input>,
): Tool {
  const definition = definitionOf(declaration);
  return {
    isCacheable: declaration.isCacheable ?? true,
    definition,
    async call(args, context) {
      const { name, input: shape } = declaration;
      const { input, notes } = parseToolArguments(
        { name, input: shape, schema: definition.inputSchema },
        args,
      );
      const text = declaration.answer(input, context, OUTPUT_TOKENS_MAX);
      return textResult(toByteString([...notes.map((note) => `Note: ${note}`), text].join("\n\n")));
    },
  };
}

function definitionOf<Input extends z.ZodObject>(declaration: Declaration<Input>): ToolDefinition {
  const { name, title, description, input } = declaration;
  return {
    name,
    title,
    description,
    inputSchema: schemaOf(input, "input"),
    annotations: READ_ONLY,
  };
}

/**
 * JSON Schema of a tool's input or output. Omits redundant keywords: every byte takes up model
 * context.
 */
function schemaOf(shape: z.ZodObject, io: "input" | "output"): JsonObject {
  const { $schema: _, ...schema } = z.toJSONSchema(shape, {
    io,
    override: ({ jsonSchema }) => {
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      delete jsonSchema.additionalProperties;
      delete jsonSchema.propertyNames;
    },
  });
  return schema;
}
