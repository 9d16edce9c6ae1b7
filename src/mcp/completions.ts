import type { CallContext, Completer, McpFeatures } from "./mcp-features.ts";
import { COMPLETIONS_MAX } from "./name-completers.ts";
import { isJsonObject, type JsonObject } from "./protocol/json.ts";
import { invalidParamsError, type ProtocolError } from "./protocol/protocol-error.ts";

const NAME_CHARACTERS_SHOWN = 100;

/** Answers `completion/complete` with values for an argument of a prompt or of a resource template. */
export function completeArgument(
  params: JsonObject,
  context: CallContext & { offering: McpFeatures },
): JsonObject {
  const { ref, argument } = params;
  if (!isJsonObject(ref)) throw invalidParamsError("params.ref must be an object");
  if (!isJsonObject(argument)) throw invalidParamsError("params.argument must be an object");
  const { name, value } = argument;
  if (typeof name !== "string" || typeof value !== "string") {
    throw invalidParamsError("params.argument needs a name and a value, both texts");
  }
  const completers = completersOf(ref, context);
  const complete = Object.hasOwn(completers, name) ? completers[name] : undefined;
  const values = complete === undefined ? [] : complete(value, context);
  const hasMore = values.length > COMPLETIONS_MAX;
  return {
    completion: {
      values: values.slice(0, COMPLETIONS_MAX),
      ...(hasMore ? {} : { total: values.length }),
      hasMore,
    },
  };
}

function completersOf(
  ref: JsonObject,
  context: CallContext & { offering: McpFeatures },
): Readonly<Record<string, Completer>> {
  const { prompts, resources } = context.offering;
  if (ref["type"] === "ref/prompt") {
    const prompt = prompts.find(({ definition }) => definition.name === ref["name"]);
    if (prompt === undefined) throw unknownReference("prompt", ref["name"]);
    return prompt.completers;
  }
  if (ref["type"] === "ref/resource") {
    const templates = resources.templates(context);
    const template = templates.find(({ definition }) => definition.uriTemplate === ref["uri"]);
    if (template === undefined) throw unknownReference("template", ref["uri"]);
    return template.completers;
  }
  throw invalidParamsError('params.ref.type must be "ref/prompt" or "ref/resource"');
}

/** The name may be any JSON value. */
function unknownReference(kind: "prompt" | "template", name: unknown): ProtocolError {
  const shown = typeof name === "string" ? ` "${name.slice(0, NAME_CHARACTERS_SHOWN)}"` : "";
  return invalidParamsError(`Unknown ${kind}${shown}`);
}
