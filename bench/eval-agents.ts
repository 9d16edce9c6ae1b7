import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { seedDemo } from "../src/cli/demo.ts";
import { findPage } from "../src/content/pages/find-page.ts";
import { findDocument } from "../src/discovery/documents.ts";
import { TOOLS } from "../src/mcp/tools.ts";
import { pageMarkdown } from "../src/render/page-markdown.ts";
import { openReadingCopy } from "../src/storage/reading/open.ts";
import { openRecord } from "../src/storage/record/open.ts";
import { answerByDocuments } from "./agents/document-policy.ts";
import { KINDS, plain, type Question, questionsOn } from "./agents/questions.ts";
import { answerByTools } from "./agents/tool-policy.ts";

/**
 * Measures what agents need to answer 40 questions about the demo: correct answers, calls, and tokens of what
 * they send and read. A fixed policy acts as the agent. `npm run eval:agents -- [--seed N] [--json]`. The
 * policy was tuned on the questions with even numbers, so the odd ones are reported separately.
 */
const { values } = parseArgs({
  options: { seed: { type: "string", default: "15" }, json: { type: "boolean", default: false } },
});
const ORIGIN = "https://quotations.example";
const DEMO = join(import.meta.dirname, "../demo");
const TOKENS_MAX = 10_000;

interface Outcome {
  question: Question;
  isRight: boolean;
  calls: number;
  tokens: number;
}

const folder = mkdtempSync(join(tmpdir(), "eval-agents-"));
const file = join(folder, "commonplace.db");
const record = await openRecord({ file, origin: ORIGIN });
await seedDemo(record.content);
const reading = openReadingCopy({ file });
const context = { reading, types: reading.types(), origin: ORIGIN, now: new Date(), meta: {} };

const questions = questionsOn(DEMO, Number(values.seed));
const byTools = await outcomes((question, count) => answerByTools(question, calling(count)));
const byDocuments = await outcomes((question, count) =>
  answerByDocuments(question, fetching(count)),
);
reading[Symbol.dispose]();
await record.close();
rmSync(folder, { recursive: true });

const table = { ...rowsOf("tools", byTools), ...rowsOf("documents", byDocuments) };
if (values.json) process.stdout.write(`${JSON.stringify(table, null, 2)}\n`);
else console.table(table);
const wrong = [...byTools, ...byDocuments].filter(({ isRight }) => !isRight);
if (wrong.length > 0) process.exitCode = 1;
for (const { question, tokens } of wrong) {
  console.error(`not answered (${tokens} tokens): ${question.text} ${question.gold.join(" | ")}`);
}

type Count = (sent: string, read: string) => void;

async function outcomes(
  answer: (question: Question, count: Count) => Promise<string[]>,
): Promise<Outcome[]> {
  const all: Outcome[] = [];
  for (const question of questions) {
    let calls = 0;
    let tokens = 0;
    const given = await answer(question, (sent, read) => {
      calls += 1;
      tokens += countTokens(sent) + countTokens(read);
    });
    all.push({
      question,
      calls,
      tokens,
      isRight: isRight(question, given) && tokens <= TOKENS_MAX,
    });
  }
  return all;
}

function isRight({ kind, gold }: Question, given: readonly string[]): boolean {
  if (kind === "list") return gold.join("\n") === given.join("\n");
  const answer = plain(given.join(" | "));
  return gold.every((each) => answer.includes(plain(each)));
}

function calling(count: Count) {
  return async (name: string, args: object): Promise<string> => {
    const tool = TOOLS.find(({ definition }) => definition.name === name);
    if (tool === undefined) throw new Error(`There is no tool ${name}`);
    const bytes = await tool.call({ ...args }, context);
    const { content } = JSON.parse(Buffer.from(bytes, "latin1").toString());
    count(JSON.stringify({ name, arguments: args }), content[0].text);
    return content[0].text;
  };
}

function fetching(count: Count) {
  return async (address: string): Promise<string> => {
    const text = await documentAt(new URL(address, ORIGIN));
    count(address, text);
    return text;
  };
}

/** A document as the site serves it: a discovery document, or the Markdown of a page. */
async function documentAt({ pathname, searchParams }: URL): Promise<string> {
  const known = findDocument(pathname);
  if (known !== null && known !== undefined) {
    const rendered = known.document.render({ ...context, version: "0" }, known.parameters);
    return typeof rendered === "string" ? rendered : [...(rendered ?? [])].join("");
  }
  const request = { parameter: (name: string) => searchParams.get(name) ?? undefined };
  const path = decodeURIComponent(pathname).replace(/\.md$/, "");
  const found = await findPage(reading, path, request);
  if (found.kind === "moved" || found.kind === "elsewhere") throw new Error(`${path} has moved`);
  const view = found.kind === "missing" ? await found.view() : found.view;
  return pageMarkdown(view, context);
}

function rowsOf(by: string, all: readonly Outcome[]): Record<string, object> {
  const half = (odd: number) => all.filter((_, at) => at % 2 === odd);
  return {
    ...Object.fromEntries(
      KINDS.map((kind) => [
        `${by}: ${kind}`,
        figures(all.filter(({ question }) => question.kind === kind)),
      ]),
    ),
    [`${by}: tuned on`]: figures(half(0)),
    [`${by}: not tuned on`]: figures(half(1)),
    [`${by}: all`]: figures(all),
  };
}

function figures(all: readonly Outcome[]): object {
  const mean = (of: (outcome: Outcome) => number) =>
    all.reduce((sum, each) => sum + of(each), 0) / all.length;
  return {
    questions: all.length,
    right: all.filter((each) => each.isRight).length,
    "calls a question": Number(mean(({ calls }) => calls).toFixed(2)),
    "most calls": Math.max(...all.map(({ calls }) => calls)),
    "tokens a question": Math.round(mean(({ tokens }) => tokens)),
    "most tokens": Math.max(...all.map(({ tokens }) => tokens)),
  };
}
