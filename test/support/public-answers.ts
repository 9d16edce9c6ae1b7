import { createHash } from "node:crypto";
import { type OpenStaticSource, openStaticSource } from "../../src/app/site/static-site.ts";
import { readConfig } from "../../src/config.ts";
import { markdownPath } from "../../src/content/addresses/addresses.ts";
import { pageAddress } from "../../src/content/pages/paging.ts";
import { createLog } from "../../src/log.ts";
import {
  documentPartPathBuilders,
  documentPaths,
  listNumberedPages,
  mediaFilePaths,
  pagePaths,
} from "../../src/static/addresses.ts";
import { encodeRequestTarget } from "../../src/static/rules/host.ts";
import type { CommandLine } from "./command-line.ts";

/** Longer series of documents than a test has. */
const PARTS = [1, 2];

/** The moment at which a form was sent to the visitor. */
const OPENED = /<input type="hidden" name="opened" value="[\w.-]+">/g;

/**
 * What a site answers at each of its public addresses and at `more`, which are encoded: status, target and a
 * digest of the body. The addresses are those that the site itself lists.
 */
export async function publicAnswers(
  line: CommandLine,
  more: readonly string[] = [],
): Promise<Map<string, string>> {
  const config = readConfig(line.environment);
  await using source = await openStaticSource(config, { log: createLog("silent") });
  const answers = new Map<string, string>();
  for (const target of new Set([...more, ...(await publicTargets(source))])) {
    const { status, headers, bytes } = await source.ask(target);
    const lasting = bytes.toString("latin1").replaceAll(OPENED, "");
    const digest = createHash("sha256").update(lasting).digest("hex").slice(0, 16);
    answers.set(target, `${status} ${headers["Location"] ?? ""} ${digest}`);
  }
  return answers;
}

async function publicTargets(source: OpenStaticSource): Promise<string[]> {
  const { reading, formerPaths, media } = source;
  const targets: string[] = [];
  for (const path of pagePaths(reading)) {
    const queries = (await listNumberedPages(reading, path)).map(({ parameter, page }) =>
      pageAddress("", page, parameter),
    );
    for (const form of [path, markdownPath(path)]) {
      targets.push(...queries.map((query) => encodeRequestTarget(form) + query));
    }
  }
  for (const path of documentPaths(reading)) targets.push(encodeRequestTarget(path));
  for (const series of documentPartPathBuilders(reading)) {
    targets.push(...PARTS.map((part) => encodeRequestTarget(series(part))));
  }
  const formerAddresses = [...formerPaths].filter((from) => !/[?*]/.test(from));
  for (const from of formerAddresses) {
    targets.push(encodeRequestTarget(from), encodeRequestTarget(markdownPath(from)));
  }
  for await (const medium of media) targets.push(...mediaFilePaths(reading, medium));
  return targets;
}
