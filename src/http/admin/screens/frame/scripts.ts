import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire, stripTypeScriptTypes } from "node:module";

interface Script {
  /** Contains a hash of the text. */
  path: string;
  text: string;
}

const TOOLBAR_PACKAGE = "@github/markdown-toolbar-element";

const FRAME = ownScript("frame");
const APPEARANCE = ownScript("appearance");
const ENDED_DRAFT = ownScript("ended");
const JOBS = ownScript("jobs");
const MEDIA = ownScript("media");
const PASSKEYS = ownScript("passkeys");
const PICKER = ownScript("picker");
const FAULTS = ownScript("faults");
const UPLOADING = ownScript("uploading");
const EDITOR = [
  ...[FAULTS, UPLOADING, PICKER],
  ...["form-values", "combining", "merging", "editor", "writing"].map(ownScript),
  ...["inserting", "pictures", "preview", "presence"].map(ownScript),
  script("toolbar", readFileSync(createRequire(import.meta.url).resolve(TOOLBAR_PACKAGE), "utf8")),
];

export const FRAME_SCRIPT_PATH = FRAME.path;
export const APPEARANCE_SCRIPT_PATH = APPEARANCE.path;
export const ENDED_DRAFT_SCRIPT_PATH = ENDED_DRAFT.path;
export const JOBS_SCRIPT_PATH = JOBS.path;
export const MEDIA_SCRIPT_PATH = MEDIA.path;
export const PASSKEYS_SCRIPT_PATH = PASSKEYS.path;
export const PICKER_SCRIPT_PATH = PICKER.path;
export const EDITOR_SCRIPT_PATHS = EDITOR.map(({ path }) => path);

/** Source texts of the scripts, by path. */
export const SCRIPTS: ReadonlyMap<string, string> = new Map(
  [FRAME, APPEARANCE, ENDED_DRAFT, JOBS, MEDIA, PASSKEYS, ...EDITOR].map(({ path, text }) => [
    path,
    text,
  ]),
);

/** One of our scripts, with its types stripped and its imports rewritten to paths. */
function ownScript(name: string): Script {
  const file = new URL(`../../browser/${name}.ts`, import.meta.url);
  const text = withoutTypes(readFileSync(file, "utf8"));
  const imported = /(?<= from "|^import ")\.\/([a-z-]+)\.ts(?=")/gm;
  return script(
    name,
    text.replaceAll(imported, (_, other: string) => ownScript(other).path),
  );
}

function script(name: string, text: string): Script {
  return { path: `/admin/${name}-${hash("sha256", text).slice(0, 12)}.js`, text };
}

/**
 * Strips the types. Suppresses Node's warning that the function is experimental, since operators
 * could not act on it.
 */
function withoutTypes(source: string): string {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return stripTypeScriptTypes(source);
  } finally {
    process.emitWarning = emitWarning;
  }
}
