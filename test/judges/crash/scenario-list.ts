import type { ChildProcess } from "node:child_process";
import { setTimeout as wait } from "node:timers/promises";
import {
  beforeOrAfter,
  eachBeforeOrAfter,
  eachNamed,
  unchanged,
  wholeOrAbsent,
} from "./judging.ts";
import type { Scenario } from "./scenarios.ts";
import type { Templates } from "./templates.ts";
import { isServing, judgeWrites, sendWrites } from "./writes.ts";

/** All scenarios that do not need PostgreSQL. */
export function scenarioList(templates: Templates): Scenario[] {
  const { site, other, old, unread, edition, backup, backupFile, pictures, key } = templates;
  const serve = {
    words: ["serve"],
    drive: serveAWhile,
    again: null,
  };
  return [
    {
      name: "init",
      given: {},
      words: ["init"],
      again: { words: ["init"], goal: "after", mayRefuse: /There is a site in/ },
      judgeSite: beforeOrAfter,
    },
    {
      name: "first start with the demo",
      given: {},
      ...serve,
      environment: { DEMO: "1" },
      nextEnvironment: { DEMO: "1" },
      portion: 0.01,
      isLong: true,
      judgeSite: beforeOrAfter,
    },
    { name: "start", given: { data: site }, ...serve, judgeSite: unchanged },
    {
      name: "upgrade of the store",
      given: { data: old },
      ...serve,
      expected: /^data\/before-upgrade-[\dTZ-]+\.db$/,
      judgeSite: unchanged,
    },
    {
      name: "upgrade of the reading copy",
      given: { data: unread },
      ...serve,
      judgeSite: unchanged,
    },
    {
      name: "writes over HTTP",
      given: { data: site },
      words: ["serve"],
      drive: async (child, port) => await sendWrites(child, { port, key }),
      again: null,
      judgeSite: judgeWrites,
    },
    {
      name: "import into a new folder",
      given: { edition },
      words: ["import", "ROOT/edition"],
      again: { words: ["import", "ROOT/edition"], goal: "after" },
      judgeSite: eachBeforeOrAfter,
    },
    {
      name: "import into a site",
      given: { data: site, edition },
      words: ["import", "ROOT/edition"],
      again: { words: ["import", "ROOT/edition"], goal: "after" },
      judgeSite: eachBeforeOrAfter,
    },
    {
      name: "media add",
      given: { data: site, pictures },
      words: ["media", "add", "ROOT/pictures/3.png", "ROOT/pictures/4.png"],
      again: {
        words: ["media", "add", "ROOT/pictures/3.png", "ROOT/pictures/4.png"],
        goal: "after",
      },
      judgeSite: eachNamed,
    },
    {
      name: "backup to a folder",
      given: { data: site },
      words: ["backup", "ROOT/backup"],
      again: { words: ["backup", "ROOT/second"], goal: "before" },
      copies: ["backup"],
      expected:
        /^(?:backup|second)(?:\/(?:commonplace\.db|media(?:\/[0-9a-f]{32}\.png)?|manifest.*))?$/,
      judgeSite: unchanged,
    },
    {
      name: "backup packed into a file",
      given: { data: site },
      words: ["backup", "ROOT/backup.tar"],
      again: { words: ["backup", "ROOT/second.tar"], goal: "before" },
      copies: ["backup.tar"],
      expected: /^(?:backup|second)\.tar$/,
      judgeSite: unchanged,
    },
    {
      name: "backup to a file",
      given: { data: site },
      words: ["backup", "ROOT/backup.db"],
      again: { words: ["backup", "ROOT/second.db"], goal: "before" },
      copies: ["backup.db"],
      expected: /^(?:backup|second)\.db$/,
      judgeSite: unchanged,
    },
    {
      name: "restore to a new place",
      given: { backup },
      words: ["restore", "ROOT/backup"],
      again: { words: ["restore", "ROOT/backup", "--force"], goal: "after" },
      expected: REPLACED,
      judgeSite: beforeOrAfter,
    },
    {
      name: "restore over a site",
      given: { data: site, backup },
      words: ["restore", "ROOT/backup", "--force"],
      again: { words: ["restore", "ROOT/backup", "--force"], goal: "after" },
      expected: REPLACED,
      judgeSite: beforeOrAfter,
    },
    {
      name: "restore of a store alone",
      given: { data: other, "backup.db": backupFile },
      words: ["restore", "ROOT/backup.db", "--force"],
      again: { words: ["restore", "ROOT/backup.db", "--force"], goal: "after" },
      expected: REPLACED,
      judgeSite: beforeOrAfter,
    },
    {
      name: "export to a folder",
      given: { data: site },
      words: ["export", "ROOT/exported"],
      again: { words: ["export", "ROOT/second"], goal: "before" },
      expected: /^(?:exported|second)(?:\/.*)?$/,
      judgeSite: wholeOrAbsent("exported"),
    },
    {
      name: "export to a file",
      given: { data: site },
      words: ["export", "ROOT/exported.jsonl"],
      again: { words: ["export", "ROOT/second.jsonl"], goal: "before" },
      expected: /^(?:exported|second)\.jsonl$/,
      judgeSite: wholeOrAbsent("exported.jsonl"),
    },
  ];
}

/** Matches what is kept after a restore on purpose. */
const REPLACED = /^data\/replaced-[^/]+(?:\/(?:commonplace\.db|media|media\/.*))?$/;
const SERVES_MS = 1300;

/** Serves for one round of the clock. */
async function serveAWhile(child: ChildProcess): Promise<void> {
  if (!(await isServing(child))) return;
  await wait(SERVES_MS);
  child.kill("SIGTERM");
}
