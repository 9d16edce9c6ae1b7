import { Lexer } from "yaml";

/** The comments of a YAML text, such as `# Draft`. */
export function extractYamlComments(text: string): string[] {
  return text.includes("#")
    ? [...new Lexer().lex(text)].filter((token) => token.startsWith("#"))
    : [];
}
