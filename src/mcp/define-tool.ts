import { z } from "zod";
import { AppError } from "../errors.ts";
import { bytesOf } from "../render/bytes.ts";
import type { CallContext, Tool, ToolDefinition } from "./offering.ts";
import type { JsonObject } from "./protocol/json.ts";
import { structuredResult, textResult } from "./tool-result.ts";

interface Declaration<Input extends z.ZodObject> {
  name: string;
  title: string;
  /** What it does, when to call it, what it returns. */
  description: string;
  input: Input;
  /** False for tools with effects, such as logging a search, whose results must not be cached. */
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
  answer(input: z.output<Input>, context: CallContext): string;
}

const READ_ONLY: ToolDefinition["annotations"] = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/**
 * A tool that returns an object, both as structured content and as text, since clients show only one of
 * them.
 */
export function defineTool<Input extends z.ZodObject, Output extends z.ZodObject>(
  declaration: StructuredDeclaration<Input, Output>,
): Tool {
  return {
    isCacheable: declaration.isCacheable ?? true,
    definition: {
      ...definitionOf(declaration),
      outputSchema: schemaOf(declaration.output, "output"),
    },
    async call(args, context) {
      return structuredResult(await declaration.answer(readArguments(declaration, args), context));
    },
  };
}

/** A tool that returns Markdown text only, for content meant to be read. */
export function defineTextTool<Input extends z.ZodObject>(
  declaration: TextDeclaration<Input>,
): Tool {
  return {
    isCacheable: declaration.isCacheable ?? true,
    definition: definitionOf(declaration),
    async call(args, context) {
      return textResult(bytesOf(declaration.answer(readArguments(declaration, args), context)));
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

/** JSON Schema of a tool's input or output without redundant members: every byte takes up model context. */
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

function readArguments<Input extends z.ZodObject>(
  { name, input }: Declaration<Input>,
  args: JsonObject,
): z.output<Input> {
  const read = input.safeParse(withoutNulls(args));
  if (read.success) return read.data;
  const problems = read.error.issues.map(({ path, message }) => ({
    where: path.join("."),
    message,
  }));
  const faults = problems.map(({ where, message }) =>
    where === "" ? message : `${where}: ${message}`,
  );
  throw new AppError(
    "invalid",
    `Cannot call ${name}: ${faults.join("; ")}. Its arguments are ${argumentNames(input)}`,
    { problems },
  );
}

/** Some clients send null for omitted arguments. */
function withoutNulls(args: JsonObject): JsonObject {
  if (!Object.values(args).includes(null)) return args;
  return Object.fromEntries(Object.entries(args).filter(([, value]) => value !== null));
}

function argumentNames(input: z.ZodObject): string {
  const { required } = schemaOf(input, "input");
  const isRequired = (name: string) => Array.isArray(required) && required.includes(name);
  return Object.keys(input.shape)
    .map((name) => (isRequired(name) ? `${name} (required)` : name))
    .join(", ");
}
