import type { z } from "zod";
import { singularAndPluralForms } from "../content/lists/name-forms.ts";
import { AppError, englishOnlyWording } from "../errors.ts";
import { convertToDeclaredType } from "./argument-values.ts";
import { isJsonObject, type JsonObject } from "./protocol/json.ts";

/** Maximum length at which a note quotes the name of an argument. The rest of the name is cut off. */
const NAME_CHARACTERS_MAX = 80;

interface ToolInput<Input extends z.ZodObject> {
  name: string;
  input: Input;
  /** The JSON Schema of the input. */
  schema: JsonObject;
}

/** Arguments converted to what the tool accepts, with notes on the changes. */
export interface ParsedArguments<Input extends z.ZodObject> {
  input: z.output<Input>;
  notes: string[];
}

/**
 * Tolerates common mistakes of models: numbers, lists and objects given as text; a single value instead of
 * a list; singular instead of plural; filters given as top-level arguments; an empty text instead of no
 * value; a wrong name for the required argument. A number out of bounds becomes the nearest allowed number,
 * with a note.
 *
 * @throws {AppError} `invalid`, naming each wrong argument and the arguments that the tool accepts.
 */
export function parseToolArguments<Input extends z.ZodObject>(
  { name, input, schema }: ToolInput<Input>,
  args: JsonObject,
): ParsedArguments<Input> {
  const properties = isJsonObject(schema["properties"]) ? schema["properties"] : {};
  const notes: string[] = [];
  const declared = { schema, properties };
  const renamed = renamedArguments(withoutEmpty(args, declared), declared, (argument, from) => {
    notes.push(`${argument}: read from ${from}`);
  });
  const read = input.safeParse(
    givenArguments(renamed, properties, (argument, bound) => {
      notes.push(`${argument}: ${bound} and was used`);
    }),
  );
  if (read.success) return { input: read.data, notes };
  throw refusal(name, read.error, { names: Object.keys(properties), schema });
}

interface Declared {
  schema: JsonObject;
  properties: JsonObject;
}

function withoutEmpty(args: JsonObject, { schema, properties }: Declared): JsonObject {
  const given = Object.entries(args).filter(([key, value]) => {
    const argument = declaredName(key, properties);
    return value !== null && (value !== "" || (argument !== null && isRequired(schema, argument)));
  });
  return Object.fromEntries(given);
}

/**
 * Corrects the name of one argument, such as `q` or `search` for `query`. Does so if exactly one required
 * argument is missing, and exactly one text argument has an undeclared name.
 */
function renamedArguments(
  args: JsonObject,
  { schema, properties }: Declared,
  onRenamed: (argument: string, from: string) => void,
): JsonObject {
  const given = Object.keys(args);
  const missing = Object.keys(properties).filter(
    (name) =>
      isRequired(schema, name) && !given.some((key) => declaredName(key, properties) === name),
  );
  const unknown = given.filter(
    (key) => declaredName(key, properties) === null && typeof args[key] === "string",
  );
  const [argument, another] = missing;
  const [from, second] = unknown;
  if (argument === undefined || from === undefined || another !== undefined || second !== undefined)
    return args;
  onRenamed(argument, from.slice(0, NAME_CHARACTERS_MAX));
  const { [from]: value, ...others } = args;
  return { ...others, [argument]: value };
}

function givenArguments(
  args: JsonObject,
  properties: JsonObject,
  onClamped: (argument: string, bound: string) => void,
): JsonObject {
  const given: Record<string, unknown> = {};
  const filters: Record<string, unknown> = {};
  const takesFilters = Object.hasOwn(properties, "filters");
  for (const [key, value] of Object.entries(args)) {
    const argument = declaredName(key, properties);
    const property = argument === null ? undefined : properties[argument];
    if (argument !== null && isJsonObject(property) && !Object.hasOwn(given, argument)) {
      given[argument] = convertToDeclaredType(value, property, (bound) =>
        onClamped(argument, bound),
      );
    } else if (takesFilters) filters[key] = value;
    else given[key] = value;
  }
  if (Object.keys(filters).length === 0) return given;
  const givenFilters = isJsonObject(given["filters"]) ? given["filters"] : {};
  return { ...given, filters: { ...filters, ...givenFilters } };
}

function isRequired({ required }: JsonObject, name: string): boolean {
  return Array.isArray(required) && required.includes(name);
}

/** The declared argument of this name, in singular or plural; null if there is none. */
function declaredName(key: string, properties: JsonObject): string | null {
  if (Object.hasOwn(properties, key)) return key;
  return (
    singularAndPluralForms(key).find((candidate) => Object.hasOwn(properties, candidate)) ?? null
  );
}

function refusal(
  tool: string,
  { issues }: z.ZodError,
  { names, schema }: { names: readonly string[]; schema: JsonObject },
): AppError {
  const problems = issues.map(({ path, message }) => ({
    where: path.join("."),
    message: englishOnlyWording(message),
  }));
  const faults = problems.map(({ where, message }) =>
    where === "" ? message.en : `${where}: ${message.en}`,
  );
  const argumentList = names
    .map((name) => (isRequired(schema, name) ? `${name} (required)` : name))
    .join(", ");
  const message = `Cannot call ${tool}: ${faults.join("; ")}. Its arguments are ${argumentList}`;
  return new AppError("invalid", englishOnlyWording(message), { problems });
}
