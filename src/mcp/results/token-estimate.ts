/** Token limit of a tool's answer, as estimated by {@link estimateTokens}. */
export const ANSWER_TOKENS_MAX = 10_000;

/**
 * Tokens per UTF-16 code unit. Each entry is for the code units up to `last` that no earlier entry covers.
 * Words in Latin letters are counted by `letterTokens` instead. Measured with the o200k tokenizer on
 * ordinary prose and rounded up. Writing systems that were not measured may need more: up to one token per
 * byte.
 */
const TOKENS_PER_CHARACTER: readonly (readonly [last: number, tokens: number])[] = [
  [0x20, 0.03],
  [0x2f, 0.6],
  [0x39, 0.55],
  [0x7f, 0.6],
  [0x24f, 1],
  [0x36f, 1.2],
  [0x3ff, 0.45],
  [0x52f, 0.32],
  [0x5ff, 0.5],
  [0x6ff, 0.46],
  [0x8ff, 1.2],
  [0x97f, 0.38],
  [0xdff, 0.8],
  [0xe7f, 0.6],
  [0x1dff, 1.7],
  [0x1eff, 0.6],
  [0x1fff, 2.4],
  [0x206f, 1],
  [0x2fff, 1.5],
  [0x30ff, 1],
  [0x33ff, 1.7],
  [0x9fff, 1],
  [0xabff, 2.5],
  [0xd7af, 0.8],
  [0xdfff, 1.6],
  [0xffff, 1.7],
];

/** A word of up to this many letters counts as one token. */
const SHORT_WORD_LETTERS = 5;
const TOKENS_PER_EXTRA_LETTER = 0.38;
const TOKENS_PER_ACCENT = 0.5;
/**
 * Tokens added for each capital inside a word, because random identifiers split into many tokens.
 */
const TOKENS_PER_CAPITAL_INSIDE = 0.6;

const weights = weightTable();

/**
 * Estimates the number of tokens in a text. Overestimates prose and JSON in the languages that
 * `test/mcp/token-estimate.test.ts` compares with o200k.
 */
export function estimateTokens(text: string): number {
  let tokens = 0;
  let letters = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    letters = isLatinLetter(code) ? letters + 1 : 0;
    tokens += letters === 0 ? (weights[code] ?? 1) : letterTokens(code, letters);
  }
  return Math.ceil(tokens);
}

/** Tokens that a letter adds to its word. `position` counts the letters of the word from 1. */
function letterTokens(code: number, position: number): number {
  let tokens = position === 1 ? 1 : position > SHORT_WORD_LETTERS ? TOKENS_PER_EXTRA_LETTER : 0;
  if (code > 0x7f) tokens += TOKENS_PER_ACCENT;
  else if (code < 0x5b && position > 1) tokens += TOKENS_PER_CAPITAL_INSIDE;
  return tokens;
}

function isLatinLetter(code: number): boolean {
  return (
    (code >= 0x61 && code <= 0x7a) ||
    (code >= 0x41 && code <= 0x5a) ||
    (code >= 0xc0 && code <= 0x24f)
  );
}

function weightTable(): Float32Array {
  const table = new Float32Array(0x10000);
  let from = 0;
  for (const [last, tokens] of TOKENS_PER_CHARACTER) {
    table.fill(tokens, from, last + 1);
    from = last + 1;
  }
  return table;
}
